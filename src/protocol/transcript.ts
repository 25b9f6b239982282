import {
  EventType,
  mergeMetadata,
  type AssistantMessage,
  type Message,
  type Metadata,
  type ReasoningMessage,
  type ToolCall,
  type ToolMessage,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';

/** A message as it grows; its content is text. */
type GrowingMessage = Exclude<Message, { role: 'activity' | 'tool' }> & {
  content?: string;
};

/** The conversation that a client holds: what it sent, and what the events of a run have made of it. */
export class Transcript {
  private readonly byId = new Map<string, Message>();
  private readonly calls = new Map<string, ToolCall>();

  constructor(history: readonly Message[]) {
    this.take(history);
  }

  /** All messages, in their order. */
  messages(): Message[] {
    return [...this.byId.values()];
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
        return this.extend(event.messageId, '', event.metadata);
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
        this.byId.clear();
        this.calls.clear();
        return this.take(event.messages);
    }
  }

  private take(messages: readonly Message[]): void {
    for (const message of messages) {
      const copy = { ...message };
      this.byId.set(copy.id, copy);
      if (copy.role === 'assistant') {
        copy.toolCalls = copy.toolCalls?.map((call) => ({
          ...call,
          function: { ...call.function },
        }));
        for (const call of copy.toolCalls ?? []) this.calls.set(call.id, call);
      }
    }
  }

  /** Opens a message, or goes on with one that was closed. */
  private open({ metadata }: AguiEvent, message: GrowingMessage): void {
    if (!this.byId.has(message.id))
      this.byId.set(message.id, message as Message);
    this.extend(message.id, '', metadata);
  }

  private extend(
    id: string,
    delta: string,
    metadata: Metadata | undefined,
  ): void {
    const message = this.byId.get(id) as GrowingMessage | undefined;
    if (message === undefined) return;
    if (delta !== '') message.content = (message.content ?? '') + delta;
    if (metadata !== undefined)
      message.metadata = mergeMetadata(message.metadata, metadata);
  }

  private seal(subtype: string, id: string, encryptedValue: string): void {
    const entity =
      subtype === 'tool-call'
        ? this.calls.get(id)
        : (this.byId.get(id) as ReasoningMessage | undefined);
    if (entity !== undefined) entity.encryptedValue = encryptedValue;
  }

  private call(
    event: Extract<AguiEvent, { type: EventType.TOOL_CALL_START }>,
  ): void {
    const { toolCallId: id, toolCallName: name, subagentRunId } = event;
    if (this.calls.has(id)) return;
    const call: ToolCall = {
      id,
      type: 'function',
      function: { name, arguments: '' },
      ...(event.metadata !== undefined && { metadata: event.metadata }),
    };
    this.calls.set(id, call);
    const parentId = event.parentMessageId ?? id;
    const parent = this.byId.get(parentId) as AssistantMessage | undefined;
    if (parent !== undefined)
      parent.toolCalls = [...(parent.toolCalls ?? []), call];
    else
      this.byId.set(parentId, {
        id: parentId,
        role: 'assistant',
        toolCalls: [call],
        ...(subagentRunId !== undefined && { subagentRunId }),
      });
  }

  private extendCall(
    id: string,
    delta: string,
    metadata: Metadata | undefined,
  ): void {
    const call = this.calls.get(id);
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
    this.byId.set(id, message);
  }
}
