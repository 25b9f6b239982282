import type { Interrupt, Metadata } from '@ag-ui/core';
import { INTERRUPT_KIND } from '../adapter/interrupts.js';
import type { AgentEvent } from '../agent/agent-event.js';
import { FRONTEND_CALL } from '../agent/interrupt-kind.js';
import type {
  ContentBlock,
  GenerateReason,
  ToolUseBlock,
} from '../agent/msg.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import type { OpenCall, StepEvents } from './step-events.js';

/** What a run ends with when calls are left open: questions to the user, and what is executed elsewhere. */
export function* openEnds(
  { open, asked, suspended, replyId }: StepEvents,
  options: AiSdkAgentOptions,
): Generator<AgentEvent> {
  const calls = [...open.values()];
  const consent = calls.filter(({ toolCallId }) => asked.has(toolCallId));
  if (consent.length > 0)
    yield {
      type: 'REQUIRE_USER_CONFIRM',
      replyId,
      toolCalls: consent.map(toolUseOf),
    };
  for (const call of calls) {
    const { toolCallId, toolName } = call;
    if (asked.has(toolCallId) || suspended.has(toolCallId)) continue;
    const question = options.interruptTools?.find(
      ({ name }) => name === toolName,
    );
    if (question !== undefined)
      yield {
        type: 'INTERRUPT',
        interrupt: {
          ...interruptOf(toolUseOf(call), replyId, 'input_required'),
          message: question.description,
          responseSchema: question.parameters as Record<string, unknown>,
        },
      };
    else if (options.emitInterruptOutcome)
      yield {
        type: 'INTERRUPT',
        interrupt: interruptOf(toolUseOf(call), replyId, 'tool_call', {
          [INTERRUPT_KIND]: FRONTEND_CALL,
        }),
      };
  }
}

/** The event that stops a run for a call which the user has approved and somebody else executes. */
export function suspension(
  call: ToolUseBlock,
  replyId: string,
  message: string,
): AgentEvent {
  const interrupt = interruptOf(call, replyId, 'tool_call');
  return {
    type: 'INTERRUPT',
    interrupt: message === '' ? interrupt : { ...interrupt, message },
  };
}

/** The final message, which says why the run ended. */
export function resultEvent(
  { open, asked, suspended, replyId }: StepEvents,
  finishReason: string | undefined,
): AgentEvent {
  const held = [...open.values()].filter(({ toolCallId }) =>
    suspended.has(toolCallId),
  );
  const content: ContentBlock[] = held.flatMap((call): ContentBlock[] => [
    toolUseOf(call),
    {
      type: 'tool_result',
      id: call.toolCallId,
      name: call.toolName,
      output: [{ type: 'text', text: suspended.get(call.toolCallId)! }],
      state: 'running',
    },
  ]);
  const generateReason = reasonOf(
    held.length,
    asked.size,
    open.size,
    finishReason,
  );
  return {
    type: 'AGENT_RESULT',
    result: { id: replyId, role: 'assistant', content, generateReason },
  };
}

function reasonOf(
  held: number,
  asked: number,
  open: number,
  finishReason: string | undefined,
): GenerateReason {
  if (held > 0) return 'TOOL_SUSPENDED';
  if (asked > 0) return 'PERMISSION_ASKING';
  if (open > 0) return 'TOOL_CALLS';
  return finishReason === 'length' ? 'MAX_TOKENS' : 'MODEL_STOP';
}

function interruptOf(
  { id: toolCallId, name: toolName, input, content }: ToolUseBlock,
  replyId: string,
  reason: string,
  metadata: Metadata = {},
): Interrupt {
  return {
    id: `${replyId}:${toolCallId}`,
    reason,
    toolCallId,
    metadata: {
      ...metadata,
      toolName,
      toolInput: input,
      toolContent: content,
      replyId,
    },
  };
}

function toolUseOf({ toolCallId, toolName, input }: OpenCall): ToolUseBlock {
  return {
    type: 'tool_use',
    id: toolCallId,
    name: toolName,
    input: (input ?? {}) as Record<string, unknown>,
    content: JSON.stringify(input ?? {}),
  };
}
