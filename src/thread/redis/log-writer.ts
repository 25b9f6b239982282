import type { AguiEvent } from '../../protocol/agui-event.js';
import { jsonText } from '../../protocol/json-text.js';
import type { Conversation } from '../conversation.js';
import { EventBuffer } from '../event-buffer.js';
import { fieldsOfConversation } from './record-codec.js';
import type { LeaseTerms } from './redis-lease.js';
import type { ThreadPlace } from './thread-place.js';
import { ADD, START } from './thread-scripts.js';

/** For how long events wait for company, in milliseconds. */
const DELAY = 10;
/** How much may wait for a Redis that does not answer; then the log has a gap. */
const MAX_WAITING = 4;

/** Writes a run's events into its log, several at once, and one write after the other. */
export class LogWriter {
  private readonly unsent = new EventBuffer();
  private timer: NodeJS.Timeout | undefined;
  private writes: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** How many entries the log has had. */
  private entries = 0;

  constructor(
    private readonly place: ThreadPlace,
    private readonly terms: LeaseTerms,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(from: Conversation): void {
    this.write(() => this.begin(from, '', ''));
  }

  add(event: AguiEvent): void {
    this.unsent.add(event);
    if (this.waiting === 0) this.timer ??= setTimeout(() => this.send(), DELAY);
  }

  /** The older events go into the conversation; those that opened what is open are repeated behind it. */
  fold(into: Conversation, openings: readonly AguiEvent[]): void {
    this.send();
    const number = this.entries++;
    this.write(() => this.begin(into, number, jsonText(openings)));
  }

  /** Waits until all else is written. @returns the number and the events of the last entry. */
  async rest(): Promise<[number: number, events: string]> {
    clearTimeout(this.timer);
    await this.writes;
    return [this.entries++, jsonText(this.unsent.take())];
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const number = this.entries++;
    const events = jsonText(this.unsent.take());
    if (this.waiting >= MAX_WAITING) return;
    const { token, timeToLive } = this.terms;
    const { channel } = this.place;
    this.write(() =>
      this.place.run(ADD, [token, timeToLive, channel, number, events]),
    );
  }

  private begin(
    from: Conversation,
    number: number | '',
    events: string,
  ): Promise<unknown> {
    const { token, runId, timeToLive } = this.terms;
    const fields = fieldsOfConversation(from);
    return this.place.run(START, [
      token,
      runId,
      timeToLive,
      number,
      events,
      ...fields,
    ]);
  }

  private write(act: () => Promise<unknown>): void {
    this.waiting++;
    this.writes = this.writes
      .then(act)
      .then(() => undefined, this.onFailure)
      .then(() => {
        this.waiting--;
        if (this.waiting === 0 && this.unsent.size > 0) this.send();
      });
  }
}
