import type { Interrupt, Message, ResumeEntry } from '@ag-ui/core';
import type { ConfirmResult } from '../agent/agent-event.js';
import type { Msg, ToolUseBlock } from '../agent/msg.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import {
  CONFIRM_RESULTS,
  INTERRUPT_ID,
  RESUME_STATUS,
} from './answer-metadata.js';
import { INTERRUPT_KIND, PERMISSION_CONFIRM } from './interrupts.js';
import { argumentsOf, isPlainObject } from './tool-arguments.js';

/**
 * The messages that carry the user's answers to the agent. What is approved is what this server
 * recorded when it asked, or the user's edited arguments; nothing else of the client's is believed.
 *
 * @throws AguiError with `INVALID_INPUT_ERROR` if edited arguments are no object.
 */
export function resumeMessages(
  entries: readonly ResumeEntry[],
  recorded: readonly Interrupt[],
): Msg[] {
  const interrupts = new Map(recorded.map((i) => [i.id, i]));
  return entries.flatMap((entry) => {
    const interrupt = interrupts.get(entry.interruptId);
    if (interrupt === undefined) return [];
    return interrupt.metadata?.[INTERRUPT_KIND] === PERMISSION_CONFIRM
      ? [confirmMessage(entry, interrupt)]
      : [toolResultMessage(entry, interrupt)];
  });
}

/**
 * The messages without tool messages for the calls that interrupts are about. Some clients repeat
 * their answer as one; it is no result, and a call has one only.
 */
export function withoutEchoes(
  messages: readonly Message[],
  interrupts: readonly Interrupt[],
): Message[] {
  const calls = new Set(interrupts.map(({ toolCallId }) => toolCallId));
  return messages.filter(
    (message) => message.role !== 'tool' || !calls.has(message.toolCallId),
  );
}

function toolResultMessage(entry: ResumeEntry, interrupt: Interrupt): Msg {
  const cancelled = entry.status === 'cancelled';
  const metadata = {
    [INTERRUPT_ID]: entry.interruptId,
    [RESUME_STATUS]: entry.status,
  };
  return {
    id: `agui-resume-${entry.interruptId}`,
    role: 'tool',
    metadata,
    content: [
      {
        type: 'tool_result',
        id: interrupt.toolCallId ?? interrupt.id,
        name: toolNameOf(interrupt),
        output: [
          {
            type: 'text',
            text: cancelled
              ? 'Interrupt cancelled by user'
              : textOfPayload(entry.payload),
          },
        ],
        state: cancelled ? 'interrupted' : 'success',
        metadata,
      },
    ],
  };
}

function confirmMessage(entry: ResumeEntry, interrupt: Interrupt): Msg {
  const payload = isPlainObject(entry.payload) ? entry.payload : {};
  const confirmed = entry.status === 'resolved' && payload['approved'] === true;
  const result: ConfirmResult = {
    confirmed,
    toolCall: recordedCall(interrupt, payload['editedArgs']),
    ...(typeof payload['reason'] === 'string' && {
      reason: payload['reason'],
    }),
  };
  return {
    id: `agui-confirm-${entry.interruptId}`,
    role: 'user',
    content: [{ type: 'text', text: confirmed ? 'approved' : 'denied' }],
    metadata: {
      [INTERRUPT_ID]: entry.interruptId,
      [RESUME_STATUS]: entry.status,
      [CONFIRM_RESULTS]: [result],
    },
  };
}

function recordedCall(interrupt: Interrupt, editedArgs: unknown): ToolUseBlock {
  if (editedArgs !== undefined && !isPlainObject(editedArgs))
    throw new AguiError(
      `The edited arguments for interrupt "${interrupt.id}" must be a JSON object.`,
      AguiErrorCode.INVALID_INPUT_ERROR,
    );
  const recorded = argumentsOf(
    interrupt.metadata?.['toolContent'] as string | undefined,
    isPlainObject(interrupt.metadata?.['toolInput'])
      ? interrupt.metadata['toolInput']
      : {},
  );
  return {
    type: 'tool_use',
    id: interrupt.toolCallId ?? interrupt.id,
    name: toolNameOf(interrupt),
    ...(editedArgs === undefined
      ? recorded
      : { input: editedArgs, content: JSON.stringify(editedArgs) }),
  };
}

function toolNameOf(interrupt: Interrupt): string {
  const name: unknown = interrupt.metadata?.['toolName'];
  return typeof name === 'string' ? name : 'unknown';
}

function textOfPayload(payload: unknown): string {
  if (payload === undefined || payload === null) return '';
  return typeof payload === 'string' ? payload : JSON.stringify(payload);
}
