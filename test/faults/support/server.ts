// A server of its own process, as in production, whose agents do what each run tells them.
import 'reflect-metadata';
import type { Type } from '@nestjs/common';
import compress from 'compression';
import { Redis } from 'ioredis';
import { AguiModule } from 'nestjs-agui';
import { RedisThreadStore } from 'nestjs-agui/redis';
import { ActiveRuns } from '../../../src/run/active-runs.js';
import { ThreadSessionManager } from '../../../src/thread/thread-session.manager.js';
import { ThreadStore } from '../../../src/thread/thread-store.js';
import { answers } from '../../support/answers.js';
import { startApp } from '../../support/app.js';
import { heapState } from './heap-state.js';
import { counts, scriptedAgent } from './scripted-agent.js';
import type { Figures, ServerOptions } from './fault-server.js';

/** How long a server that is gone has its threads, in milliseconds. */
const LEASE_TIME = 4_000;

const { platform, agui, redis, http2, compression } = JSON.parse(
  process.env['FAULT_SERVER']!,
) as ServerOptions;

const server = await startApp(
  platform,
  {
    imports: [
      AguiModule.forRoot({
        agents: { default: scriptedAgent },
        ...(redis && {
          threadStore: new RedisThreadStore(new Redis(redis), {
            leaseTime: LEASE_TIME,
          }),
        }),
        ...agui,
      }),
    ],
  },
  {
    // What is kept of the log must not look like memory of the server's.
    kept: ['warn', 'error', 'fatal'],
    // A crowd that comes at once is not to be sent away by the kernel.
    backlog: 4096,
    configure: (own) => {
      own.enableShutdownHooks();
      if (compression) own.use(compress());
    },
    ...(http2 && { fastify: { http2 } as never }),
  },
);

const provider = <T>(token: Type<T>) =>
  server.app.get(token, { strict: false });

function figures(): Figures {
  const { rss, heapUsed } = process.memoryUsage();
  const resources: Record<string, number> = {};
  for (const name of process.getActiveResourcesInfo())
    resources[name] = (resources[name] ?? 0) + 1;
  return {
    ...counts,
    active: provider(ActiveRuns).size,
    sessions: provider(ThreadSessionManager).size,
    threads: (provider(ThreadStore as never) as { size?: number }).size ?? 0,
    rss,
    heapUsed,
    resources,
  };
}

answers({
  figures,
  collected: () => {
    globalThis.gc!();
    return figures();
  },
  heapState,
  complaints: () => server.complaints,
});
process.send!(server.url);
