import { afterAll, afterEach, beforeAll } from 'vitest';
import { AguiModule } from 'nestjs-agui';
import { RedisThreadStore } from 'nestjs-agui/redis';
import { RedisServer } from '../../src/thread/redis/redis-server.fixture.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './app.js';
import type { RootOptions } from './module-app.js';
import { BY_USER } from './threads.js';

/** How long a run may be silent before its thread is another's, in milliseconds. */
export const LEASE_TIME = 600;

/** A Redis for the tests of a suite, and the servers that share it. */
export function useSharedRedis(): SharedRedis {
  const shared = new SharedRedis();
  beforeAll(() => shared.start());
  afterEach(closeApps);
  afterAll(() => shared.stop());
  return shared;
}

class SharedRedis {
  redis!: RedisServer;
  private threads = 0;

  /** A thread that no test has used. */
  newThread(): { threadId: string } {
    return { threadId: `thread-${++this.threads}` };
  }

  async start(): Promise<void> {
    this.redis = await RedisServer.start();
  }

  /** Two servers, on Express and on Fastify. */
  async two(
    options: (name: 'a' | 'b') => RootOptions,
  ): Promise<{ a: TestApp; b: TestApp }> {
    const start = (name: 'a' | 'b', n: number) =>
      startApp(PLATFORMS[n]!, {
        imports: [
          AguiModule.forRoot({
            ...BY_USER,
            threadStore: new RedisThreadStore(this.redis.client(), {
              leaseTime: LEASE_TIME,
              answerTime: 1_500,
            }),
            ...options(name),
          }),
        ],
      });
    const [a, b] = await Promise.all([start('a', 0), start('b', 1)]);
    return { a, b };
  }

  stop(): Promise<void> {
    return this.redis.stop();
  }
}
