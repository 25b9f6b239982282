import { EventType } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import { jsonText } from '../protocol/json-text.js';

/** What an event weighs besides its own texts. */
const FRAME = 100;

/** How many pieces are joined at a time: one by one they would make a chain of as many strings. */
const JOINED = 64;

type Piece = Extract<AguiEvent, { delta: string }>;

/**
 * Events in their order. Pieces of one text that follow each other become one piece: nothing is
 * lost, and little is kept.
 */
export class EventBuffer {
  /** About how many characters the events have. */
  size = 0;
  private events: AguiEvent[] = [];
  /** The last event, if it is a piece; its text may still grow. */
  private growing: Piece | undefined;
  /** What has come for it since. */
  private deltas: string[] = [];

  add(event: AguiEvent): void {
    if (!isPiece(event)) {
      this.settle();
      this.growing = undefined;
      this.size += FRAME + weightOf(event);
      this.events.push(event);
      return;
    }
    this.size += event.delta.length;
    if (this.growing !== undefined && goesOn(this.growing, event)) {
      if (this.deltas.push(event.delta) === JOINED) this.settle();
      return;
    }
    this.settle();
    this.size += FRAME;
    this.growing = { ...event };
    this.events.push(this.growing);
  }

  addAll(events: Iterable<AguiEvent>): void {
    for (const event of events) this.add(event);
  }

  /** The events, which go on growing here. */
  *[Symbol.iterator](): Iterator<AguiEvent> {
    this.settle();
    for (const event of this.events) yield { ...event };
  }

  /** The events, which are no longer here. */
  take(): AguiEvent[] {
    this.settle();
    const { events } = this;
    this.events = [];
    this.growing = undefined;
    this.size = 0;
    return events;
  }

  private settle(): void {
    if (this.deltas.length === 0) return;
    this.growing!.delta += this.deltas.join('');
    this.deltas = [];
  }
}

function isPiece(event: AguiEvent): event is Piece {
  return (
    event.type === EventType.TEXT_MESSAGE_CONTENT ||
    event.type === EventType.TOOL_CALL_ARGS ||
    event.type === EventType.REASONING_MESSAGE_CONTENT
  );
}

/** Whether two pieces are of one text, and the second says nothing besides. */
function goesOn(before: Piece, piece: Piece): boolean {
  return (
    before.type === piece.type &&
    idOf(before) === idOf(piece) &&
    piece.metadata === undefined &&
    piece.rawEvent === undefined &&
    before.subagentRunId === piece.subagentRunId
  );
}

function idOf(piece: Piece): string {
  return 'toolCallId' in piece ? piece.toolCallId : piece.messageId;
}

function weightOf(event: AguiEvent): number {
  return event.type === EventType.TOOL_CALL_RESULT
    ? event.content.length
    : jsonText(event).length;
}
