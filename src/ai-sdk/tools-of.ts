import type { Tool, ToolSet } from 'ai';
import { agentTool, type ToolCallContext } from './agent-tool.js';
import { toolMethodsOf, type ToolMethod } from './agui-tool.decorator.js';
import { schemaOf } from './tool-schema.js';

/** The tools among a provider's methods, by name. @throws TypeError if two have one name. */
export function toolsOf(provider: object): ToolSet {
  return mergeTools([provider]);
}

/** The tools of several providers. @throws TypeError if two have one name. */
export function mergeTools(providers: readonly object[]): ToolSet {
  const tools: ToolSet = {};
  for (const provider of providers)
    for (const method of toolMethodsOf(provider)) {
      const name = method.options.name ?? method.method;
      if (Object.hasOwn(tools, name))
        throw new TypeError(
          `Two tools are named "${name}"; give ${provider.constructor.name}.${method.method} another name in @AguiTool({ name }).`,
        );
      tools[name] = toolOf(provider, method);
    }
  return tools;
}

function toolOf(provider: object, { method, options }: ToolMethod): Tool {
  const { description, parameters, needsApproval } = options;
  return agentTool<unknown, unknown>({
    description,
    inputSchema: schemaOf(parameters),
    needsApproval: needsApproval as boolean | ((input: unknown) => boolean),
    execute: (input, call) =>
      (
        provider as Record<
          string,
          (input: unknown, call: ToolCallContext) => unknown
        >
      )[method]!(input, call),
  }) as Tool;
}
