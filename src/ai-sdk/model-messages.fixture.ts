import type { Message } from '@ag-ui/core';
import type { ModelMessage } from 'ai';
import { AguiMessageConverter } from '../adapter/agui-message-converter.js';
import type { Msg } from '../agent/msg.js';
import { toModelMessages, type ReasoningHistory } from './model-messages.js';

export interface Converted {
  messages: ModelMessage[];
  repairs: string[];
}

/** What the model gets of a conversation as clients send it. */
export function converted(
  messages: (Partial<Message> & { role: string })[],
  reasoning: ReasoningHistory = 'tags',
): Converted {
  const given = messages.map((message, index) => ({
    id: `m${index}`,
    ...message,
  }));
  return convertedMsgs(
    new AguiMessageConverter().toMsgs(given as Message[]),
    reasoning,
  );
}

export function convertedMsgs(
  msgs: Msg[],
  reasoning: ReasoningHistory = 'tags',
): Converted {
  const repairs: string[] = [];
  const messages = toModelMessages(msgs, reasoning, (what) =>
    repairs.push(what),
  );
  return { messages, repairs };
}

export const user = (content: unknown) => ({ role: 'user', content }) as never;

export const assistant = (content: string | undefined, ...calls: string[]) =>
  ({
    role: 'assistant',
    content,
    ...(calls.length > 0 && {
      toolCalls: calls.map((id) => ({
        id,
        type: 'function',
        function: { name: `tool-of-${id}`, arguments: '{"a":1}' },
      })),
    }),
  }) as never;

export const tool = (toolCallId: string, content: unknown, rest = {}) =>
  ({ role: 'tool', toolCallId, content, ...rest }) as never;

export const reasoning = (content: string, encryptedValue?: string) =>
  ({ role: 'reasoning', content, encryptedValue }) as never;

export const text = (said: string) => ({ type: 'text', text: said });

export const call = (id: string) => ({
  type: 'tool-call',
  toolCallId: id,
  toolName: `tool-of-${id}`,
  input: { a: 1 },
});

export const result = (id: string, output: unknown) => ({
  type: 'tool-result',
  toolCallId: id,
  toolName: `tool-of-${id}`,
  output,
});
