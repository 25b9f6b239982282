import { createHash } from 'node:crypto';
import type { Cluster, Redis } from 'ioredis';

/** A client of Redis, or of a cluster. */
export type RedisClient = Redis | Cluster;

/** One of Redis's scripts: what it does happens at once, and wholly. */
export class RedisScript {
  private readonly hash: string;

  constructor(private readonly text: string) {
    this.hash = createHash('sha1').update(text).digest('hex');
  }

  async run<T>(
    redis: RedisClient,
    keys: readonly string[],
    args: readonly (string | number)[],
  ): Promise<T> {
    const given = [keys.length, ...keys, ...args] as const;
    try {
      return (await redis.evalsha(this.hash, ...given)) as T;
    } catch (error) {
      if (!(error as Error).message.startsWith('NOSCRIPT')) throw error;
      return (await redis.eval(this.text, ...given)) as T;
    }
  }
}
