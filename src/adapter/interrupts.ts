import type { Interrupt } from '@ag-ui/core';
import {
  textOf,
  type Msg,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agent/msg.js';
import { AguiError } from '../protocol/agui-error.js';
import type { AguiStreamContext } from './agui-stream-context.js';
import { argumentsOf } from './tool-arguments.js';
import { toolNameOf } from './tool-calls.js';

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

/** A call that waits for its result, and the interrupt that asks for it. */
export interface SuspendedCall {
  call: ToolUseBlock;
  interrupt: Interrupt;
}

/**
 * The interrupt that asks the user whether a tool call may run (AgentScope: "HITL Interrupts").
 *
 * @throws AguiError if the call has no id.
 */
export function confirmInterrupt(
  replyId: string | undefined,
  call: ToolUseBlock,
): Interrupt {
  return {
    ...interruptOf(call, replyId),
    message: `May the tool "${toolNameOf(call.name)}" run?`,
    responseSchema: CONFIRM_SCHEMA,
    metadata: {
      [INTERRUPT_KIND]: PERMISSION_CONFIRM,
      ...callMetadata(call, replyId),
    },
  };
}

/**
 * The calls of an agent that stopped because tools are executed elsewhere. Frontend tools are not
 * among them: they pend, and are answered by the next run's messages.
 *
 * @throws AguiError if a suspended call has no id.
 */
export function suspendedCalls(
  result: Msg | undefined,
  { runtimeContext }: AguiStreamContext,
): SuspendedCall[] {
  if (result?.generateReason !== 'TOOL_SUSPENDED') return [];
  return result.content
    .filter((block) => block.type === 'tool_result')
    .filter(({ state }) => state === 'running')
    .map((block) => ({ block, call: callOf(block, result) }))
    .filter(({ call }) => !runtimeContext.toolkit.get(call.name)?.frontend)
    .map(({ block, call }) => {
      const message = textOf(block.output ?? []);
      const interrupt = {
        ...interruptOf(call, result.id),
        ...(message && { message }),
        metadata: callMetadata(call, result.id),
      };
      return { call, interrupt };
    });
}

function interruptOf(
  call: ToolUseBlock,
  replyId: string | undefined,
): Interrupt {
  if (!call.id?.trim())
    throw new AguiError(
      `The tool "${toolNameOf(call.name)}" waits for an answer but its call has no id, so nobody could give one.`,
    );
  return {
    id: replyId ? `${replyId}:${call.id}` : call.id,
    reason: 'tool_call',
    toolCallId: call.id,
  };
}

/** The call that a result belongs to, as far as the message tells. */
function callOf({ id, name }: ToolResultBlock, message: Msg): ToolUseBlock {
  return (
    message.content
      .filter((block) => block.type === 'tool_use')
      .find((call) => call.id === id) ?? {
      type: 'tool_use',
      id,
      name,
      input: {},
      content: '{}',
    }
  );
}

function callMetadata(call: ToolUseBlock, replyId: string | undefined) {
  const { input, content } = argumentsOf(call.content, call.input);
  return {
    toolName: toolNameOf(call.name),
    toolInput: input,
    toolContent: content,
    ...(replyId && { replyId }),
  };
}
