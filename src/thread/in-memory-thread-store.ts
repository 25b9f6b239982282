import type { AguiEvent } from '../protocol/agui-event.js';
import type { Conversation } from './conversation.js';
import { Followers } from './followers.js';
import { RunLog } from './run-log.js';
import type { ThreadKey } from './thread-key.js';
import { ThreadMap, type ThreadLimits } from './thread-map.js';
import { weightOf } from './weight.js';
import {
  NEW_THREAD,
  ThreadStore,
  type CancelResult,
  type ThreadLease,
  type ThreadRecord,
  type ThreadView,
} from './thread-store.js';

/** What an {@link InMemoryThreadStore} may keep. */
export interface InMemoryThreadStoreOptions extends ThreadLimits {
  /** How many characters of a run's events are kept for those who come later. */
  eventLogLimit: number;
}

/** Keeps threads in this process: bounded in number, memory and age, gone with the process. */
export class InMemoryThreadStore extends ThreadStore {
  private readonly threads: ThreadMap<Thread>;

  constructor(private readonly options: InMemoryThreadStoreOptions) {
    super();
    this.threads = new ThreadMap(
      options,
      () => new Thread(),
      ({ record }) => weightOf(record),
    );
  }

  get size(): number {
    return this.threads.size;
  }

  async begin(
    key: ThreadKey,
    runId: string,
    wait?: AbortSignal,
  ): Promise<ThreadLease | undefined> {
    const thread = this.threads.acquire(key);
    const release = () => this.threads.release(key);
    if (thread.run !== undefined && wait === undefined) {
      release();
      return undefined;
    }
    try {
      if (thread.run !== undefined) await thread.turn(wait!);
    } catch (error) {
      release();
      throw error;
    }
    return (thread.run = new InMemoryLease(
      runId,
      thread,
      this.options.eventLogLimit,
      release,
    ));
  }

  async read(
    key: ThreadKey,
    signal: AbortSignal,
  ): Promise<ThreadView | undefined> {
    const thread = this.threads.peek(key);
    if (thread?.record.lastRunId === undefined) return undefined;
    const run = thread.run?.followed(signal);
    return { record: { ...thread.record }, ...(run && { run }) };
  }

  async cancel(key: ThreadKey, runId?: string): Promise<CancelResult> {
    const thread = this.threads.peek(key);
    if (thread === undefined) return 'unknown';
    const { run, record } = thread;
    if (run !== undefined && run.runId === (runId ?? run.runId)) {
      run.cancel();
      return 'cancelled';
    }
    return record.lastRunId !== undefined &&
      record.lastRunId === (runId ?? record.lastRunId)
      ? 'over'
      : 'unknown';
  }

  /** Always there. */
  async ping(): Promise<void> {}
}

class Thread {
  record: ThreadRecord = { ...NEW_THREAD };
  run: InMemoryLease | undefined;
  private readonly queue: (() => void)[] = [];

  /** Resolves when the thread is handed over to whoever asks, in the order of asking. */
  async turn(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    await new Promise<void>((resolve, reject) => {
      const giveUp = () => {
        this.queue.splice(this.queue.indexOf(take), 1);
        reject(signal.reason as Error);
      };
      const take = () => {
        signal.removeEventListener('abort', giveUp);
        resolve();
      };
      signal.addEventListener('abort', giveUp, { once: true });
      this.queue.push(take);
    });
  }

  /** The next in the queue has the thread; `run` stays set, so that nobody comes between. */
  handOver(): void {
    const next = this.queue.shift();
    if (next === undefined) this.run = undefined;
    else next();
  }
}

class InMemoryLease implements ThreadLease {
  readonly record: ThreadRecord;
  private log: RunLog | undefined;
  private readonly followers = new Followers();
  private readonly abort = new AbortController();
  private over = false;

  constructor(
    readonly runId: string,
    private readonly thread: Thread,
    private readonly limit: number,
    private readonly release: () => void,
  ) {
    const { record } = thread;
    // Agents change it; what they did not finish must not stay.
    this.record = { ...record, session: structuredClone(record.session) };
  }

  async claim(interruptId: string): Promise<boolean> {
    const { interrupts, answered } = this.thread.record;
    const claimed = interrupts.find(({ id }) => id === interruptId);
    if (claimed === undefined) return false;
    Object.assign(this.thread.record, {
      interrupts: interrupts.filter((one) => one !== claimed),
      answered: [...answered, claimed],
    });
    return true;
  }

  start(from: Conversation): void {
    this.thread.record.lastRunId = this.runId;
    this.log = new RunLog(from, this.limit);
  }

  add(event: AguiEvent): void {
    if (this.over) return;
    this.log?.add(event);
    this.followers.add(event);
  }

  conversation(): Conversation {
    const { messages, state } = this.record;
    return this.log?.conversation() ?? { messages, state };
  }

  get stop(): AbortSignal {
    return this.abort.signal;
  }

  cancel(): void {
    this.abort.abort();
  }

  followed(signal: AbortSignal): ThreadView['run'] {
    if (this.log === undefined || this.over) return undefined;
    return {
      runId: this.runId,
      start: this.log.start,
      events: this.followers.follow(this.log.sinceStart(), this.limit, signal),
    };
  }

  async end(changes: Partial<ThreadRecord> = {}): Promise<void> {
    if (this.over) return;
    this.over = true;
    Object.assign(this.thread.record, changes);
    this.followers.end();
    this.thread.handOver();
    this.release();
  }
}
