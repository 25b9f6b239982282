import {
  EventType,
  type ReasoningMessageChunkEvent,
  type TextMessageChunkEvent,
  type ToolCallChunkEvent,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';

export type ChunkEvent =
  TextMessageChunkEvent | ToolCallChunkEvent | ReasoningMessageChunkEvent;

/** A subagent's id, or undefined for the agent itself. */
type Lane = string | undefined;

interface OpenStream {
  type: ChunkEvent['type'];
  id: string;
}

/** The chunks, and what the two later thirds of each are called when spelt out. */
const SPELLINGS = {
  [EventType.TEXT_MESSAGE_CHUNK]: {
    content: EventType.TEXT_MESSAGE_CONTENT,
    end: EventType.TEXT_MESSAGE_END,
    id: 'messageId',
  },
  [EventType.TOOL_CALL_CHUNK]: {
    content: EventType.TOOL_CALL_ARGS,
    end: EventType.TOOL_CALL_END,
    id: 'toolCallId',
  },
  [EventType.REASONING_MESSAGE_CHUNK]: {
    content: EventType.REASONING_MESSAGE_CONTENT,
    end: EventType.REASONING_MESSAGE_END,
    id: 'messageId',
  },
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
  return event.type in SPELLINGS;
}

/**
 * Spells chunks out as start, content and end (AG-UI: "Streaming Messages"), so that the two
 * spellings never meet in what leaves. One lane for the agent and one for each subagent.
 */
export class ChunkExpander {
  private readonly lanes = new Map<Lane, OpenStream>();

  /** What a chunk stands for; undefined if it continues nothing that can be told. */
  expand(chunk: ChunkEvent): AguiEvent[] | undefined {
    const id = idOf(chunk);
    const lane = this.laneOf(chunk, id);
    const open = this.lanes.get(lane);
    const goesOn = open?.type === chunk.type && (id ?? open.id) === open.id;
    if (goesOn) return contentOf(chunk, open.id, lane, true);
    if (id === undefined) return undefined;
    const ends = this.close(lane);
    this.lanes.set(lane, { type: chunk.type, id });
    const start = startOf(chunk, id, lane);
    const content = contentOf(chunk, id, lane, start === undefined);
    return [...ends, ...(start === undefined ? [] : [start]), ...content];
  }

  /** The ends that an event which is no chunk brings about, to be sent before it. */
  endedBy(event: AguiEvent): AguiEvent[] {
    if (this.lanes.size === 0 || BYSTANDERS.has(event.type)) return [];
    if (RUN_WIDE.has(event.type))
      return [...this.lanes.keys()].flatMap((lane) => this.close(lane));
    return this.close(
      'subagentRunId' in event ? event.subagentRunId : undefined,
    );
  }

  private close(lane: Lane): AguiEvent[] {
    const open = this.lanes.get(lane);
    if (open === undefined) return [];
    this.lanes.delete(lane);
    const { end, id } = SPELLINGS[open.type];
    return [{ type: end, [id]: open.id, ...tagFor(lane) } as AguiEvent];
  }

  private laneOf(chunk: ChunkEvent, id: string | undefined): Lane {
    if (chunk.subagentRunId !== undefined) return chunk.subagentRunId;
    const ofKind = [...this.lanes].filter(([, s]) => s.type === chunk.type);
    if (id !== undefined) return ofKind.find(([, s]) => s.id === id)?.[0];
    return ofKind.length === 1 ? ofKind[0]![0] : undefined;
  }
}

function idOf(chunk: ChunkEvent): string | undefined {
  return chunk.type === EventType.TOOL_CALL_CHUNK
    ? chunk.toolCallId
    : chunk.messageId;
}

/** Undefined for a call whose name is not told: a start of its own may have opened it. */
function startOf(
  chunk: ChunkEvent,
  id: string,
  lane: Lane,
): AguiEvent | undefined {
  const { timestamp, metadata } = chunk;
  const common = defined({ timestamp, metadata, ...tagFor(lane) });
  switch (chunk.type) {
    case EventType.TEXT_MESSAGE_CHUNK:
      return {
        type: EventType.TEXT_MESSAGE_START,
        messageId: id,
        role: chunk.role ?? 'assistant',
        ...defined({ name: chunk.name }),
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
        ...defined({ parentMessageId: chunk.parentMessageId }),
        ...common,
      };
  }
}

/** The provider's own event goes with the content, even if there is no text; metadata needs some carrier. */
function contentOf(
  chunk: ChunkEvent,
  id: string,
  lane: Lane,
  carriesMetadata: boolean,
): AguiEvent[] {
  const { delta, timestamp, metadata, rawEvent } = chunk;
  const hasContent = delta !== undefined || rawEvent !== undefined;
  if (!hasContent && !(carriesMetadata && metadata !== undefined)) return [];
  const spelling = SPELLINGS[chunk.type];
  return [
    {
      type: spelling.content,
      [spelling.id]: id,
      delta: delta ?? '',
      ...defined({ timestamp, metadata, rawEvent, ...tagFor(lane) }),
    } as AguiEvent,
  ];
}

function tagFor(lane: Lane): { subagentRunId?: string } {
  return lane === undefined ? {} : { subagentRunId: lane };
}

function defined<T extends object>(members: T): T {
  return Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined),
  ) as T;
}
