import { randomUUID } from 'node:crypto';
import type { CanActivate, ExecutionContext } from '@nestjs/common';
import { APP_GUARD } from '@nestjs/core';
import { AguiModule, requestedAgentId } from 'nestjs-agui';
import { afterEach, describe, expect, it } from 'vitest';
import { sayer, silentAgent } from '../support/agents.js';
import {
  closeApps,
  PLATFORMS,
  startApp,
  type TestApp,
} from '../support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  type PostOptions,
} from '../support/client.js';
import {
  actor,
  answer,
  ask,
  interruptsOf,
  refusalOf,
} from '../support/interrupting.js';
import {
  as,
  BY_USER,
  cancel,
  CONNECT,
  firstRun,
  outcomeOf,
  thread,
} from '../support/threads.js';

const SECRET = 'the secret of the admin';

const byPath = (id: string): PostOptions => ({ path: `/agui/run/${id}` });
const byHeader = (id: string): PostOptions => ({
  headers: { 'x-agent-id': id },
});
const byBody = (agentId: unknown) => inputOf({ forwardedProps: { agentId } });

/** Every way to ask for an agent. */
const WAYS: Record<string, (app: TestApp, id: string) => Promise<Response>> = {
  path: (app, id) => post(app, inputOf(), byPath(encodeURIComponent(id))),
  header: (app, id) => post(app, inputOf(), byHeader(encodeURI(id))),
  body: (app, id) => post(app, byBody(id)),
};

describe.each(PLATFORMS)('An agent on %s', (platform) => {
  afterEach(closeApps);

  describe('that is not exposed', () => {
    const start = () =>
      startApp(platform, {
        imports: [
          AguiModule.forRoot({
            agents: {
              default: sayer('public'),
              admin: { agent: sayer(SECRET), exposed: false },
            },
          }),
        ],
      });

    const IDS = [
      '__proto__',
      'constructor',
      'toString',
      '../admin',
      './admin',
      'run/../admin',
      'x/../admin',
      'admin/',
      'admin\0',
      'ADMIN',
      ' admin',
      'admin ',
      'admin,default',
      '%61dmin',
      '%2561dmin',
    ];

    it.each(Object.entries(WAYS))(
      'should not be reached by the %s under another name',
      async (_way, askFor) => {
        const app = await start();
        for (const id of IDS) {
          const response = await askFor(app, id);
          const { status } = response;
          expect({ id, status }).toEqual({
            id,
            status: expect.toBeOneOf([400, 404]),
          });
          expect(await response.text()).not.toContain(SECRET);
        }
      },
    );

    it.each([
      '..%2fadmin',
      '..%2Fadmin',
      '%2e%2e/admin',
      'default%2f..%2fadmin',
      'default/..%2fadmin',
      'default%00',
      '%5c..%5cadmin',
      '..%252fadmin',
      '%',
      '%c0%af',
      '%E0%A4%A',
      ';admin',
    ])('should not be reached by the path %s', async (id) => {
      const response = await post(await start(), inputOf(), byPath(id));

      // `fetch` itself resolves dots: what is left is the path of another route.
      expect(response.status).toBeOneOf([400, 404]);
      expect(await response.text()).not.toContain(SECRET);
    });

    it('should not be reached by header or body', async () => {
      const app = await start();
      expect((await WAYS['header']!(app, 'admin')).status).toBe(404);
      expect((await WAYS['body']!(app, 'admin')).status).toBe(404);
      for (const id of [['admin'], { toString: 'admin' }, [['admin']]])
        expect(textOf(await run(app, byBody(id)))).toBe('public');
    });
  });

  describe('that a guard denies', () => {
    class DenyAdmin implements CanActivate {
      canActivate(context: ExecutionContext): boolean {
        return requestedAgentId(context) !== 'admin';
      }
    }

    const agents = { default: sayer('public'), admin: sayer(SECRET) };

    it.each([
      ['of the module', { guards: [DenyAdmin] }, []],
      ['of the application', {}, [{ provide: APP_GUARD, useClass: DenyAdmin }]],
    ])(
      'should not be reached by path, header or body: a guard %s',
      async (_whose, options, providers) => {
        const app = await startApp(platform, {
          imports: [AguiModule.forRoot({ agents, ...options })],
          providers,
        });
        for (const askFor of Object.values(WAYS)) {
          expect((await askFor(app, 'admin')).status).toBe(403);
          expect((await askFor(app, 'default')).status).toBe(200);
        }
        expect(await statusOf(app, byPath('%61dmin'))).toBe(403);
        expect(await statusOf(app, { ...CONNECT, ...byHeader('admin') })).toBe(
          403,
        );
        // What the guard sees is what runs.
        const both = { ...byPath('default'), ...byHeader('admin') };
        expect(textOf(await run(app, byBody('admin'), both))).toBe('public');
        expect(
          (await post(app, byBody('default'), byHeader('admin'))).status,
        ).toBe(403);
      },
    );

    it('should not be reached as the default, or by a header of another name', async () => {
      const app = await startApp(platform, {
        imports: [
          AguiModule.forRoot({
            agents,
            guards: [DenyAdmin],
            defaultAgentId: 'admin',
            agentIdHeader: 'X-Bot',
          }),
        ],
      });
      expect((await post(app)).status).toBe(403);
      expect(await statusOf(app, byHeader('default'))).toBe(403);
      expect(await statusOf(app, { headers: { 'x-bot': 'default' } })).toBe(
        200,
      );
    });
  });
});

async function statusOf(app: TestApp, options: PostOptions): Promise<number> {
  const response = await post(app, inputOf(), options);
  await response.body?.cancel();
  return response.status;
}

describe.each(PLATFORMS)("Another user's thread on %s", (platform) => {
  afterEach(closeApps);

  const start = (agent = actor(ask(), [])) =>
    startApp(platform, {
      imports: [
        AguiModule.forRoot({
          agents: { default: agent },
          serverSideMemory: true,
          ...BY_USER,
        }),
      ],
    });

  /** What says in the body that it is Ann's. */
  const CLAIMS = {
    userId: 'ann',
    user: { id: 'ann' },
    forwardedProps: { userId: 'ann', sessionId: 't1', 'agui.userId': 'ann' },
    context: [{ description: 'userId', value: 'ann' }],
  };

  it('should not be resumed', async () => {
    const agent = actor(ask(), []);
    const app = await start(agent);
    const [asked] = interruptsOf(await firstRun(app, {}, as('ann')));
    const resume = [answer(asked!, 'stolen')];

    const theft = await run(app, inputOf({ ...CLAIMS, resume }), as('eve'));
    expect(refusalOf(theft)).toContain('none is open');
    expect(agent.told).toHaveLength(1);
    const own = await run(app, inputOf({ runId: 'r2', resume }), as('ann'));
    expect(outcomeOf(own)).toBe('success');
  });

  it('should not be gone on with', async () => {
    const agent = actor([], []);
    const app = await start(agent);
    await firstRun(app, {}, as('ann'));
    const messages = [{ id: 'u9', role: 'user', content: 'And now?' }];
    await run(app, inputOf({ ...CLAIMS, messages }), as('eve'));

    expect(agent.told).toEqual([
      [expect.objectContaining({ id: 'u1' })],
      [expect.objectContaining({ id: 'u9' })],
    ]);
    const heard = await run(app, thread(), { ...CONNECT, ...as('ann') });
    expect(JSON.stringify(heard)).not.toContain('And now?');
  });

  it('should not be cancelled', async () => {
    const app = await start(silentAgent() as never);
    const stream = await openStream(app, inputOf(), {
      path: '/agui/run',
      ...as('ann'),
    });
    await stream.untilType('RUN_STARTED');

    for (const named of [{ threadId: 't1' }, { threadId: 't1', runId: 'r1' }])
      expect(await cancel(app, { ...CLAIMS, ...named }, as('eve'))).toEqual({
        status: 404,
      });
    expect(outcomeOf(stream.events)).toBeUndefined();
    expect(await cancel(app, { threadId: 't1' }, as('ann'))).toEqual({
      status: 200,
      cancelled: true,
    });
    await stream.ended;
  });

  it('should not be connected to, whether there is one or not', async () => {
    const app = await start();
    await firstRun(app, {}, as('ann'));
    const answerTo = async (threadId: string) => {
      const asked = thread({ ...CLAIMS, threadId });
      const response = await post(app, asked, { ...CONNECT, ...as('eve') });
      return [response.status, (await response.text()).replace(threadId, '')];
    };

    expect(await answerTo('t1')).toEqual(await answerTo(randomUUID()));
    expect((await answerTo('t1'))[0]).toBe(404);
  });
});
