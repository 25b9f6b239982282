import { inTime } from './in-time.js';
import type { RedisClient, RedisScript } from './redis-script.js';
import { KEYS } from './thread-scripts.js';

/** Where a thread is kept. */
export class ThreadPlace {
  private readonly keys: string[];
  /** Where servers tell each other of it. */
  readonly channel: string;

  constructor(
    private readonly redis: RedisClient,
    prefix: string,
    private readonly answerTime: number,
  ) {
    this.keys = KEYS.map((key) => prefix + key);
    this.channel = `${prefix}signals`;
  }

  /** @throws Error if Redis does not answer in time, or refuses. */
  run<T>(script: RedisScript, args: readonly (string | number)[]): Promise<T> {
    const answer = script.run<T>(this.redis, this.keys, args);
    return inTime(answer, this.answerTime);
  }
}
