import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AguiError,
  AguiErrorCode,
  AguiModule,
  type AguiModuleOptions,
} from 'nestjs-agui';
import { ActiveRuns } from '../src/run/active-runs.js';
import { agentOf, sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { inputOf, post, run, textOf } from './support/client.js';
import { ask, tellerOf } from './support/module-app.js';

afterEach(closeApps);

const never = () => new Promise<never>(() => undefined);

describe.each(PLATFORMS)('A run that is being prepared on %s', (platform) => {
  const start = (options: AguiModuleOptions) =>
    startApp(platform, { imports: [AguiModule.forRoot(options)] });

  it.each([
    ['an agent factory', { agents: { default: never } }],
    [
      'a context resolver',
      {
        agents: { default: sayer('hi') },
        contextResolvers: [{ resolve: never }],
      },
    ],
  ])(
    'should not wait for %s longer than a run may take',
    async (_, options) => {
      const app = await start({ ...options, runTimeout: 50 });

      const answer = await post(app);

      expect(answer.status).toBe(504);
      expect(await answer.json()).toMatchObject({
        message: 'The run took too long to prepare.',
      });
      expect(app.app.get(ActiveRuns).size).toBe(0);
    },
  );

  it('should be forgotten when its client leaves', async () => {
    const app = await start({ agents: { default: never } });
    const runs = app.app.get(ActiveRuns);
    const client = new AbortController();
    const answer = post(app, inputOf(), { signal: client.signal });
    await vi.waitFor(() => expect(runs.size).toBe(1));

    client.abort();

    await expect(answer).rejects.toThrow('aborted');
    await vi.waitFor(() => expect(runs.size).toBe(0));
  });

  it('should not ask an agent that comes too late', async () => {
    const asked = vi.fn<() => AsyncGenerator<never>>();
    const late = async () => {
      await sleep(80);
      return agentOf(asked);
    };
    const app = await start({ agents: { default: late }, runTimeout: 20 });

    expect((await post(app)).status).toBe(504);
    await sleep(100);
    expect(asked).not.toHaveBeenCalled();
  });

  it.each([
    [new AguiError('Sold out.'), 500, 'INTERNAL_ERROR'],
    [
      new AguiError('Which one?', AguiErrorCode.INVALID_INPUT_ERROR),
      400,
      'INVALID_INPUT_ERROR',
    ],
    [new AguiError('No credit.', 'NO_CREDIT'), 500, 'NO_CREDIT'],
  ])('should be refused with the text of %s', async (error, status, code) => {
    const fail = () => {
      throw error;
    };
    for (const options of [
      { agents: { default: fail } },
      {
        agents: { default: sayer('hi') },
        contextResolvers: [{ resolve: fail }],
      },
    ]) {
      const app = await start(options);
      const answer = await post(app);
      expect(answer.status).toBe(status);
      expect(await answer.json()).toEqual({
        statusCode: status,
        message: error.message,
        code,
      });
      const logged = app.log.some((line) => line.includes(error.message));
      expect(logged).toBe(status === 500);
    }
  });

  it('should take an adapter from an asynchronous factory', async () => {
    const app = await start({
      agents: { default: sayer('hi') },
      adapterFactory: {
        create: async () => ({
          async *run({ threadId, runId }) {
            yield { type: 'RUN_STARTED' as never, threadId, runId };
            yield {
              type: 'TEXT_MESSAGE_CHUNK' as never,
              messageId: 'm',
              delta: 'adapted',
            };
            yield { type: 'RUN_FINISHED' as never, threadId, runId };
          },
        }),
      },
    });

    expect(textOf(await run(app))).toBe('adapted');
  });

  it('should know the id of the agent that was found', async () => {
    const teller = tellerOf((_, context) => context.get('agui.agentId')!);
    const app = await start({ agents: { default: teller, other: teller } });

    expect(await ask(app)).toBe('default');
    expect(await ask(app, { path: '/agui/run/other' })).toBe('other');
  });
});
