import { EventType, type BaseEvent, type Message } from '@ag-ui/client';
import { dataOf, frameOf } from './frames';

/**
 * Has the last turn of a restored thread happen again, as events: so the page shows what that turn waits for (an
 * approval, a result of its own tools) as if it had been there all the time.
 */
export function replayLastTurn(): TransformStream<string, string> {
  return new TransformStream({
    transform(frame, controller) {
      const data = dataOf(frame);
      const event = data === undefined ? undefined : JSON.parse(data);
      if (event?.type !== EventType.MESSAGES_SNAPSHOT)
        return controller.enqueue(frame);
      for (const one of replayed(event.messages as Message[]))
        controller.enqueue(frameOf(one));
    },
  });
}

function replayed(messages: Message[]): BaseEvent[] {
  const begin = messages.findLastIndex(({ role }) => role === 'user') + 1;
  const before = messages.slice(0, begin);
  const events = messages.slice(begin).flatMap(eventsOf);
  return [{ type: EventType.MESSAGES_SNAPSHOT, messages: before }, ...events];
}

/** What of a message belongs to a subagent is told by the result of the call that has started it. */
function eventsOf(message: Message): BaseEvent[] {
  if ('subagentRunId' in message) return [];
  const { id: messageId } = message;
  switch (message.role) {
    case 'reasoning':
      return [
        { type: EventType.REASONING_START, messageId },
        {
          type: EventType.REASONING_MESSAGE_START,
          messageId,
          role: 'reasoning',
        },
        {
          type: EventType.REASONING_MESSAGE_CONTENT,
          messageId,
          delta: message.content,
        },
        { type: EventType.REASONING_MESSAGE_END, messageId },
        { type: EventType.REASONING_END, messageId },
      ];
    case 'assistant':
      return [
        ...textEvents(messageId, message.content),
        ...(message.toolCalls ?? []).flatMap((call) =>
          callEvents(messageId, call),
        ),
      ];
    case 'tool': {
      const { toolCallId, content } = message;
      return [
        { type: EventType.TOOL_CALL_RESULT, messageId, toolCallId, content },
      ];
    }
    default:
      return [];
  }
}

function textEvents(messageId: string, delta: unknown): BaseEvent[] {
  if (typeof delta !== 'string' || delta === '') return [];
  return [
    { type: EventType.TEXT_MESSAGE_START, messageId, role: 'assistant' },
    { type: EventType.TEXT_MESSAGE_CONTENT, messageId, delta },
    { type: EventType.TEXT_MESSAGE_END, messageId },
  ];
}

function callEvents(
  parentMessageId: string,
  call: { id: string; function: { name: string; arguments: string } },
): BaseEvent[] {
  const { name, arguments: delta } = call.function;
  const toolCallId = call.id;
  const start = { toolCallId, toolCallName: name, parentMessageId };
  return [
    { type: EventType.TOOL_CALL_START, ...start },
    ...(delta ? [{ type: EventType.TOOL_CALL_ARGS, toolCallId, delta }] : []),
    { type: EventType.TOOL_CALL_END, toolCallId },
  ];
}
