import { contentHasMedia, contentToText, EventType } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { AguiErrorCode } from './agui-error.js';

/**
 * What a client from before AG-UI 1.0 gets in place of an event: the same, or a lesser form without
 * what its parser refuses (AG-UI: "Versioning", downgrading). Ids, order and outcome stay; what
 * carries content and is lost is reported.
 *
 * @returns undefined if the event has no earlier form.
 */
export function forLegacyPeer(
  event: AguiEvent,
  onLoss: (what: string) => void,
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
      return {
        ...event,
        messages: event.messages.map((message) =>
          message.role === 'tool' ? flattened(message, onLoss) : message,
        ),
      };
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

function flattened<T extends { content: Parameters<typeof contentToText>[0] }>(
  carrier: T,
  onLoss: (what: string) => void,
): T {
  if (typeof carrier.content === 'string') return carrier;
  if (contentHasMedia(carrier.content)) onLoss('media in a tool result');
  return { ...carrier, content: contentToText(carrier.content) };
}
