import {
  tool,
  type FlexibleSchema,
  type Tool,
  type ToolExecutionOptions,
} from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';

/** What a tool is given besides its arguments; an AI SDK tool finds it in its second argument. */
export interface ToolCallContext extends ToolExecutionOptions {
  toolCallId: string;
  /** The run's context. */
  context: RuntimeContext;
  /** Fires when the run must stop. */
  signal: AbortSignal;
  /** Says something to the client before the result: `CUSTOM`, `STATE_UPDATE`, `AGUI_EVENT` … */
  emit: (event: AgentEvent) => void;
}

/** A tool for {@link AiSdkAgent}. */
export interface AgentToolDefinition<INPUT, OUTPUT> {
  description?: string;
  /** The arguments: zod, any Standard Schema, or the AI SDK's `jsonSchema()`. */
  inputSchema: FlexibleSchema<INPUT>;
  /** Whether the user is asked before it runs. Default: what the agent's `permission` says. */
  needsApproval?: boolean | ((input: INPUT) => boolean | PromiseLike<boolean>);
  execute(input: INPUT, call: ToolCallContext): OUTPUT | PromiseLike<OUTPUT>;
}

/** An AI SDK tool whose `execute` is typed with what this module gives it. */
export function agentTool<INPUT, OUTPUT>(
  definition: AgentToolDefinition<INPUT, OUTPUT>,
): Tool<INPUT, OUTPUT> {
  return tool(definition as never) as Tool<INPUT, OUTPUT>;
}
