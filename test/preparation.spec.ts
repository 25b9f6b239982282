import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  AguiAgentAdapter,
  AguiError,
  AguiErrorCode,
  AguiModule,
  type Agent,
  type AguiModuleOptions,
} from 'nestjs-agui';
import { ActiveRuns } from '../src/run/active-runs.js';
import { ThreadSessionManager } from '../src/thread/thread-session.manager.js';
import { agentOf, deferred, sayer } from './support/agents.js';
import { closeApps, PLATFORMS, startApp } from './support/app.js';
import { inputOf, post, run, textOf, typesOf } from './support/client.js';
import { actor, answer, ask as askUser } from './support/interrupting.js';
import { ask, tellerOf } from './support/module-app.js';
import { cancel, outcomeOf, user } from './support/threads.js';

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

  describe.each([
    ['', {}],
    [' with server-side memory', { serverSideMemory: true }],
  ])('by a factory that does not end%s', (_, memory) => {
    /** The first agent is never made, or when it is told to be; the others at once. */
    const startStuck = async (more: AguiModuleOptions = {}) => {
      const [asked, ready] = [deferred(), deferred()];
      const signals: AbortSignal[] = [];
      const late = vi.fn<() => AsyncGenerator<never>>();
      const app = await start({
        ...memory,
        ...more,
        agents: {
          default: async ({ signal }) => {
            if (signals.push(signal) > 1) return sayer('Hi');
            asked.resolve();
            await ready.promise;
            return agentOf(late);
          },
        },
      });
      return { app, asked, ready, signals, late };
    };

    it('should leave its thread when its time is over', async () => {
      const { app, signals } = await startStuck({ runTimeout: 50 });

      expect((await post(app)).status).toBe(504);
      expect(textOf(await run(app, inputOf({ runId: 'r2' })))).toBe('Hi');
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
    });

    it('should leave its thread when its client leaves', async () => {
      const { app, asked } = await startStuck();
      const client = new AbortController();
      const answer = post(app, inputOf(), { signal: client.signal });
      await asked.promise;
      client.abort();
      await expect(answer).rejects.toThrow('aborted');

      await vi.waitFor(async () =>
        expect(textOf(await run(app, inputOf({ runId: 'r2' })))).toBe('Hi'),
      );
    });

    it('should end as cancelled when it is cancelled, and leave its thread', async () => {
      const { app, asked, signals } = await startStuck();
      const first = run(app);
      await asked.promise;

      expect(await cancel(app)).toEqual({ status: 200, cancelled: true });
      const events = await first;
      expect(typesOf(events)).toEqual(['RUN_STARTED', 'RUN_FINISHED']);
      expect(outcomeOf(events)).toBe('cancelled');
      expect(signals[0]!.aborted).toBe(true);
      expect(textOf(await run(app, inputOf({ runId: 'r2' })))).toBe('Hi');
    });

    it('should leave its thread to a run that replaces it', async () => {
      const { app, asked } = await startStuck({
        concurrentRuns: 'cancel-previous',
      });
      const first = run(app);
      await asked.promise;

      expect(textOf(await run(app, inputOf({ runId: 'r2' })))).toBe('Hi');
      expect(outcomeOf(await first)).toBe('cancelled');
    });

    it('should not be begun when its agent comes too late', async () => {
      const { app, ready, late } = await startStuck({ runTimeout: 50 });
      expect((await post(app)).status).toBe(504);
      ready.resolve();

      expect(textOf(await run(app, inputOf({ runId: 'r2' })))).toBe('Hi');
      expect(late).not.toHaveBeenCalled();
      expect(app.app.get(ThreadSessionManager).size).toBe(
        'serverSideMemory' in memory ? 1 : 0,
      );
      expect(app.complaints).toEqual([]);
    });
  });

  it('should wait for no answers any more when it is cancelled', async () => {
    const asked = deferred();
    let made = 0;
    const app = await start({
      agents: {
        default: () => {
          if (++made === 1) return actor(askUser());
          if (made > 2) return sayer('Hi');
          asked.resolve();
          return never();
        },
      },
    });
    expect(outcomeOf(await run(app))).toBe('interrupt');
    const resume = [answer('q1', 'yes')];
    const second = run(app, inputOf({ runId: 'r2', resume }));
    await asked.promise;
    expect(await cancel(app)).toMatchObject({ cancelled: true });
    expect(outcomeOf(await second)).toBe('cancelled');

    const events = await run(
      app,
      inputOf({ runId: 'r3', messages: [user('u1'), user('u2')] }),
    );
    expect(textOf(events)).toBe('Hi');
  });

  it('should not keep the memory of its thread when its adapter comes too late', async () => {
    const ready = deferred();
    let made = 0;
    const factory = vi.fn<() => Agent>(() => sayer('Hi'));
    const app = await start({
      agents: { default: factory },
      serverSideMemory: true,
      maxThreadSessions: 1,
      runTimeout: 50,
      adapterFactory: {
        create: async (agent, config) => {
          if (++made === 1) await ready.promise;
          return new AguiAgentAdapter(agent as Agent, config);
        },
      },
    });
    expect((await post(app)).status).toBe(504);
    ready.resolve();

    // There is room for one thread that nobody uses: the other one's agent is kept.
    let said = 0;
    const say = () =>
      run(
        app,
        inputOf({ threadId: 't2', messages: [user(`u${String(++said)}`)] }),
      );
    await vi.waitFor(async () => {
      factory.mockClear();
      await say();
      await say();
      expect(factory.mock.calls.length).toBeLessThan(2);
    });
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
