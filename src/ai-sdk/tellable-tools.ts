import type { Tool, ToolSet } from 'ai';
import { asError, jsonOf } from './tool-report.js';

type Execute = NonNullable<Tool['execute']>;
type ModelOutput = Awaited<ReturnType<NonNullable<Tool['toModelOutput']>>>;

/**
 * The same tools in a form that everybody can be told of: a call waits until the client has heard of
 * it, so that what the tool says comes behind it; and the model can be told of whatever it gives or
 * throws.
 */
export function tellable(
  tools: ToolSet,
  announced: (toolCallId: string) => Promise<void>,
): ToolSet {
  // Without a prototype: the model may call `constructor`, which is no tool.
  const told = Object.create(null) as ToolSet;
  for (const [name, tool] of Object.entries(tools))
    told[name] =
      tool.execute === undefined
        ? tool
        : ({
            toModelOutput: ({ output }) => modelOutputOf(output),
            ...tool,
            execute: executeWhen(announced, tool.execute),
          } satisfies Tool as Tool);
  return told;
}

function executeWhen(
  announced: (toolCallId: string) => Promise<void>,
  execute: Execute,
): Execute {
  return async (input: unknown, call): Promise<unknown> => {
    await announced(call.toolCallId);
    try {
      return await execute(input as never, call);
    } catch (thrown) {
      throw asError(thrown);
    }
  };
}

function modelOutputOf(output: unknown): ModelOutput {
  return typeof output === 'string'
    ? { type: 'text', value: output }
    : { type: 'json', value: JSON.parse(jsonOf(output ?? null)) as never };
}
