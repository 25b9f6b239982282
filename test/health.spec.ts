import { Controller, Get, Module } from '@nestjs/common';
import {
  HealthCheck,
  HealthCheckService,
  TerminusModule,
} from '@nestjs/terminus';
import { Redis } from 'ioredis';
import { AguiModule, type Agent } from 'nestjs-agui';
import { RedisThreadStore } from 'nestjs-agui/redis';
import { AguiHealthIndicator } from 'nestjs-agui/terminus';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentOf, reply, silentAgent } from './support/agents.js';
import {
  closeApps,
  PLATFORMS,
  startApp,
  type Platform,
  type TestApp,
} from './support/app.js';
import { inputOf, openSocket, openStream, post } from './support/client.js';
import { getJson, type RootOptions } from './support/module-app.js';

afterEach(closeApps);

@Controller('health')
class HealthController {
  constructor(
    private readonly health: HealthCheckService,
    private readonly agui: AguiHealthIndicator,
  ) {}

  @Get()
  @HealthCheck()
  check() {
    return this.health.check([
      () => this.agui.isHealthy(),
      () => this.agui.isHealthy('agents'),
    ]);
  }
}

@Module({
  imports: [TerminusModule],
  controllers: [HealthController],
  providers: [AguiHealthIndicator],
})
class HealthModule {}

function serve(
  platform: Platform,
  agent: Agent,
  options: RootOptions = {},
): Promise<TestApp> {
  return startApp(platform, {
    imports: [
      AguiModule.forRoot({ agents: { default: agent }, ...options }),
      HealthModule,
    ],
  });
}

/** What the application says of its health. */
async function healthOf(app: TestApp) {
  const { status, body } = await getJson(app, '/health');
  const { details } = body as { details: Record<string, unknown> };
  expect(details['agents']).toEqual(details['agui']);
  return { code: status, ...(details['agui'] as object) };
}

describe.each(PLATFORMS)('The health indicator on %s', (platform) => {
  it('should be up, and count the runs', async () => {
    const agent = silentAgent([reply.start()]);
    const app = await serve(platform, agent);
    const quiet = {
      code: 200,
      status: 'up',
      activeRuns: 0,
      storeReachable: true,
      draining: false,
    };
    expect(await healthOf(app)).toEqual(quiet);

    const streams = await Promise.all(
      ['a', 'b'].map((threadId) => openStream(app, inputOf({ threadId }))),
    );
    for (const stream of streams) await stream.untilType('RUN_STARTED');
    // Somebody who listens to a run is none.
    const path = '/agui/connect';
    const follower = await openStream(app, inputOf({ threadId: 'a' }), {
      path,
    });
    await follower.untilType('RUN_STARTED');
    expect(await healthOf(app)).toEqual({ ...quiet, activeRuns: 2 });

    for (const stream of streams) stream.leave();
    await vi.waitFor(async () => expect(await healthOf(app)).toEqual(quiet));
  });

  it('should not count what was refused', async () => {
    const app = await serve(platform, silentAgent(), {
      contextResolvers: [{ resolve: () => Promise.reject(new Error('no')) }],
    });
    expect((await post(app)).status).toBe(500);
    expect(await healthOf(app)).toMatchObject({ activeRuns: 0 });
  });

  it('should be down when the store cannot be reached', async () => {
    const nowhere = new Redis({
      host: '127.0.0.1',
      port: 1,
      lazyConnect: true,
      maxRetriesPerRequest: 0,
      retryStrategy: () => 1_000,
    });
    nowhere.on('error', () => undefined);
    const threadStore = new RedisThreadStore(nowhere, { answerTime: 500 });
    const app = await serve(platform, silentAgent(), { threadStore });
    try {
      expect(await healthOf(app)).toEqual({
        code: 503,
        status: 'down',
        activeRuns: 0,
        storeReachable: false,
        draining: false,
      });
    } finally {
      await app.close();
      nowhere.disconnect();
    }
  });

  it('should be down while the application closes', async () => {
    const flood = agentOf(async function* () {
      for (;;) yield reply.text('x'.repeat(100_000));
    });
    const app = await serve(platform, flood, { shutdownGrace: 30_000 });
    // A client that does not read holds the application up.
    const client = await openSocket(app);
    await vi.waitFor(async () =>
      expect(await healthOf(app)).toMatchObject({ activeRuns: 1 }),
    );
    const closing = app.app.close();
    try {
      const health = await vi.waitFor(async () => {
        const seen = await healthOf(app);
        expect(seen).toMatchObject({ draining: true, activeRuns: 0 });
        return seen;
      });
      expect(health).toMatchObject({
        code: 503,
        status: 'down',
        storeReachable: true,
      });
    } finally {
      client.destroy();
      await closing;
    }
  });
});
