import {
  contentHasMedia,
  contentToText,
  EventType,
  type ContentPart,
  type Message,
} from '@ag-ui/core';
import { AguiErrorCode } from './agui-error.js';
import type { AguiEvent } from './agui-event.js';

/** Optional members that once were required. */
const emptyInput = { tools: [], context: [] };

type OnLoss = (what: string) => void;

/**
 * What a client from before AG-UI 1.0 gets in place of an event: the same, or a lesser form without
 * what its parser refuses (AG-UI: "Versioning", downgrading). Ids, order and outcome stay; what
 * carries content and is lost is reported.
 *
 * @returns undefined if the event has no earlier form.
 */
export function forLegacyPeer(
  event: AguiEvent,
  onLoss: OnLoss,
): AguiEvent | undefined {
  switch (event.type) {
    case EventType.SUBAGENT_STARTED:
    case EventType.SUBAGENT_FINISHED:
    case EventType.SUBAGENT_ERROR:
      onLoss(event.type);
      return undefined;
    case EventType.TOOL_CALL_RESULT:
      return flattened(event, onLoss);
    case EventType.MESSAGES_SNAPSHOT:
      return { ...event, messages: earlierMessages(event.messages, onLoss) };
    case EventType.RUN_STARTED: {
      const { input } = event;
      if (input === undefined) return event;
      const messages = earlierMessages(input.messages, onLoss);
      return {
        ...event,
        input: { ...emptyInput, ...input, messages },
      };
    }
    case EventType.RUN_FINISHED:
      if (event.outcome?.type === 'cancelled')
        return {
          type: EventType.RUN_ERROR,
          message: 'The run was cancelled.',
          code: AguiErrorCode.CANCELLED,
          ...(event.usage !== undefined && { usage: event.usage }),
          ...(event.timestamp !== undefined && { timestamp: event.timestamp }),
        };
      if (event.outcome?.type === 'success')
        return { ...event, outcome: { type: 'success' } };
      return event;
    default:
      return event;
  }
}

function earlierMessages(
  messages: readonly Message[],
  onLoss: OnLoss,
): Message[] {
  return messages.map((message) => {
    if (message.role === 'tool') return flattened(message, onLoss);
    if (message.role !== 'user' || !Array.isArray(message.content))
      return message;
    return { ...message, content: withoutFileHandles(message.content, onLoss) };
  });
}

function flattened<T extends { content: string | ContentPart[] }>(
  carrier: T,
  onLoss: OnLoss,
): T {
  if (typeof carrier.content === 'string') return carrier;
  if (contentHasMedia(carrier.content)) onLoss('media in a tool result');
  return { ...carrier, content: contentToText(carrier.content) };
}

function withoutFileHandles(
  parts: readonly ContentPart[],
  onLoss: OnLoss,
): ContentPart[] {
  return parts.filter((part) => {
    const isKnown = part.type === 'text' || part.source.type !== 'file';
    if (!isKnown) onLoss('a provider file handle');
    return isKnown;
  });
}
