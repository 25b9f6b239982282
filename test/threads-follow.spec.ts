import { afterEach, describe, expect, it, vi } from 'vitest';
import type { HttpAgent } from '@ag-ui/client';
import {
  aborted,
  agentOf,
  deferred,
  reply,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import {
  inputOf,
  openSocket,
  openStream,
  post,
  run,
  textOf,
  typesOf,
  type LiveStream,
  type Received,
} from './support/client.js';
import { EVERYTHING } from './support/everything.js';
import { refuseComplaints } from './support/http-agents.js';
import type { RootOptions } from './support/module-app.js';
import { allGone, untilStill } from './support/settle.js';
import {
  clientAt,
  connect,
  CONNECT,
  follow,
  objectionsTo,
  outcomeOf,
  StepByStep,
  thread,
  user,
} from './support/threads.js';

refuseComplaints();
afterEach(closeApps);

/** Runs an official client; it is known when it has heard the first event, and all that it hears. */
async function listening(client: HttpAgent) {
  const started = deferred();
  const events: Received[] = [];
  const over = client.runAgent(
    {},
    {
      onEvent: ({ event }) => void events.push(event as Received),
      onRunStartedEvent: () => started.resolve(),
    },
  );
  over.catch(() => undefined);
  await Promise.race([started.promise, over]);
  return { client, events, over };
}

const heard = ({ client: { messages, state } }: { client: HttpAgent }) => ({
  messages,
  state: state as unknown,
});

/** Resolves when a client has heard so many events. */
const untilHeard = (stream: LiveStream, count: number) =>
  stream.until(() => stream.events.length >= count);

describe.each(PLATFORMS)('A run that is followed on %s', (platform) => {
  const start = (agent: StepByStep, options: RootOptions = {}) =>
    serve(platform, agent, { enableReasoning: true, ...options });

  it('should be told from its beginning, then live, to all', async () => {
    const agent = new StepByStep(EVERYTHING);
    const app = await start(agent);
    const own = await listening(clientAt(app, {}, [user('u1')]));
    const followers = [await listening(clientAt(app, CONNECT))];
    const probe = await follow(app);
    for (const place of [5, 11, 15, 20, EVERYTHING.length]) {
      agent.say(place);
      await untilHeard(probe, place);
      followers.push(await listening(clientAt(app, CONNECT)));
    }
    for (const one of [own, ...followers]) await one.over;
    await probe.ended;
    for (const one of followers) {
      expect(heard(one)).toEqual(heard(own));
      expect(objectionsTo(one.events)).toEqual([]);
      expect(typesOf(one.events)).not.toContain('CUSTOM');
    }
    expect(agent.runs).toBe(1);
  });

  it.each([1, 400, 1500])(
    'should be the same to whoever comes at any time, with a log of %i characters',
    async (eventLogLimit) => {
      const agent = new StepByStep(EVERYTHING);
      const app = await start(agent, { eventLogLimit });
      const own = await listening(clientAt(app, {}, [user('u1')]));
      const followers = [];
      const probe = await openStream(app, inputOf({ threadId: 'other' }));
      for (let place = 0; place <= EVERYTHING.length; place += 3) {
        agent.say(place);
        await untilHeard(probe, place + 1);
        followers.push(await listening(clientAt(app, CONNECT)));
      }
      agent.say();
      await own.over;
      await probe.ended;
      for (const [n, one] of followers.entries()) {
        await one.over;
        expect([n, heard(one)]).toEqual([n, heard(own)]);
        expect([n, objectionsTo(one.events)]).toEqual([n, []]);
      }
    },
  );

  it('should say when events are gone that leave no trace', async () => {
    const note = (name: string) => ({ type: 'CUSTOM', name, value: 1 });
    const agent = new StepByStep([note('a'), note('b'), note('c')]);
    const app = await start(agent, { eventLogLimit: 150 });
    const own = await openStream(app);
    agent.say(2);
    await own.until((text) => text.includes('"b"'));
    const late = await follow(app);
    agent.say();
    await Promise.all([own.ended, late.ended]);
    const names = late.events.flatMap(({ name }) => name ?? []);
    expect(names[0]).toBe('agui.events_dropped');
    expect(names.at(-1)).toBe('c');
    expect(own.text).not.toContain('events_dropped');
  });

  it('should not be disturbed by one who leaves', async () => {
    const agent = new StepByStep(EVERYTHING);
    const app = await start(agent);
    const own = await openStream(app);
    const [leaving, staying] = [await follow(app), await follow(app)];
    agent.say(5);
    await untilHeard(leaving, 5);
    leaving.leave();
    agent.say(10);
    await untilHeard(staying, 10);
    agent.say();
    await Promise.all([own.ended, staying.ended]);
    expect(outcomeOf(own.events)).toBe('success');
    expect(outcomeOf(staying.events)).toBe('success');
  });

  it('should end for all when its own client leaves and nobody wants it to go on', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent);
    const own = await openStream(app);
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const other = await follow(app);
    own.leave();
    await other.ended;
    await agent.stopped.promise;
    expect(other.events.at(-1)).toMatchObject({ code: 'INTERRUPTED_ERROR' });
    expect(objectionsTo(other.events)).toEqual([]);
    const after = await connect(app);
    expect(JSON.stringify(after)).toContain('Well');
  });

  it('should be told in the form of each who follows', async () => {
    const agent = new StepByStep(EVERYTHING);
    const app = await start(agent);
    const own = await openStream(app);
    agent.say(9);
    await untilHeard(own, 10);
    const early = await follow(app, { protocolVersion: undefined });
    agent.say();
    await Promise.all([own.ended, early.ended]);
    expect(typesOf(own.events)).toContain('SUBAGENT_STARTED');
    expect(early.text).not.toContain('SUBAGENT_');
    expect(textOf(early.events)).toBe(textOf(own.events));
  });

  it('should end for one who follows when the server closes', async () => {
    const agent = silentAgent([reply.start()]);
    const app = await serve(platform, agent);
    const own = await openStream(app);
    await own.untilType('RUN_STARTED');
    const other = await follow(app);
    await other.untilType('RUN_STARTED');
    await app.app.close();
    await Promise.all([own.ended, other.ended]);
    for (const { events } of [own, other])
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        message: 'The server is shutting down.',
      });
  });
});

describe.each(PLATFORMS)('A run without its client on %s', (platform) => {
  /** Says twenty words, each when it may. */
  function counting() {
    const [five, rest, over] = [deferred(), deferred(), deferred()];
    const agent = agentOf(async function* (_messages, { signal }) {
      yield reply.start();
      for (let n = 1; n <= 20; n++) {
        if (n === 6) await Promise.race([rest.promise, aborted(signal)]);
        if (signal.aborted) return;
        yield reply.text(`${n} `);
        if (n === 5) five.resolve();
      }
      yield { type: 'STATE_UPDATE', state: { said: 20 } };
      yield reply.end();
      over.resolve();
    });
    return { agent, five, rest, over };
  }
  const WORDS = Array.from({ length: 20 }, (_, n) => `${n + 1} `).join('');

  async function left(
    options: RootOptions = {},
  ): Promise<ReturnType<typeof counting> & { app: TestApp }> {
    const counted = counting();
    const app = await serve(platform, counted.agent, {
      interruptOnDisconnect: false,
      ...options,
    });
    const own = await openStream(app);
    await own.until((text) => text.includes('5 '));
    own.leave();
    await allGone(app);
    return { ...counted, app };
  }

  const wordsOf = (events: readonly Received[]) => {
    const snapshot = events.find(({ type }) => type === 'MESSAGES_SNAPSHOT');
    const messages = snapshot!['messages'] as { content: string }[];
    return messages.at(-1)!.content;
  };

  it('should be complete to whoever comes back while it goes on', async () => {
    const { app, rest } = await left();
    const back = await follow(app);
    await back.until((text) => text.includes('5 '));
    rest.resolve();
    await back.ended;
    expect(textOf(back.events)).toBe(WORDS);
    expect(outcomeOf(back.events)).toBe('success');
    expect(
      back.events.filter(({ type }) => type === 'STATE_SNAPSHOT').at(-1),
    ).toMatchObject({ snapshot: { said: 20 } });
  });

  it('should be complete to whoever comes back when it is over', async () => {
    const { app, rest, over } = await left();
    rest.resolve();
    await over.promise;
    const events = await connect(app);
    expect(wordsOf(events)).toBe(WORDS);
    expect(events).toContainEqual(
      expect.objectContaining({ snapshot: { said: 20 } }),
    );
    expect(outcomeOf(events)).toBe('success');
  });

  it('should be complete though its log is small', async () => {
    const { app, rest } = await left({ eventLogLimit: 50 });
    const client = clientAt(app, CONNECT);
    const { over } = await listening(client);
    rest.resolve();
    await over;
    expect(client.messages.at(-1)!.content).toBe(WORDS);
    expect(client.state).toEqual({ said: 20 });
  });

  it('should hold its thread until it is over', async () => {
    const { app, rest, over } = await left();
    const refused = await run(app, inputOf({ runId: 'r2' }));
    expect(refused.at(-1)).toMatchObject({
      code: 'AGUI_INTERRUPT_CONTRACT_ERROR',
    });
    rest.resolve();
    await over.promise;
    expect(outcomeOf(await run(app, inputOf({ runId: 'r3' })))).toBe('success');
  });
});

describe.each(PLATFORMS)('Coming back on %s', (platform) => {
  it('should not be possible to a server that closes', async () => {
    const agent = agentOf(async function* (_messages, { signal }) {
      yield reply.start();
      for (let n = 0; n < 200 && !signal.aborted; n++)
        yield reply.text('x'.repeat(64 * 1024));
    });
    const app = await serve(platform, agent, { shutdownGrace: 400 });
    // One who does not read keeps the server from closing at once.
    const socket = await openSocket(app);
    const closing = untilStill(() => socket.bytesRead).then(() =>
      app.app.close(),
    );
    await vi.waitUntil(() => app.log.join('\n').includes('Ending 1 run'));
    for (const path of ['/agui/connect', '/agui/cancel']) {
      const response = await post(app, thread(), { path });
      expect(response.status).toBe(503);
      expect(response.headers.get('connection')).toBe('close');
    }
    await closing;
    socket.destroy();
  });
});
