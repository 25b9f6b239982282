import { createHash, randomUUID } from 'node:crypto';
import type { OnApplicationShutdown } from '@nestjs/common';
import { parseByteSize, type ByteSize } from '../../byte-size.js';
import { parseDuration, type Duration } from '../../duration.js';
import { nameOf, type ThreadKey } from '../thread-key.js';
import {
  ThreadStore,
  type CancelResult,
  type ThreadLease,
  type ThreadView,
} from '../thread-store.js';
import { conversationOf, objectOf, recordOf } from './record-codec.js';
import type { Fields, StoredRecord } from './record-codec.js';
import { inTime } from './in-time.js';
import { followed, type Entry } from './redis-follower.js';
import { RedisLease } from './redis-lease.js';
import type { RedisClient } from './redis-script.js';
import { Alarm, RedisSignals } from './redis-signals.js';
import { ThreadPlace } from './thread-place.js';
import { BEGIN, CANCEL, READ } from './thread-scripts.js';

/** How a {@link RedisThreadStore} keeps threads. */
export interface RedisThreadStoreOptions {
  /** What the names of all keys and channels begin with. Default `agui:`. */
  keyPrefix?: string;
  /** How long an unused thread is kept. Default 24 hours. */
  timeToLive?: Duration;
  /** After how long without a sign of life a server's runs have lost their threads. Default 15 seconds. */
  leaseTime?: Duration;
  /** How long Redis may take to answer. Default 5 seconds. */
  answerTime?: Duration;
  /** How much of a run's events is kept for those who connect later. Default `1mb`. */
  eventLogLimit?: ByteSize;
}

type Settings = {
  [K in keyof RedisThreadStoreOptions]-?: K extends 'keyPrefix'
    ? string
    : number;
};

/** How often to look whether a signal was missed. */
const LOOK_AGAIN = 1_000;
/** For how long a run that has a thread may not yet have begun to speak. */
const START_TIME = 500;

/**
 * Keeps threads in Redis (6 or later, or a cluster), for any number of servers: a run is cancelled,
 * followed and resumed from any of them, and threads outlive them. The client that is given stays the
 * application's to close; it needs `ioredis`.
 *
 * @example
 * ```ts
 * AguiModule.forRoot({ threadStore: new RedisThreadStore(new Redis(process.env.REDIS_URL)) })
 * ```
 *
 * @throws RangeError for an option that is no duration, or no size.
 */
export class RedisThreadStore
  extends ThreadStore
  implements OnApplicationShutdown
{
  private readonly settings: Settings;
  private readonly signals: RedisSignals;
  private readonly leases = new Map<string, RedisLease>();
  private readonly server: string;
  private readonly stopListening: () => void;

  constructor(
    private readonly redis: RedisClient,
    options: RedisThreadStoreOptions = {},
  ) {
    super();
    this.settings = settingsOf(options);
    this.signals = new RedisSignals(redis);
    this.server = `${this.settings.keyPrefix}server:${randomUUID()}`;
    this.stopListening = this.signals.listen(this.server, (token) =>
      this.leases.get(token)?.cancel(),
    );
  }

  async begin(
    thread: ThreadKey,
    runId: string,
    wait?: AbortSignal,
  ): Promise<ThreadLease | undefined> {
    const alarm = new Alarm();
    const ring = () => alarm.ring();
    const ringIfFree = (text: string) => text === 'free' && ring();
    const stop =
      wait && this.signals.listen(this.placeOf(thread).channel, ringIfFree);
    wait?.addEventListener('abort', ring);
    try {
      for (;;) {
        wait?.throwIfAborted();
        const lease = await this.tryToBegin(thread, runId);
        if (lease !== undefined || wait === undefined) return lease;
        await alarm.wait(LOOK_AGAIN);
      }
    } finally {
      stop?.();
      wait?.removeEventListener('abort', ring);
    }
  }

  async read(
    thread: ThreadKey,
    signal: AbortSignal,
  ): Promise<ThreadView | undefined> {
    const place = this.placeOf(thread);
    const alarm = new Alarm();
    const stop = this.signals.listen(place.channel, () => alarm.ring());
    if (signal.aborted) stop();
    else signal.addEventListener('abort', stop, { once: true });
    const patience = Date.now() + START_TIME;
    for (;;) {
      const answer = await place
        .run<
          [...StoredRecord, runId: string | null, start: Fields, log: Entry[]]
        >(READ, [])
        .catch((error: unknown) => {
          stop();
          throw error;
        });
      const [fields, open, answered, runId, start, log] = answer;
      const record = recordOf([fields, open, answered]);
      if (runId !== null && objectOf(start)['runId'] === runId) {
        signal.addEventListener('abort', () => alarm.ring(), { once: true });
        const events = followed({ place, runId, log, alarm, signal }, stop);
        return { record, run: { runId, start: conversationOf(start), events } };
      }
      if (runId === null || Date.now() > patience) {
        stop();
        return record.lastRunId === undefined ? undefined : { record };
      }
      await alarm.wait(20);
    }
  }

  cancel(thread: ThreadKey, runId = ''): Promise<CancelResult> {
    return this.placeOf(thread).run(CANCEL, [runId]);
  }

  async ping(): Promise<void> {
    await inTime(this.redis.ping(), this.settings.answerTime);
  }

  /** Stops listening to the other servers, and leaves them the threads that are still held. */
  onApplicationShutdown(): void {
    for (const lease of this.leases.values()) lease.expire();
    this.stopListening();
    this.signals.close();
  }

  private async tryToBegin(
    thread: ThreadKey,
    runId: string,
  ): Promise<ThreadLease | undefined> {
    const token = randomUUID();
    const place = this.placeOf(thread);
    const stored = await place.run<StoredRecord | null>(BEGIN, [
      token,
      runId,
      this.server,
      this.settings.leaseTime,
      this.settings.timeToLive,
    ]);
    if (stored === null) return undefined;
    const lease = new RedisLease(
      place,
      { ...this.settings, token, runId, server: this.server },
      recordOf(stored),
      () => this.leases.delete(token),
    );
    this.leases.set(token, lease);
    return lease;
  }

  private placeOf(thread: ThreadKey): ThreadPlace {
    // In braces, so that all keys of a thread are on one node of a cluster.
    const tag = createHash('sha256').update(nameOf(thread)).digest('hex');
    return new ThreadPlace(
      this.redis,
      `${this.settings.keyPrefix}{${tag}}:`,
      this.settings.answerTime,
    );
  }
}

function settingsOf(options: RedisThreadStoreOptions): Settings {
  const {
    keyPrefix = 'agui:',
    timeToLive = '24h',
    leaseTime = '15s',
    answerTime = '5s',
    eventLogLimit = '1mb',
  } = options;
  const given = {
    timeToLive: parseDuration(timeToLive),
    leaseTime: parseDuration(leaseTime),
    answerTime: parseDuration(answerTime),
    eventLogLimit: parseByteSize(eventLogLimit),
  };
  for (const [name, value] of Object.entries(given))
    if (value === undefined || value < 1)
      throw new RangeError(
        `RedisThreadStore: "${name}" is ${JSON.stringify(options[name as keyof typeof options])}; allowed: ${name === 'eventLogLimit' ? 'a size such as 1mb' : 'a duration such as 30s'}.`,
      );
  return { keyPrefix, ...(given as Omit<Settings, 'keyPrefix'>) };
}
