import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';

type TextEvent = AgentEventOf<
  'TEXT_BLOCK_START' | 'TEXT_BLOCK_DELTA' | 'TEXT_BLOCK_END'
>;

/** Text blocks become assistant messages, opened by the first delta that says something. */
export const textBlockConverter: AgentEventConverter<TextEvent> = {
  eventTypes: () => ['TEXT_BLOCK_START', 'TEXT_BLOCK_DELTA', 'TEXT_BLOCK_END'],
  convert(event, context) {
    const reply = context.reply(event.replyId);
    let messageId = reply.texts.get(event.blockId);
    if (event.type === 'TEXT_BLOCK_DELTA') {
      if (!event.delta) return;
      if (messageId === undefined) {
        context.emitAll(context.lane.endThoughts(reply));
        messageId = reply.nextText();
        reply.texts.set(event.blockId, messageId);
        context.emit({
          type: EventType.TEXT_MESSAGE_START,
          messageId,
          role: 'assistant',
        });
      }
      const { delta } = event;
      context.emit({ type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta });
    } else if (event.type === 'TEXT_BLOCK_END' && messageId !== undefined) {
      reply.texts.delete(event.blockId);
      context.emit({ type: EventType.TEXT_MESSAGE_END, messageId });
    }
  },
};
