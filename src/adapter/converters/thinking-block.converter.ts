import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';

type ThinkingEvent = AgentEventOf<
  'THINKING_BLOCK_START' | 'THINKING_BLOCK_DELTA' | 'THINKING_BLOCK_END'
>;

/** Thinking blocks become reasoning messages in a span of their own, if reasoning is enabled. */
export const thinkingBlockConverter: AgentEventConverter<ThinkingEvent> = {
  eventTypes: () => [
    'THINKING_BLOCK_START',
    'THINKING_BLOCK_DELTA',
    'THINKING_BLOCK_END',
  ],
  convert(event, context) {
    if (!context.config.enableReasoning) return;
    if (event.type === 'THINKING_BLOCK_START')
      context.reply(event.replyId).cutShort.delete(event.blockId);
    if (event.type === 'THINKING_BLOCK_DELTA' && event.delta) {
      const messageId = open(event, context);
      const { delta } = event;
      context.emit({
        type: EventType.REASONING_MESSAGE_CONTENT,
        messageId,
        delta,
      });
    }
    if (event.type === 'THINKING_BLOCK_END') end(event, context);
  },
};

function open(event: ThinkingEvent, context: AguiStreamContext): string {
  const reply = context.reply(event.replyId);
  const known = reply.thoughts.get(event.blockId);
  if (known !== undefined) return known;
  context.emitAll(context.lane.endTexts(reply));
  const messageId = reply.nextThought();
  reply.thoughts.set(event.blockId, messageId);
  context.emit({ type: EventType.REASONING_START, messageId });
  context.emit({
    type: EventType.REASONING_MESSAGE_START,
    messageId,
    role: 'reasoning',
  });
  return messageId;
}

function end(
  event: AgentEventOf<'THINKING_BLOCK_END'>,
  context: AguiStreamContext,
): void {
  const { blockId, encryptedValue } = event;
  const reply = context.reply(event.replyId);
  const before = reply.cutShort.get(blockId);
  reply.cutShort.delete(blockId);
  // A provider may keep the thoughts to itself and hand out the sealed ones only.
  if (encryptedValue && before === undefined) open(event, context);
  const messageId = reply.thoughts.get(blockId);
  reply.thoughts.delete(blockId);
  if (messageId !== undefined)
    context.emit({ type: EventType.REASONING_MESSAGE_END, messageId });
  if (encryptedValue)
    context.emit({
      type: EventType.REASONING_ENCRYPTED_VALUE,
      subtype: 'message',
      entityId: (messageId ?? before)!,
      encryptedValue,
    });
  if (messageId !== undefined)
    context.emit({ type: EventType.REASONING_END, messageId });
}
