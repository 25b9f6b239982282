import type { RunAgentInput } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { type AguiEvent, AguiModule } from 'nestjs-agui';
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
import { PLATFORMS, startApp } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  type Received,
  run,
  textOf,
  typesOf,
} from './support/client.js';
import { EVERYTHING } from './support/everything.js';
import { useSharedRedis } from './support/shared-redis.js';
import {
  as,
  BY_USER,
  CANCEL,
  cancel,
  clientAt,
  CONNECT,
  connect,
  follow,
  heldBy,
  objectionsTo,
  outcomeOf,
  StepByStep,
  user,
} from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Two servers on one Redis', () => {
  const shared = useSharedRedis();

  it('should cancel at one what the other runs', async () => {
    const agent = silentAgent([reply.start(), reply.text('well')]);
    const { a, b } = await shared.two(() => ({ agents: { default: agent } }));
    const thread = shared.newThread();
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

  it('should have freed a thread, wherever a stop comes that is too late', async () => {
    const { a, b } = await shared.two(() => ({
      agents: { default: sayer('Hello') },
    }));
    const on = shared.newThread();
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
  }, 20_000);

  it('should replace what the other runs, if they are told to', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const { a, b } = await shared.two((name) => ({
      agents: { default: name === 'a' ? agent : sayer('Hello') },
      concurrentRuns: 'cancel-previous',
    }));
    const on = shared.newThread();
    const own = await openStream(a, inputOf(on));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const next = await run(b, inputOf({ ...on, runId: 'r2' }));
    expect([textOf(next), outcomeOf(next)]).toEqual(['Hello', 'success']);
    await own.ended;
    expect(outcomeOf(own.events)).toBe('cancelled');
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
    const thread = shared.newThread();
    const first = await openStream(a, inputOf(thread));
    await first.untilType('RUN_STARTED');
    const second = run(b, inputOf({ ...thread, runId: 'r2' }));
    const other = await run(b, inputOf(shared.newThread()));
    expect(textOf(other)).toBe('second');
    going.resolve();
    await first.ended;
    expect(textOf(await second)).toBe('second');
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
    const thread = shared.newThread();
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

  it('should tell the same at the other to whoever comes at any time, though the log is short', async () => {
    const agent = new StepByStep(EVERYTHING);
    const [a, b] = await Promise.all([short(0, agent), short(1, agent)]);
    const on = shared.newThread();
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

  it('should tell the official client at the other all that was said', async () => {
    const agent = new StepByStep(EVERYTHING);
    agent.say();
    const [a, b] = await Promise.all([short(0, agent), short(1, agent)]);
    const before = await heldBy(clientAt(a, {}, [user('u1')]));
    expect(await heldBy(clientAt(b, CONNECT))).toEqual(before);
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
