import {
  EventType,
  mergeMetadata,
  type ActivityMessage,
  type Message,
  type Metadata,
  type ReasoningMessage,
  type ToolCall,
  type ToolMessage,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { HeldMessages } from './held-messages.js';
import { patched } from './held-state.js';

/** A message as it grows; its content is text. */
type GrowingMessage = Exclude<Message, { role: 'activity' | 'tool' }> & {
  content?: string;
};

/** How a conversation is kept. */
export interface TranscriptOptions {
  /**
   * Keeps activities as well. Default false: they are a client's own affair, and a snapshot with one
   * of them would delete the others.
   */
  activities?: boolean;
}

/** The conversation that a client holds: what it sent, and what the events of a run have made of it. */
export class Transcript {
  private readonly held: HeldMessages;

  constructor(
    history: readonly Message[],
    private readonly options: TranscriptOptions = {},
  ) {
    this.held = new HeldMessages(options.activities ?? false);
    this.held.take(history);
  }

  /** All messages, in their order. */
  messages(): Message[] {
    return this.held.all();
  }

  /** Takes in an event that has left; the events make a legal stream. */
  apply(event: AguiEvent): void {
    switch (event.type) {
      case EventType.TEXT_MESSAGE_START: {
        const {
          messageId: id,
          role = 'assistant',
          name,
          subagentRunId,
        } = event;
        return this.open(event, {
          id,
          role,
          content: '',
          ...(name !== undefined && { name }),
          ...(subagentRunId !== undefined && { subagentRunId }),
        } as GrowingMessage);
      }
      case EventType.REASONING_MESSAGE_START: {
        const { messageId: id, subagentRunId } = event;
        return this.open(event, {
          id,
          role: 'reasoning',
          content: '',
          ...(subagentRunId !== undefined && { subagentRunId }),
        });
      }
      case EventType.TEXT_MESSAGE_CONTENT:
      case EventType.REASONING_MESSAGE_CONTENT:
        return this.extend(event.messageId, event.delta, event.metadata);
      case EventType.TEXT_MESSAGE_END:
      case EventType.REASONING_MESSAGE_END:
        return this.extend(event.messageId, undefined, event.metadata);
      case EventType.REASONING_ENCRYPTED_VALUE:
        return this.seal(event.subtype, event.entityId, event.encryptedValue);
      case EventType.TOOL_CALL_START:
        return this.call(event);
      case EventType.TOOL_CALL_ARGS:
        return this.extendCall(event.toolCallId, event.delta, event.metadata);
      case EventType.TOOL_CALL_END:
        return this.extendCall(event.toolCallId, '', event.metadata);
      case EventType.TOOL_CALL_RESULT:
        return this.result(event);
      case EventType.MESSAGES_SNAPSHOT:
        return this.held.replaceBy(event.messages);
      case EventType.ACTIVITY_SNAPSHOT:
      case EventType.ACTIVITY_DELTA:
        if (this.options.activities) this.act(event);
    }
  }

  /** Opens a message, or goes on with one that was closed. */
  private open({ metadata }: AguiEvent, message: GrowingMessage): void {
    if (this.held.get(message.id) === undefined)
      this.held.add(message as Message);
    this.extend(message.id, undefined, metadata);
  }

  private extend(
    id: string,
    delta: string | undefined,
    metadata: Metadata | undefined,
  ): void {
    const message = this.held.get(id) as GrowingMessage | undefined;
    if (message === undefined) return;
    if (delta !== undefined) message.content = (message.content ?? '') + delta;
    if (metadata !== undefined)
      message.metadata = mergeMetadata(message.metadata, metadata);
  }

  private seal(subtype: string, id: string, encryptedValue: string): void {
    const entity =
      subtype === 'tool-call'
        ? this.held.call(id)
        : (this.held.get(id) as ReasoningMessage | undefined);
    if (entity !== undefined) entity.encryptedValue = encryptedValue;
  }

  private act(
    event: Extract<
      AguiEvent,
      { type: EventType.ACTIVITY_SNAPSHOT | EventType.ACTIVITY_DELTA }
    >,
  ): void {
    const { messageId: id, activityType } = event;
    const held = this.held.get(id) as ActivityMessage | undefined;
    if (event.type === EventType.ACTIVITY_DELTA) {
      if (held) held.content = patched(held.content, event.patch);
      return;
    }
    const { content, replace, subagentRunId } = event;
    if (held === undefined)
      this.held.add({
        id,
        role: 'activity',
        activityType,
        content,
        ...(subagentRunId !== undefined && { subagentRunId }),
      });
    else if (replace !== false) Object.assign(held, { activityType, content });
  }

  private call(
    event: Extract<AguiEvent, { type: EventType.TOOL_CALL_START }>,
  ): void {
    const { toolCallId: id, toolCallName: name, subagentRunId } = event;
    const known = this.held.call(id);
    if (known !== undefined) {
      known.function.name = name;
      return this.extendCall(id, '', event.metadata);
    }
    const call: ToolCall = {
      id,
      type: 'function',
      function: { name, arguments: '' },
      ...(event.metadata !== undefined && { metadata: event.metadata }),
    };
    this.held.addCall(call, event.parentMessageId || id, {
      ...(subagentRunId !== undefined && { subagentRunId }),
    });
  }

  private extendCall(
    id: string,
    delta: string,
    metadata: Metadata | undefined,
  ): void {
    const call = this.held.call(id);
    if (call === undefined) return;
    call.function.arguments += delta;
    if (metadata !== undefined)
      call.metadata = mergeMetadata(call.metadata, metadata);
  }

  private result(
    event: Extract<AguiEvent, { type: EventType.TOOL_CALL_RESULT }>,
  ): void {
    const {
      messageId: id,
      toolCallId,
      content,
      metadata,
      subagentRunId,
    } = event;
    const message: ToolMessage = {
      id,
      role: 'tool',
      toolCallId,
      content,
      ...(metadata !== undefined && { metadata }),
      ...(subagentRunId !== undefined && { subagentRunId }),
    };
    this.held.addResult(message);
  }
}
