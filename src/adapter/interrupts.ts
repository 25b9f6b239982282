import type { Interrupt } from '@ag-ui/core';
import type { AgentEventOf } from '../agent/agent-event.js';
import {
  textOf,
  type Msg,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agent/msg.js';
import { AguiError } from '../protocol/agui-error.js';
import type { AguiStreamContext } from './agui-stream-context.js';
import { argumentsOf } from './tool-arguments.js';

/** The metadata key that tells a permission confirm from a suspended tool. */
export const INTERRUPT_KIND = 'agentscope.interruptKind';
/** Its value for a permission confirm. */
export const PERMISSION_CONFIRM = 'permission_confirm';

const CONFIRM_SCHEMA = {
  type: 'object',
  properties: {
    approved: { type: 'boolean' },
    editedArgs: {
      type: 'object',
      description: 'Replaces the arguments as a whole; it is not merged.',
    },
  },
  required: ['approved'],
};

/** The interrupt that asks the user whether a tool call may run (seed: "HITL Interrupts"). */
export function confirmInterrupt(
  replyId: string | undefined,
  call: ToolUseBlock,
  context: AguiStreamContext,
): Interrupt {
  return {
    id: replyId ? `${replyId}:${call.id}` : call.id,
    reason: 'tool_call',
    toolCallId: call.id,
    message: `May the tool "${call.name}" run?`,
    responseSchema: CONFIRM_SCHEMA,
    metadata: {
      [INTERRUPT_KIND]: PERMISSION_CONFIRM,
      ...callMetadata(call, replyId),
    },
    ...attribution(context),
  };
}

/**
 * The interrupts of an agent that stopped because tools are executed elsewhere. Frontend tools are
 * none: they pend, and are answered by the next run's messages.
 *
 * @throws AguiError if a suspended call has no id.
 */
export function suspendedToolInterrupts(
  { result }: AgentEventOf<'AGENT_RESULT'>,
  context: AguiStreamContext,
): Interrupt[] {
  if (result?.generateReason !== 'TOOL_SUSPENDED') return [];
  return result.content
    .filter((block) => block.type === 'tool_result')
    .filter(({ state }) => state === 'running')
    .filter(({ name }) => !context.runtimeContext.toolkit.get(name)?.frontend)
    .map((block) => suspendedToolInterrupt(block, result, context));
}

function suspendedToolInterrupt(
  block: ToolResultBlock,
  message: Msg,
  context: AguiStreamContext,
): Interrupt {
  if (!block.id?.trim())
    throw new AguiError(
      `The suspended tool "${block.name}" has no tool call id, so nobody could answer it.`,
    );
  const call = message.content
    .filter((other) => other.type === 'tool_use')
    .find(({ id }) => id === block.id) ?? {
    type: 'tool_use',
    id: block.id,
    name: block.name,
    input: {},
    content: '{}',
  };
  const text = textOf(block.output);
  return {
    id: `${message.id}:${block.id}`,
    reason: 'tool_call',
    toolCallId: block.id,
    ...(text && { message: text }),
    metadata: callMetadata(call, message.id),
    ...attribution(context),
  };
}

function callMetadata(call: ToolUseBlock, replyId: string | undefined) {
  const { input, content } = argumentsOf(call.content, call.input);
  return {
    toolName: call.name,
    toolInput: input,
    toolContent: content,
    ...(replyId && { replyId }),
  };
}

function attribution({ lane }: AguiStreamContext): Partial<Interrupt> {
  return lane.subagentRunId === undefined
    ? {}
    : { subagentRunId: lane.subagentRunId };
}
