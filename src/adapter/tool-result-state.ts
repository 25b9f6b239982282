import { contentToText, type Message } from '@ag-ui/core';

/** The metadata key under which a tool message says how its call ended, when not in success. */
export const TOOL_RESULT_STATE = 'agui.toolResultState';
/** The metadata key under which a tool result keeps a tool message's error, when it has a content, too. */
export const TOOL_RESULT_ERROR = 'agui.toolResultError';

/** A tool message that says in its `error`, too, that its call failed. */
export function withToolError(message: Message): Message {
  const state: unknown = message.metadata?.[TOOL_RESULT_STATE];
  if (message.role !== 'tool' || typeof state !== 'string') return message;
  return {
    ...message,
    error: message.error ?? (contentToText(message.content) || state),
  };
}
