import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  onTestFinished,
  vi,
} from 'vitest';
import { z } from 'zod';
import { AiSdkAgent, agentTool } from 'nestjs-agui/ai-sdk';
import { HAS_REDIS } from '../src/thread/redis/redis-server.fixture.js';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';
import {
  actor,
  answer,
  ask,
  askConsent,
  interruptsOf,
  refusalOf,
  resume,
  suspend,
} from './support/interrupting.js';
import { calls, useMockModels } from './support/mock-models.js';
import { KillableInstance } from './support/killable-instance.js';
import { LEASE_TIME, SharedRedis } from './support/shared-redis.js';
import { as, CANCEL, CONNECT } from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Two servers on one Redis', () => {
  const shared = new SharedRedis();
  const models = useMockModels();
  let threads = 0;
  const newThread = () => ({ threadId: `thread-${++threads}` });

  beforeAll(() => shared.start());
  afterEach(closeApps);
  afterAll(() => shared.stop());

  it.each([
    ['a consent', askConsent('c1'), 'r:c1', { approved: true }],
    ['a suspended tool', suspend('c1'), 'r:c1', 'done'],
    ['a question', ask(), 'q1', 'yes'],
  ])(
    'should go on at one with %s that the other stopped for',
    async (_what, script, id, payload) => {
      const [one, two] = [actor(script), actor()];
      const { a, b } = await shared.two((name) => ({
        agents: { default: name === 'a' ? one : two },
      }));
      const thread = newThread();
      expect(interruptsOf(await run(a, inputOf(thread)))).toMatchObject([
        { id },
      ]);
      expect(refusalOf(await run(b, inputOf(thread)))).toContain(id);
      const events = await resume(b, [answer(id, payload)], thread);
      expect(typesOf(events)).toContain('RUN_FINISHED');
      expect(two.told[0]!.at(-1)!.id).toMatch(/^agui-(confirm|resume)-/);
      expect(
        refusalOf(await resume(a, [answer(id, payload)], thread)),
      ).toContain('none is open');
    },
  );

  it('should carry out at one, once and with edited arguments, what was asked about at the other', async () => {
    const sent: string[] = [];
    const { a, b } = await shared.two(() => ({
      agents: {
        default: new AiSdkAgent({
          model: models.model(),
          tools: {
            send: agentTool({
              inputSchema: z.object({ to: z.string() }),
              needsApproval: true,
              execute: ({ to }) => {
                sent.push(to);
                return `Sent to ${to}`;
              },
            }),
          },
        }),
      },
      serverSideMemory: true,
    }));
    const thread = newThread();
    models.script(calls('send', { to: 'a@x' }, 'c1'), 'Done.', 'Again done.');
    const [interrupt] = interruptsOf(await run(a, inputOf(thread)));
    const payload = { approved: true, editedArgs: { to: 'b@x' } };
    const only = { ...thread, messages: [] };
    const entries = [answer(interrupt!, payload)];
    const both = await Promise.all([
      resume(a, entries, only),
      resume(b, entries, { ...only, runId: 'r2' }),
    ]);
    expect(sent).toEqual(['b@x']);
    expect(
      both.filter((events) => typesOf(events).includes('TOOL_CALL_RESULT')),
    ).toHaveLength(1);
    const next = { id: 'u9', role: 'user', content: 'And now?' };
    await run(b, inputOf({ ...thread, runId: 'r3', messages: [next] }));
    expect(models.lastTalk().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(models.lastTalk()[2]!.content).toBe('Sent to b@x');
  });

  it("should not give a thread to another's user", async () => {
    const { a, b } = await shared.two(() => ({
      agents: { default: actor(ask()) },
    }));
    const thread = newThread();
    await run(a, inputOf(thread), as('ann'));
    for (const route of [CONNECT, CANCEL])
      expect((await post(b, thread, as('eve', route))).status).toBe(404);
    const entries = { ...thread, resume: [answer('q1', 'yes')] };
    expect(refusalOf(await run(b, inputOf(entries), as('eve')))).toContain(
      'none is open',
    );
    const connected = await run(b, thread, as('ann', CONNECT));
    expect(interruptsOf(connected)).toMatchObject([{ id: 'q1' }]);
  });

  it('should cancel at one what the other runs', async () => {
    const agent = silentAgent([reply.start(), reply.text('well')]);
    const { a, b } = await shared.two(() => ({ agents: { default: agent } }));
    const thread = newThread();
    const stream = await openStream(a, inputOf(thread));
    await stream.untilType('TEXT_MESSAGE_CONTENT');
    expect((await post(b, { ...thread, runId: 'other' }, CANCEL)).status).toBe(
      404,
    );
    const answered = await post(b, thread, CANCEL);
    expect(await answered.json()).toEqual({ ...thread, cancelled: true });
    await stream.ended;
    await agent.stopped.promise;
    expect(stream.events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    });
    const again = await post(b, thread, CANCEL);
    expect(await again.json()).toEqual({ ...thread, cancelled: false });
  });

  it('should tell at one, live, what the other runs', async () => {
    const [half, whole] = [deferred(), deferred()];
    const { a, b } = await shared.two(() => ({
      agents: {
        default: agentOf(async function* () {
          yield reply.start();
          yield reply.text('one ');
          await half.promise;
          yield reply.text('two ');
          await whole.promise;
          yield reply.text('three');
          yield reply.end();
        }),
      },
    }));
    const thread = newThread();
    const own = await openStream(a, inputOf({ ...thread, runId: 'live' }));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const heard = await openStream(b, thread, CONNECT);
    await heard.until((text) => text.includes('one '));
    half.resolve();
    await heard.until((text) => text.includes('two '));
    whole.resolve();
    await Promise.all([own.ended, heard.ended]);
    expect(textOf(heard.events)).toBe('one two three');
    expect(heard.events[0]).toMatchObject({
      type: 'RUN_STARTED',
      runId: 'live',
    });
    expect(typesOf(heard.events).slice(0, 3)).toEqual([
      'RUN_STARTED',
      'MESSAGES_SNAPSHOT',
      'STATE_SNAPSHOT',
    ]);
    expect(heard.events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      runId: 'live',
    });
  });

  it('should wait at one for what the other runs', async () => {
    const going = deferred();
    const { a, b } = await shared.two((name) => ({
      agents: {
        default:
          name === 'b'
            ? sayer('second')
            : agentOf(async function* () {
                yield reply.start();
                await going.promise;
                yield reply.end();
              }),
      },
      concurrentRuns: 'queue',
    }));
    const thread = newThread();
    const first = await openStream(a, inputOf(thread));
    await first.untilType('RUN_STARTED');
    const second = run(b, inputOf({ ...thread, runId: 'r2' }));
    const other = await run(b, inputOf(newThread()));
    expect(textOf(other)).toBe('second');
    going.resolve();
    await first.ended;
    expect(textOf(await second)).toBe('second');
  });

  it('should free the thread of a server that is killed, with what it waited for', async () => {
    const { b } = await shared.two(() => ({ agents: { default: actor() } }));
    const thread = newThread();
    const killed = await KillableInstance.start(shared.redis.port);
    onTestFinished(() => killed.kill());
    const { resume: entries, ...running } = {
      ...thread,
      messages: [],
      resume: [answer('q1', 'yes')],
    };
    expect(interruptsOf(await run(at(killed), inputOf(thread)))).toMatchObject([
      { id: 'q1' },
    ]);
    const stream = await openStream(
      at(killed),
      inputOf({ ...running, resume: [answer('q1', undefined, 'cancelled')] }),
    );
    await stream.untilType('TEXT_MESSAGE_CONTENT');
    const follower = await openStream(b, thread, CONNECT);
    await follower.untilType('TEXT_MESSAGE_CONTENT');
    expect(refusalOf(await run(b, inputOf(thread)))).toContain('active run');

    await killed.kill();

    await vi.waitFor(
      async () =>
        expect(refusalOf(await run(b, inputOf(thread)))).toContain('"q1"'),
      { timeout: 5 * LEASE_TIME },
    );
    await follower.ended;
    expect(follower.events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'INTERRUPTED_ERROR',
    });
    const events = await resume(b, entries, thread);
    expect(typesOf(events)).toContain('RUN_FINISHED');
  }, 30_000);

  it('should go on while Redis is gone, and say what could not be kept', async () => {
    const going = deferred();
    const { a, b } = await shared.two(() => ({
      agents: {
        default: agentOf(async function* (messages) {
          yield reply.start();
          yield reply.text('before ');
          if (messages.length > 0) await going.promise;
          yield reply.text('after');
          yield reply.end();
        }),
        asking: actor(() =>
          (async function* () {
            yield reply.text('hm');
            await going.promise;
            yield* ask();
          })(),
        ),
      },
    }));
    const asking = { path: '/agui/run/asking' };
    const [plain, question] = await Promise.all([
      openStream(a, inputOf(newThread())),
      openStream(a, inputOf(newThread()), asking),
    ]);
    await Promise.all(
      [plain, question].map((one) => one.untilType('TEXT_MESSAGE_CONTENT')),
    );
    await shared.redis.kill();
    const refused = await post(b, inputOf({ ...newThread(), messages: [] }));
    expect(refused.status).toBe(503);
    expect(await refused.json()).toMatchObject({
      message: expect.stringContaining('cannot be reached') as string,
    });
    going.resolve();
    await Promise.all([plain.ended, question.ended]);
    expect(textOf(plain.events)).toBe('before after');
    expect(plain.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(question.events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      message: expect.stringContaining('could not be kept') as string,
    });
    expect([...a.log, ...b.log].join('\n')).toContain(
      'What a run left could not be kept.',
    );

    await shared.redis.run();
    await vi.waitFor(async () => {
      const events = await run(b, inputOf({ ...newThread(), messages: [] }));
      expect(textOf(events)).toBe('before after');
    });
  }, 30_000);
});

/** Where a server of another process is. */
const at = ({ port }: { port: number }) => ({
  port,
  url: `http://127.0.0.1:${port}`,
});
