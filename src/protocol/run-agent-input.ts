import { omitOptionalNulls, type RunAgentInput } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import { prune } from './prune.js';
import { upgradeBinaryParts } from './binary-part.js';

/** One thing that is wrong with a run input. `path` is dotted, such as `messages.0.id`; empty for the whole. */
export interface InputIssue {
  path: string;
  message: string;
}

/** A run input that is not one; the transport answers it with an error before any stream exists. */
export class InvalidRunAgentInputError extends Error {
  override readonly name = 'InvalidRunAgentInputError';

  constructor(readonly issues: InputIssue[]) {
    super(
      `Not a valid RunAgentInput: ${issues
        .map(({ path, message }) => (path ? `${path}: ${message}` : message))
        .join('; ')}`,
    );
  }
}

/** A run input that may run, and the JSON pointers of the members that were not understood. */
export interface ParsedRunAgentInput {
  input: RunAgentInput;
  ignored: string[];
}

/**
 * Reads AG-UI's run input from a request's body. What the protocol does not describe is left out,
 * what it describes must be right (AG-UI: "Run Input", "Processing Model").
 *
 * @throws InvalidRunAgentInputError naming each wrong member.
 */
export function parseRunAgentInput(body: unknown): ParsedRunAgentInput {
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new InvalidRunAgentInputError([
      { path: '', message: 'The body must be a JSON object' },
    ]);
  const { value, removed } = prune(
    upgradeBinaryParts(omitOptionalNulls(body, 'RunAgentInput')),
    RunAgentInputSchema,
  );
  const parsed = RunAgentInputSchema.safeParse(value);
  if (!parsed.success)
    throw new InvalidRunAgentInputError(
      parsed.error.issues.map((issue) => ({
        path: issue.path.map(String).join('.'),
        message: issue.message,
      })),
    );
  const input = parsed.data as RunAgentInput;
  const twice = duplicateToolNames(input);
  if (twice.length > 0) throw new InvalidRunAgentInputError(twice);
  return { input, ignored: removed };
}

function duplicateToolNames({ tools }: RunAgentInput): InputIssue[] {
  const names = new Set<string>();
  return tools.flatMap(({ name }, index) => {
    if (!names.has(name)) {
      names.add(name);
      return [];
    }
    return [
      { path: `tools.${index}.name`, message: `"${name}" is declared twice` },
    ];
  });
}
