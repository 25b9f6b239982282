import type { Type } from '@nestjs/common';
import type { FlexibleSchema } from 'ai';

const TOOLS = Symbol.for('nestjs-agui:tools');

/** What `@AguiTool` says of a method. */
export interface AguiToolOptions {
  /** Default: the method's name. */
  name?: string;
  /** What the model is told. */
  description: string;
  /**
   * The arguments: zod or any other Standard Schema, the AI SDK's `jsonSchema()`, or a class with
   * class-validator's decorators. Default: none.
   */
  parameters?: FlexibleSchema<unknown> | Type;
  /** Whether the user is asked before it runs. Default false. */
  needsApproval?: boolean | ((input: never) => boolean | PromiseLike<boolean>);
}

/** A method that is a tool. */
export interface ToolMethod {
  method: string;
  options: AguiToolOptions;
}

/**
 * Makes a provider's method a tool: `toolsOf(provider)` gives it to an {@link AiSdkAgent}, and
 * `AiSdkAgentModule` finds those of all providers. The method is called with the checked arguments
 * and a {@link ToolCallContext}.
 *
 * @example
 * ```ts
 * @AguiTool({ description: 'Tells the weather', parameters: z.object({ city: z.string() }) })
 * weather({ city }: { city: string }, { signal }: ToolCallContext) { … }
 * ```
 */
export const AguiTool =
  (options: AguiToolOptions): MethodDecorator =>
  (target, method) => {
    const known = toolMethodsOf(target).filter(
      (tool) => tool.method !== String(method),
    );
    Reflect.defineMetadata(
      TOOLS,
      [...known, { method: String(method), options }],
      target,
    );
  };

/** The tool methods of a prototype and of those it inherits from. */
export function toolMethodsOf(prototype: object): readonly ToolMethod[] {
  return (Reflect.getMetadata(TOOLS, prototype) as ToolMethod[]) ?? [];
}
