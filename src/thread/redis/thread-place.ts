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
  async run<T>(
    script: RedisScript,
    args: readonly (string | number)[],
  ): Promise<T> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<never>((_, reject) => {
      timer = setTimeout(
        () =>
          reject(new Error(`Redis did not answer in ${this.answerTime} ms.`)),
        this.answerTime,
      );
    });
    const answer = script.run<T>(this.redis, this.keys, args);
    try {
      return await Promise.race([answer, late]);
    } finally {
      clearTimeout(timer);
    }
  }
}
