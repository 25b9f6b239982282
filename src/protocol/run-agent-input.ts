import { omitOptionalNulls, type RunAgentInput } from '@ag-ui/core';
import { RunAgentInputSchema } from '@ag-ui/core/schemas';
import {
  firstListIssues,
  inputIssueOf,
  type InputIssue,
} from './input-issue.js';
import { prune } from './prune.js';
import { recogniserOf } from './recogniser.js';
import { upgradeBinaryParts } from './binary-part.js';

/** How deep the members of a run input may be nested. */
const MAX_DEPTH = 500;
/** How many values a run input may have: texts, numbers, lists, objects, whatever else. */
export const MAX_VALUES = 100_000;
/** What a client is told that sends more. */
export const TOO_MANY_VALUES: InputIssue = {
  path: '',
  message: `More than ${MAX_VALUES} values`,
};
/** How many of the things that are wrong a client is told. */
const MAX_ISSUES = 100;

/** A run input that is not one; the transport answers it with an error before any stream exists. */
export class InvalidRunAgentInputError extends Error {
  override readonly name = 'InvalidRunAgentInputError';

  readonly issues: readonly InputIssue[];

  constructor(all: readonly InputIssue[]) {
    const issues = all.slice(0, MAX_ISSUES);
    super(
      `Not a valid RunAgentInput: ${issues
        .map(({ path, message }) => (path ? `${path}: ${message}` : message))
        .join('; ')}`,
    );
    this.issues = issues;
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
  if (hasMore(body, MAX_VALUES))
    throw new InvalidRunAgentInputError([TOO_MANY_VALUES]);
  const deep = Object.entries(body).filter(([, value]) =>
    isDeeper(value, MAX_DEPTH),
  );
  if (deep.length > 0)
    throw new InvalidRunAgentInputError(
      deep.map(([path]) => ({
        path,
        message: `Nested deeper than ${MAX_DEPTH} levels`,
      })),
    );
  const parsed = isInput(body) ? { input: body, ignored: [] } : conformed(body);
  const twice = duplicateToolNames(parsed.input);
  if (twice.length > 0) throw new InvalidRunAgentInputError(twice);
  return parsed;
}

/** A history of megabytes is not written anew only to be found right. */
const isInput = recogniserOf(RunAgentInputSchema) as (
  body: object,
) => body is RunAgentInput;

function conformed(body: object): ParsedRunAgentInput {
  const { value, removed } = prune(
    upgradeBinaryParts(omitOptionalNulls(body, 'RunAgentInput')),
    RunAgentInputSchema,
  );
  return { input: validated(value), ignored: removed };
}

function validated(value: unknown): RunAgentInput {
  const inList = firstListIssues(value, RunAgentInputSchema);
  if (inList.length > 0) throw new InvalidRunAgentInputError(inList);
  const parsed = RunAgentInputSchema.safeParse(value);
  if (parsed.success) return parsed.data as RunAgentInput;
  throw new InvalidRunAgentInputError(parsed.error.issues.map(inputIssueOf));
}

/** Whoever reads a value must come to its end while others wait. */
function hasMore(value: object, limit: number): boolean {
  const rest: object[] = [value];
  let count = 1;
  for (let one = rest.pop(); one !== undefined; one = rest.pop()) {
    const inside: unknown[] = Object.values(one);
    count += inside.length;
    if (count > limit) return true;
    for (const member of inside)
      if (typeof member === 'object' && member !== null) rest.push(member);
  }
  return false;
}

/** Everything that reads a value by recursion must come to its bottom. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false;
  if (levels === 0) return true;
  for (const name in value)
    if (isDeeper((value as Record<string, unknown>)[name], levels - 1))
      return true;
  return false;
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
