import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { HAS_REDIS } from '../src/thread/redis/redis-server.fixture.js';
import { agentOf, deferred, reply } from './support/agents.js';
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
  interruptsOf,
  refusalOf,
  resume,
} from './support/interrupting.js';
import { ScriptProcess } from './support/script-process.js';
import { LEASE_TIME, useSharedRedis } from './support/shared-redis.js';
import { CONNECT, connect, follow, outcomeOf } from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Two servers on one Redis', () => {
  const shared = useSharedRedis();

  it('should free the thread of a server that is killed, with what it waited for', async () => {
    const { b } = await shared.two(() => ({ agents: { default: actor() } }));
    const thread = shared.newThread();
    const killed = await ScriptProcess.start<string>(
      'test/support/instance.ts',
      { env: { REDIS_URL: `redis://127.0.0.1:${shared.redis.port}` } },
    );
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
      openStream(a, inputOf(shared.newThread())),
      openStream(a, inputOf(shared.newThread()), asking),
    ]);
    await Promise.all(
      [plain, question].map((one) => one.untilType('TEXT_MESSAGE_CONTENT')),
    );
    await shared.redis.kill();
    const refused = await post(
      b,
      inputOf({ ...shared.newThread(), messages: [] }),
    );
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
      const events = await run(
        b,
        inputOf({ ...shared.newThread(), messages: [] }),
      );
      expect(textOf(events)).toBe('before after');
    });
  }, 30_000);

  it('should tell a thread and its run again to a Redis that has lost everything', async () => {
    const half = deferred();
    const { a, b } = await shared.two(() => ({
      agents: {
        default: agentOf(async function* () {
          yield reply.start();
          yield reply.text('one ');
          await half.promise;
          yield reply.text('two');
          yield reply.end();
        }),
      },
    }));
    const on = shared.newThread();
    const own = await openStream(a, inputOf(on));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    await shared.redis.kill();
    await shared.redis.run();
    const back = await vi.waitFor(
      async () => {
        const stream = await follow(b, on);
        expect(stream.response.statusCode).toBe(200);
        return stream;
      },
      { timeout: 3_000 },
    );
    await back.until((text) => text.includes('one '));
    expect((await post(b, inputOf({ ...on, runId: 'r2' }))).status).toBe(200);
    half.resolve();
    await Promise.all([own.ended, back.ended]);
    for (const { events } of [own, back])
      expect([textOf(events), outcomeOf(events)]).toEqual([
        'one two',
        'success',
      ]);
    expect(JSON.stringify(await connect(b, on))).toContain('one two');
  });
});

/** Where a server of another process is. */
const at = ({ ready: url }: ScriptProcess<string>) => ({
  url,
  port: Number(new URL(url).port),
});
