import type { RunAgentInput } from '@ag-ui/core';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from 'vitest';
import { AguiModule, type Agent, type AguiEvent } from 'nestjs-agui';
import { RedisThreadStore } from 'nestjs-agui/redis';
import { continued } from '../src/thread/conversation.js';
import { HAS_REDIS } from '../src/thread/redis/redis-server.fixture.js';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  typesOf,
  type Received,
} from './support/client.js';
import { EVERYTHING } from './support/everything.js';
import type { RootOptions } from './support/module-app.js';
import { SharedRedis } from './support/shared-redis.js';
import {
  as,
  BY_USER,
  cancel,
  clientAt,
  connect,
  CONNECT,
  follow,
  heldBy,
  objectionsTo,
  outcomeOf,
  StepByStep,
  user,
} from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Threads on a Redis', () => {
  const shared = new SharedRedis();
  let threads = 0;
  const newThread = () => ({ threadId: `thread-${++threads}` });

  beforeAll(() => shared.start());
  afterEach(closeApps);
  afterAll(() => shared.stop());

  /** Agents that remember what they were given, each with a name, and what it is given in a run. */
  function remembering() {
    const given: string[][] = [];
    const made: Record<string, number> = {};
    const make = (name: string) => (): Agent => {
      made[name] = (made[name] ?? 0) + 1;
      const number = made[name];
      return agentOf(async function* (messages) {
        given.push([`${name}${number}`, ...messages.map(({ id }) => id)]);
        const id = `a${given.length}`;
        yield reply.start(id);
        yield reply.text('answer', id);
        yield reply.end(id);
      });
    };
    return { given, make };
  }

  async function memory(options: RootOptions = {}) {
    const { given, make } = remembering();
    const { a, b } = await shared.two((name) => ({
      agents: { default: make(name) },
      serverSideMemory: true,
      ...options,
    }));
    const on = newThread();
    const say = (app: TestApp, ...messages: object[]) =>
      post(app, inputOf({ ...on, messages })).then(async (response) => {
        await response.text();
        return response.status;
      });
    return { a, b, given, say };
  }

  it('should be remembered by the agents of every server, each in its own words', async () => {
    const { a, b, given, say } = await memory();
    await say(a, user('u1'));
    await say(b, user('u2'));
    await say(a, user('u3'));
    await say(b, user('u4'));
    expect(given).toEqual([
      ['a1', 'u1'],
      ['b1', 'u1', 'a1', 'u2'],
      ['a1', 'u2', 'a2', 'u3'],
      ['b1', 'u3', 'a3', 'u4'],
    ]);
  });

  it('should not be remembered where the client has left them at another server', async () => {
    const { a, b, given, say } = await memory();
    await say(a, user('u1'));
    await say(b, user('u1', 'edited'));
    await say(a, user('u3'));
    expect(given).toEqual([
      ['a1', 'u1'],
      ['b1', 'u1'],
      ['a2', 'u1', 'a2', 'u3'],
    ]);
  });

  it('should refuse another branch at every server', async () => {
    const { a, b, given, say } = await memory({ divergence: 'reject' });
    await say(a, user('u1'));
    expect(await say(b, user('u1', 'edited'))).toBe(409);
    expect(await say(b, user('u2'))).toBe(200);
    expect(given[1]).toEqual(['b1', 'u1', 'a1', 'u2']);
  });

  /** A server whose runs' logs are short. */
  const short = (n: number, agent: StepByStep) =>
    startApp(PLATFORMS[n]!, {
      imports: [
        AguiModule.forRoot({
          ...BY_USER,
          agents: { default: agent },
          enableReasoning: true,
          threadStore: new RedisThreadStore(shared.redis.client(), {
            eventLogLimit: 1_500,
          }),
        }),
      ],
    });

  it('should be the same to whoever comes at any time at another server, though the log is short', async () => {
    const agent = new StepByStep(EVERYTHING);
    const [a, b] = await Promise.all([short(0, agent), short(1, agent)]);
    const on = newThread();
    const own = await openStream(a, inputOf({ ...on, messages: [user('u1')] }));
    const followers = [];
    for (let place = 0; place <= EVERYTHING.length; place += 4) {
      agent.say(place);
      await own.until(() => own.events.length > place);
      const one = await follow(b, on);
      await one.untilType('STATE_SNAPSHOT');
      followers.push(one);
    }
    agent.say();
    await own.ended;
    const told = replay(own.events, [user('u1')]);
    for (const one of followers) {
      await one.ended;
      expect(objectionsTo(one.events)).toEqual([]);
      expect(one.events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
      expect(replay(one.events)).toEqual(told);
    }
    expect(replay(await connect(b, on))).toEqual(told);
  });

  it('should tell the official client of another server all that was said', async () => {
    const agent = new StepByStep(EVERYTHING);
    agent.say();
    const [a, b] = await Promise.all([short(0, agent), short(1, agent)]);
    const before = await heldBy(clientAt(a, {}, [user('u1')]));
    expect(await heldBy(clientAt(b, CONNECT))).toEqual(before);
  });

  it('should be told again, with the run that is on them, to a Redis that has lost everything', async () => {
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
    const on = newThread();
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

  it('should have a run at one server replaced by one at another', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const { a, b } = await shared.two((name) => ({
      agents: { default: name === 'a' ? agent : sayer('Hello') },
      concurrentRuns: 'cancel-previous',
    }));
    const on = newThread();
    const own = await openStream(a, inputOf(on));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const next = await run(b, inputOf({ ...on, runId: 'r2' }));
    expect([textOf(next), outcomeOf(next)]).toEqual(['Hello', 'success']);
    await own.ended;
    expect(outcomeOf(own.events)).toBe('cancelled');
  });

  it('should have the state and what agents keep at every server', async () => {
    const seen: unknown[] = [];
    const agent = agentOf(async function* (_messages, context) {
      const session = context.get('agui.session')!;
      seen.push([session['runs'] ?? 0, context.get('agui.state')]);
      session['runs'] = Number(session['runs'] ?? 0) + 1;
      yield reply.start();
      yield { type: 'STATE_UPDATE', state: { n: seen.length } };
      if (seen.length === 2) throw new Error('It failed.');
      yield reply.end();
    });
    const { a, b } = await shared.two(() => ({
      agents: { default: agent },
      serverSideMemory: true,
    }));
    const on = newThread();
    for (const app of [a, b, a])
      await run(app, inputOf({ ...on, state: undefined }));
    expect(seen).toEqual([
      [0, undefined],
      [1, { n: 1 }],
      [1, { n: 2 }],
    ]);
  });

  it('should be free and over for a stop that comes late, wherever it comes', async () => {
    const { a, b } = await shared.two(() => ({
      agents: { default: remembering().make('x') },
    }));
    const on = newThread();
    for (let n = 0; n < 20; n++) {
      const [app, other] = n % 2 ? [a, b] : [b, a];
      const events = await run(
        app,
        inputOf({ ...on, runId: `r${n}` }),
        as('ann'),
      );
      expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
      expect(await cancel(other, on, as('ann'))).toEqual({
        status: 200,
        cancelled: false,
      });
    }
  });
});

/** What a client holds that has heard the events. */
function replay(
  events: readonly Received[],
  messages: RunAgentInput['messages'] = [],
) {
  const heard = events as unknown as AguiEvent[];
  return continued({ messages, state: {} }, heard);
}
