import { Logger } from '@nestjs/common';
import type { AguiEvent } from '../../protocol/agui-event.js';
import { quoted } from '../../log-text.js';
import { loggedMessageOf } from '../../thrown.js';
import type { Conversation } from '../conversation.js';
import { RunLog } from '../run-log.js';
import {
  ThreadLostError,
  type ThreadLease,
  type ThreadRecord,
} from '../thread-store.js';
import { fieldsOf, interruptFields } from './record-codec.js';
import type { ThreadPlace } from './thread-place.js';
import { LogWriter } from './log-writer.js';
import { CLAIM, END, RENEW } from './thread-scripts.js';

/** For how long the last events of a run can be heard. */
const ECHO_TIME = 60_000;

/** What a lease is of. */
export interface LeaseTerms {
  token: string;
  runId: string;
  server: string;
  leaseTime: number;
  timeToLive: number;
  eventLogLimit: number;
}

/** A run's hold on a thread in Redis: renewed while the run goes on, lost when its server is dead. */
export class RedisLease implements ThreadLease {
  private readonly logger = new Logger('RedisThreadStore');
  private readonly abort = new AbortController();
  private readonly renewal: NodeJS.Timeout;
  private readonly writer: LogWriter;
  private log: RunLog | undefined;
  private over = false;
  private complained = false;

  constructor(
    private readonly place: ThreadPlace,
    private readonly terms: LeaseTerms,
    readonly record: ThreadRecord,
    private readonly done: () => void,
  ) {
    this.writer = new LogWriter(place, terms, (error) => this.complain(error));
    this.renewal = setInterval(() => void this.renew(), terms.leaseTime / 3);
    this.renewal.unref();
  }

  get stop(): AbortSignal {
    return this.abort.signal;
  }

  cancel(): void {
    if (!this.over) this.abort.abort();
  }

  async claim(interruptId: string): Promise<boolean> {
    return (await this.place.run(CLAIM, [interruptId])) === 1;
  }

  start(from: Conversation): void {
    this.log = new RunLog(from, this.terms.eventLogLimit);
    this.writer.start(from);
  }

  add(event: AguiEvent): void {
    if (this.over || this.log === undefined) return;
    this.writer.add(event);
    if (this.log.add(event))
      this.writer.fold(this.log.start, this.log.sinceStart());
  }

  conversation(): Conversation {
    const { messages, state } = this.record;
    return this.log?.conversation() ?? { messages, state };
  }

  async end(changes: Partial<ThreadRecord> = {}): Promise<void> {
    if (this.over) return;
    this.over = true;
    clearInterval(this.renewal);
    this.done();
    const { token, timeToLive } = this.terms;
    const last = await this.writer.rest();
    const fields = fieldsOf(changes);
    // Redis may have lost it since the start.
    if (this.log !== undefined) fields.push('lastRunId', this.terms.runId);
    const kept = await this.place.run(END, [
      token,
      timeToLive,
      ECHO_TIME,
      this.place.channel,
      ...last,
      fields.length / 2,
      ...fields,
      ...interruptFields(changes.interrupts),
      ...interruptFields(changes.answered),
    ]);
    if (kept === 0) throw new ThreadLostError();
  }

  /** Is not renewed any more: its store is closed. */
  expire(): void {
    clearInterval(this.renewal);
  }

  private async renew(): Promise<void> {
    const { token, runId, server, leaseTime } = this.terms;
    try {
      const answer = await this.place.run<string>(RENEW, [
        token,
        runId,
        server,
        leaseTime,
      ]);
      if (this.over) return;
      if (answer === 'taken') this.abort.abort(new ThreadLostError());
      else if (answer === 'cancel') this.cancel();
      else if (answer === 'lost') this.restate();
    } catch (error) {
      this.complain(error);
    }
  }

  /** Redis may have lost more than the lease. */
  private restate(): void {
    if (this.log !== undefined)
      this.writer.fold(this.log.start, this.log.sinceStart());
  }

  /** The run goes on; what it says cannot be heard elsewhere. */
  private complain(error: unknown): void {
    if (this.complained) return;
    this.complained = true;
    this.logger.warn(
      `The run ${quoted(this.terms.runId)} goes on, but Redis could not be told of it: ${loggedMessageOf(error)}`,
    );
  }
}
