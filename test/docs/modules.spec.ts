import { VersioningType } from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import {
  HAS_REDIS,
  RedisServer,
} from '../../src/thread/redis/redis-server.fixture.js';
import { sayer } from '../support/agents.js';
import { closeApps, PLATFORMS, serve, startApp } from '../support/app.js';
import { inputOf, post, run, textOf } from '../support/client.js';
import { useDocumentedCode } from '../support/documentation.js';

describe('Modules of the documentation', () => {
  const { classes } = useDocumentedCode('modules');

  it.skipIf(!HAS_REDIS)(
    'should have servers that share their threads',
    async () => {
      const redis = await RedisServer.start();
      vi.stubEnv('REDIS_URL', `redis://127.0.0.1:${redis.port}`);
      try {
        const imports = await classes({
          SharedThreadsModule: 'shared-threads.module.ts',
        });
        const [one, two] = await Promise.all(
          PLATFORMS.map((platform) => startApp(platform, { imports })),
        );
        await run(one!, inputOf({ threadId: 'shared' }));
        const connected = await run(
          two!,
          { threadId: 'shared' },
          { path: '/agui/connect' },
        );
        expect(connected[1]).toMatchObject({
          type: 'MESSAGES_SNAPSHOT',
          messages: [{ content: 'Hi' }, { content: 'Hello, Hi!' }],
        });
        await closeApps();
      } finally {
        await redis.stop();
      }
    },
  );

  it.each([
    ['README.md', 'AppWithCopilotKitModule', 'app-with-copilotkit.module.ts'],
    ['docs/copilotkit.md', 'CopilotKitAppModule', 'copilotkit.module.ts'],
  ])(
    'should have a runtime for CopilotKit in %s',
    async (_page, name, file) => {
      const imports = await classes({ [name]: file });
      const app = await startApp('express', { imports });
      const path = '/api/copilotkit/agent/default/run';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    },
  );

  describe('should have routes', () => {
    async function versioned(name: string, file: string) {
      const imports = await classes({ [name]: file });
      const providers = await classes({ GreetingAgent: 'greeting.agent.ts' });
      return startApp(
        'express',
        { imports, providers },
        {
          configure: (app) =>
            void app.enableVersioning({ type: VersioningType.URI }),
        },
      );
    }

    it('that guards protect, with a version', async () => {
      const app = await versioned('SecuredModule', 'secured.module.ts');
      const path = '/v1/agui/run';
      expect((await post(app, inputOf(), { path })).status).toBe(403);
      const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
      const headers = { authorization: 'Bearer token-of-ada' };
      const events = await run(app, inputOf(), { path, headers });
      expect(textOf(events)).toBe('Hello, Hi!');
      expect(log).toHaveBeenCalledWith('A run is asked for.');
      log.mockRestore();
      expect((await post(app)).status).toBe(404);
    });

    it('with asynchronous options', async () => {
      const app = await versioned('ConfiguredModule', 'configured.module.ts');
      const path = '/v1/agui/run';
      expect(textOf(await run(app, inputOf(), { path }))).toBe('Hello, Hi!');
    });

    it.each(PLATFORMS)(
      'that refuse what cannot be read where it says, on %s',
      async (platform) => {
        const app = await serve(platform, sayer('Hi'), {
          guards: [{ canActivate: () => false }],
          bodyLimit: '1kb',
        });
        const large = { threadId: 'x'.repeat(2_000) };
        const statuses = [];
        for (const body of ['{', large, {}])
          statuses.push((await post(app, body)).status);
        expect(statuses).toEqual(
          platform === 'fastify' ? [400, 413, 403] : [403, 403, 403],
        );
      },
    );
  });
});
