import {
  EventType,
  type ReasoningMessageChunkEvent,
  type TextMessageChunkEvent,
  type ToolCallChunkEvent,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';

type ChunkEvent =
  TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent;

type ChunkType = ChunkEvent['type'];

interface OpenStream {
  type: ChunkType;
  id: string;
}

const END_TYPES = {
  [EventType.TEXT_MESSAGE_CHUNK]: EventType.TEXT_MESSAGE_END,
  [EventType.TOOL_CALL_CHUNK]: EventType.TOOL_CALL_END,
  [EventType.REASONING_MESSAGE_CHUNK]: EventType.REASONING_MESSAGE_END,
} as const;

/** Events that stand aside from a chunk stream and do not end it. */
const BYSTANDERS: ReadonlySet<EventType> = new Set([
  EventType.RAW,
  EventType.ACTIVITY_SNAPSHOT,
  EventType.ACTIVITY_DELTA,
  EventType.REASONING_ENCRYPTED_VALUE,
  EventType.SUBAGENT_STARTED,
]);

/** Events that end the chunk streams of every lane. */
const RUN_WIDE: ReadonlySet<EventType> = new Set([
  EventType.RUN_STARTED,
  EventType.RUN_FINISHED,
  EventType.RUN_ERROR,
  EventType.MESSAGES_SNAPSHOT,
]);

export function isChunk(event: AguiEvent): event is ChunkEvent {
  return event.type in END_TYPES;
}

/**
 * Spells chunks out as start, content and end (AG-UI: "Streaming Messages"), so that the two
 * spellings never meet in what leaves. One lane for the agent and one for each subagent.
 */
export class ChunkExpander {
  private readonly lanes = new Map<string | undefined, OpenStream>();

  /** What a chunk stands for; undefined if it continues nothing that can be told. */
  expand(chunk: ChunkEvent): AguiEvent[] | undefined {
    const id = 'toolCallId' in chunk ? chunk.toolCallId : messageIdOf(chunk);
    const lane = this.laneOf(chunk, id);
    const open = this.lanes.get(lane);
    const common = {
      ...(lane !== undefined && { subagentRunId: lane }),
      ...(chunk.timestamp !== undefined && { timestamp: chunk.timestamp }),
    };
    const rest = {
      ...common,
      ...(chunk.metadata !== undefined && { metadata: chunk.metadata }),
      ...(chunk.rawEvent !== undefined && { rawEvent: chunk.rawEvent }),
    };
    const events: AguiEvent[] = [];
    let stream = open;
    if (open?.type !== chunk.type || (id !== undefined && id !== open.id)) {
      const start = id === undefined ? undefined : startOf(chunk, id, common);
      if (start === undefined) return undefined;
      events.push(...this.close(lane), start);
      stream = { type: chunk.type, id: id! };
      this.lanes.set(lane, stream);
    }
    if (chunk.delta !== undefined || rest.metadata !== undefined)
      events.push(contentOf(chunk, stream!.id, rest));
    return events;
  }

  /** The ends that an ordinary event brings about, to be sent before it. */
  endedBy(event: AguiEvent): AguiEvent[] {
    if (this.lanes.size === 0 || BYSTANDERS.has(event.type)) return [];
    if (RUN_WIDE.has(event.type))
      return [...this.lanes.keys()].flatMap((lane) => this.close(lane));
    return this.close(
      'subagentRunId' in event ? event.subagentRunId : undefined,
    );
  }

  private close(lane: string | undefined): AguiEvent[] {
    const open = this.lanes.get(lane);
    if (open === undefined) return [];
    this.lanes.delete(lane);
    const tag = lane === undefined ? {} : { subagentRunId: lane };
    return [
      (open.type === EventType.TOOL_CALL_CHUNK
        ? { type: END_TYPES[open.type], toolCallId: open.id, ...tag }
        : {
            type: END_TYPES[open.type],
            messageId: open.id,
            ...tag,
          }) as AguiEvent,
    ];
  }

  private laneOf(
    chunk: ChunkEvent,
    id: string | undefined,
  ): string | undefined {
    if (chunk.subagentRunId !== undefined) return chunk.subagentRunId;
    const ofKind = [...this.lanes].filter(([, s]) => s.type === chunk.type);
    if (id !== undefined) return ofKind.find(([, s]) => s.id === id)?.[0];
    if (ofKind.some(([lane]) => lane === undefined)) return undefined;
    return ofKind.length === 1 ? ofKind[0]![0] : undefined;
  }
}

function messageIdOf(
  chunk:
    TextMessageChunkEvent | ReasoningMessageChunkEvent | ToolCallChunkEvent,
): string | undefined {
  return 'messageId' in chunk ? chunk.messageId : undefined;
}

function startOf(
  chunk: ChunkEvent,
  id: string,
  common: object,
): AguiEvent | undefined {
  switch (chunk.type) {
    case EventType.TEXT_MESSAGE_CHUNK:
      return {
        type: EventType.TEXT_MESSAGE_START,
        messageId: id,
        role: chunk.role ?? 'assistant',
        ...(chunk.name !== undefined && { name: chunk.name }),
        ...common,
      };
    case EventType.REASONING_MESSAGE_CHUNK:
      return {
        type: EventType.REASONING_MESSAGE_START,
        messageId: id,
        role: 'reasoning',
        ...common,
      };
    case EventType.TOOL_CALL_CHUNK:
      if (chunk.toolCallName === undefined) return undefined;
      return {
        type: EventType.TOOL_CALL_START,
        toolCallId: id,
        toolCallName: chunk.toolCallName,
        ...(chunk.parentMessageId !== undefined && {
          parentMessageId: chunk.parentMessageId,
        }),
        ...common,
      };
  }
}

function contentOf(chunk: ChunkEvent, id: string, rest: object): AguiEvent {
  const delta = chunk.delta ?? '';
  switch (chunk.type) {
    case EventType.TEXT_MESSAGE_CHUNK:
      return {
        type: EventType.TEXT_MESSAGE_CONTENT,
        messageId: id,
        delta,
        ...rest,
      };
    case EventType.REASONING_MESSAGE_CHUNK:
      return {
        type: EventType.REASONING_MESSAGE_CONTENT,
        messageId: id,
        delta,
        ...rest,
      };
    case EventType.TOOL_CALL_CHUNK:
      return { type: EventType.TOOL_CALL_ARGS, toolCallId: id, delta, ...rest };
  }
}
