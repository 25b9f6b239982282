import { EventType } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import { continued, type Conversation } from './conversation.js';
import { EventBuffer } from './event-buffer.js';

/** The name of the event that tells of events which a log has no longer. */
export const EVENTS_DROPPED = 'agui.events_dropped';

/**
 * What a run has said so far, for those who come later: a conversation, and the events that go on
 * from it. When the events become too many, the older ones go into the conversation; those that leave
 * no trace there are lost, and the log says so.
 */
export class RunLog {
  private readonly events = new EventBuffer();

  /** @param limit how many characters of events are kept, about. */
  constructor(
    private base: Conversation,
    private readonly limit: number,
  ) {}

  /** The conversation before the events. */
  get start(): Conversation {
    return this.base;
  }

  /** @returns whether older events have gone into the conversation. */
  add(event: AguiEvent): boolean {
    this.events.add(event);
    if (this.events.size <= this.limit) return false;
    this.fold();
    return true;
  }

  /** The events since {@link start}. */
  sinceStart(): AguiEvent[] {
    return [...this.events];
  }

  /** What the run has made of the conversation. */
  conversation(): Conversation {
    return continued(this.base, this.events);
  }

  private fold(): void {
    this.base = this.conversation();
    const events = this.events.take();
    this.events.add({
      type: EventType.CUSTOM,
      name: EVENTS_DROPPED,
      value: {},
    });
    this.events.addAll(openings(events));
  }
}

/**
 * The events that opened what is still open, so that what follows has something to go on with; and
 * the end of the run.
 */
function openings(events: readonly AguiEvent[]): Iterable<AguiEvent> {
  const open = new Map<string, AguiEvent>();
  for (const event of events) {
    const [what, end] = splitOf(event.type);
    if (what === undefined) continue;
    const key = `${what} ${nameOf(event)}`;
    open.delete(key);
    if (!end || what === 'RUN') open.set(key, event);
  }
  return [...open.values()].map((event) => {
    // A subagent that has ended is known no longer; one of its own may go on.
    if (event.type !== EventType.SUBAGENT_STARTED) return event;
    const { parentSubagentRunId: subagentRunId, ...orphan } = event;
    return open.has(`SUBAGENT ${nameOf({ subagentRunId })}`) ? event : orphan;
  });
}

const OPENING = /^(.+)_(START|STARTED)$/;
const ENDING = /^(.+)_(END|FINISHED|ERROR)$/;

/** What an event opens or ends: `TEXT_MESSAGE`, `STEP` … */
function splitOf(type: string): [what: string | undefined, end: boolean] {
  const opens = OPENING.exec(type)?.[1];
  return opens === undefined ? [ENDING.exec(type)?.[1], true] : [opens, false];
}

function nameOf(event: object): string {
  const { messageId, toolCallId, stepName, subagentRunId } = event as Record<
    string,
    unknown
  >;
  return JSON.stringify([messageId ?? toolCallId ?? stepName, subagentRunId]);
}
