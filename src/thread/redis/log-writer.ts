import type { AguiEvent } from '../../protocol/agui-event.js';
import { jsonText } from '../../protocol/json-text.js';
import type { Conversation } from '../conversation.js';
import { EventBuffer } from '../event-buffer.js';
import { backlogOf } from '../followers.js';
import { fieldsOfConversation } from './record-codec.js';
import type { LeaseTerms } from './redis-lease.js';
import type { ThreadPlace } from './thread-place.js';
import { ADD, START } from './thread-scripts.js';

/** For how long events wait for company, in milliseconds. */
const DELAY = 10;
/** How much may wait for a Redis that does not answer; then the log has a gap. */
const MAX_WAITING = 4;
/** How many entries of the run before are kept, for those who have not heard its end. */
const ECHO = 8;

/** Writes a run's events into its log, several at once, and one write after the other. */
export class LogWriter {
  private readonly unsent = new EventBuffer();
  private timer: NodeJS.Timeout | undefined;
  private writes: Promise<void> = Promise.resolve();
  private waiting = 0;
  /** How many entries the log has had. */
  private entries = 0;
  /** How large those are that the log still has. */
  private sizes: number[] = [];
  private ending = false;

  constructor(
    private readonly place: ThreadPlace,
    private readonly terms: LeaseTerms,
    private readonly onFailure: (error: unknown) => void,
  ) {}

  start(from: Conversation): void {
    this.begin(from, [], ECHO);
  }

  add(event: AguiEvent): void {
    this.unsent.add(event);
    if (this.waiting === 0) this.timer ??= setTimeout(() => this.send(), DELAY);
  }

  /**
   * The older events go into the conversation; those that opened what is open are repeated behind it.
   * Whoever follows the run already may still need those before.
   */
  fold(into: Conversation, openings: readonly AguiEvent[]): void {
    this.send();
    this.begin(into, openings, this.keepLast());
  }

  /** Waits until all else is written. @returns the number and the events of the last entry. */
  async rest(): Promise<[number: number, events: string]> {
    clearTimeout(this.timer);
    this.ending = true;
    await this.writes;
    return [this.entries++, jsonText(this.unsent.take())];
  }

  private send(): void {
    clearTimeout(this.timer);
    this.timer = undefined;
    const number = this.entries++;
    const events = jsonText(this.unsent.take());
    this.sizes.push(events.length);
    if (this.waiting >= MAX_WAITING) return;
    const { token, timeToLive } = this.terms;
    const { channel } = this.place;
    this.write(() =>
      this.place.run(ADD, [token, timeToLive, channel, number, events]),
    );
  }

  private begin(
    from: Conversation,
    openings: readonly AguiEvent[],
    kept: number,
  ): void {
    const { token, runId, timeToLive } = this.terms;
    const number = this.entries++;
    const events = jsonText(openings);
    this.sizes.push(events.length);
    const args = [token, runId, timeToLive, kept, number, events];
    const fields = fieldsOfConversation(from);
    this.write(() => this.place.run(START, [...args, ...fields]));
  }

  /** Keeps as many of the last entries as may wait for a follower. @returns how many. */
  private keepLast(): number {
    const limit = backlogOf(this.terms.eventLogLimit);
    let [kept, size] = [0, 0];
    while (kept < this.sizes.length && size <= limit)
      size += this.sizes.at(-++kept)!;
    this.sizes = this.sizes.slice(-kept);
    return kept;
  }

  private write(act: () => Promise<unknown>): void {
    this.waiting++;
    this.writes = this.writes
      .then(act)
      .then(() => undefined, this.onFailure)
      .then(() => {
        this.waiting--;
        if (this.waiting === 0 && this.unsent.size > 0 && !this.ending)
          this.send();
      });
  }
}
