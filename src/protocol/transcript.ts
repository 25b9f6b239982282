import {
  EventType,
  mergeMetadata,
  type ActivityMessage,
  type AssistantMessage,
  type Message,
  type Metadata,
  type ReasoningMessage,
  type ToolCall,
  type ToolMessage,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
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
  private held: Message[] = [];
  private readonly byId = new Map<string, Message>();
  private readonly calls = new Map<string, ToolCall>();

  constructor(
    history: readonly Message[],
    private readonly options: TranscriptOptions = {},
  ) {
    this.take(history);
  }

  /** All messages, in their order. */
  messages(): Message[] {
    return [...this.held];
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
        return this.replaceBy(event.messages);
      case EventType.ACTIVITY_SNAPSHOT:
      case EventType.ACTIVITY_DELTA:
        if (this.options.activities) this.act(event);
    }
  }

  /** Messages that are there already stay in their places; reasoning stays if there is none in the snapshot. */
  private replaceBy(messages: readonly Message[]): void {
    const told = new Map(messages.map((message) => [message.id, message]));
    const tellsReasoning = messages.some(({ role }) => role === 'reasoning');
    const kept = this.held
      .filter(
        ({ id, role }) =>
          told.has(id) || (role === 'reasoning' && !tellsReasoning),
      )
      .map((message) => told.get(message.id) ?? message);
    const old = new Set(kept.map(({ id }) => id));
    this.held = [];
    this.byId.clear();
    this.calls.clear();
    this.take([...kept, ...messages.filter(({ id }) => !old.has(id))]);
  }

  private take(messages: readonly Message[]): void {
    for (const message of messages) {
      if (message.role === 'activity' && !this.options.activities) continue;
      const copy = { ...message };
      this.add(copy);
      if (copy.role !== 'assistant' || copy.toolCalls === undefined) continue;
      copy.toolCalls = copy.toolCalls.map((call) => ({
        ...call,
        function: { ...call.function },
      }));
      for (const call of copy.toolCalls)
        if (!this.calls.has(call.id)) this.calls.set(call.id, call);
    }
  }

  /** Opens a message, or goes on with one that was closed. */
  private open({ metadata }: AguiEvent, message: GrowingMessage): void {
    if (!this.byId.has(message.id)) this.add(message as Message);
    this.extend(message.id, undefined, metadata);
  }

  private extend(
    id: string,
    delta: string | undefined,
    metadata: Metadata | undefined,
  ): void {
    const message = this.byId.get(id) as GrowingMessage | undefined;
    if (message === undefined) return;
    if (delta !== undefined) message.content = (message.content ?? '') + delta;
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

  private act(
    event: Extract<
      AguiEvent,
      { type: EventType.ACTIVITY_SNAPSHOT | EventType.ACTIVITY_DELTA }
    >,
  ): void {
    const { messageId: id, activityType } = event;
    const held = this.byId.get(id) as ActivityMessage | undefined;
    if (event.type === EventType.ACTIVITY_DELTA) {
      if (held) held.content = patched(held.content, event.patch);
      return;
    }
    const { content, replace, subagentRunId } = event;
    if (held === undefined)
      this.add({
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
    const known = this.calls.get(id);
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
    this.calls.set(id, call);
    const parentId = event.parentMessageId || id;
    const parent = this.byId.get(parentId) as AssistantMessage | undefined;
    if (parent !== undefined)
      parent.toolCalls = [...(parent.toolCalls ?? []), call];
    else
      this.add({
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
    this.add(message, this.placeOfResult(toolCallId));
  }

  /** Results stand behind the message with their calls, in the order of their coming. */
  private placeOfResult(toolCallId: string): number {
    const call = this.calls.get(toolCallId);
    const asked = this.held.findIndex(
      (one) =>
        one.role === 'assistant' && one.toolCalls?.some((own) => own === call),
    );
    if (asked < 0) return this.held.length;
    const after = this.held.findIndex(
      ({ role }, index) => index > asked && role !== 'tool',
    );
    return after < 0 ? this.held.length : after;
  }

  private add(message: Message, place = this.held.length): void {
    this.held.splice(place, 0, message);
    this.byId.set(message.id, message);
  }
}
