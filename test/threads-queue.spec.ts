import { afterEach, describe, expect, it } from 'vitest';
import { ThreadStore } from 'nestjs-agui';
import { ActiveRuns } from '../src/run/active-runs.js';
import {
  aborted,
  agentOf,
  deferred,
  reply,
  type Deferred,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  type Received,
} from './support/client.js';
import type { RootOptions } from './support/module-app.js';
import { BY_USER, as, cancel, outcomeOf } from './support/threads.js';

afterEach(closeApps);

/** An agent whose runs last until they are told to end, or to fail. */
function lasting() {
  const begun: string[] = [];
  const ends = new Map<string, Deferred<boolean>>();
  const endOf = (runId: string) => {
    if (!ends.has(runId)) ends.set(runId, deferred());
    return ends.get(runId)!;
  };
  const agent = agentOf(async function* (_messages, context) {
    const runId = context.get('agui.runId')!;
    begun.push(runId);
    yield reply.start();
    yield reply.text(`I am ${runId}.`);
    const fails = await Promise.race([
      endOf(runId).promise,
      aborted(context.signal),
    ]);
    if (fails) throw new Error('It failed.');
    yield reply.end();
  });
  const end = (runId: string, fails = false) => endOf(runId).resolve(fails);
  return { agent, begun, end };
}

/** A thread with a run, and what else may come. */
async function busy(platform: 'express' | 'fastify', options: RootOptions) {
  const { agent, ...rest } = lasting();
  const app = await serve(platform, agent, { ...BY_USER, ...options });
  const own = await openStream(app, inputOf());
  await own.untilType('TEXT_MESSAGE_CONTENT');
  const runs = app.app.get(ActiveRuns);
  /** Sends something; resolves when the server has it. */
  const arrived = async <T>(
    sent: Promise<T>,
  ): Promise<{ sent: Promise<T> }> => {
    const before = runs.size;
    sent.catch(() => undefined);
    while (runs.size === before) await turn(app);
    return { sent };
  };
  const open = (runId: string) => arrived(openStream(app, inputOf({ runId })));
  return { app, own, runs, arrived, open, ...rest };
}

describe.each(PLATFORMS)('A run in the queue of a thread on %s', (platform) => {
  const start = (options: RootOptions = {}) =>
    busy(platform, { concurrentRuns: 'queue', ...options });

  it('should give up when its time is over, and disturb nobody', async () => {
    const { app, own, end, begun, open } = await start({ runTimeout: 400 });
    const second = await open('r2');
    const late = await post(app, inputOf({ runId: 'r3' }));
    expect(late.status).toBe(504);
    end('r2');
    for (const stream of [own, await second.sent]) await stream.ended;
    end('r4');
    expect(textOf(await run(app, inputOf({ runId: 'r4' })))).toBe('I am r4.');
    expect(begun).toEqual(['r1', 'r2', 'r4']);
  });

  it('should have its turn after one that failed, was stopped, or lost its client', async () => {
    const { app, own, end, begun, open } = await start();
    const second = await open('r2');
    end('r1', true);
    await own.ended;
    expect(own.events.at(-1)).toMatchObject({ type: 'RUN_ERROR' });
    const stopped = await second.sent;
    await stopped.untilType('TEXT_MESSAGE_CONTENT');
    const third = await open('r3');
    expect(await cancel(app, { threadId: 't1', runId: 'r2' })).toMatchObject({
      cancelled: true,
    });
    const leaving = await third.sent;
    await leaving.untilType('TEXT_MESSAGE_CONTENT');
    const fourth = await open('r4');
    leaving.leave();
    const last = await fourth.sent;
    end('r4');
    await last.ended;
    expect(outcomeOf(last.events)).toBe('success');
    expect(begun).toEqual(['r1', 'r2', 'r3', 'r4']);
  });

  it('should have its turn without its client, if runs go on without', async () => {
    const { app, own, runs, arrived, end, begun } = await start({
      interruptOnDisconnect: false,
    });
    const impatient = new AbortController();
    const { signal } = impatient;
    await arrived(post(app, inputOf({ runId: 'r2' }), { signal }));
    impatient.abort();
    end('r1');
    end('r2');
    await own.ended;
    while (runs.size > 0) await turn(app);
    end('r3');
    expect(textOf(await run(app, inputOf({ runId: 'r3' })))).toBe('I am r3.');
    expect(begun).toEqual(['r1', 'r2', 'r3']);
  });

  it("should not be behind another user's", async () => {
    const { app, own, end } = await start();
    end('r2');
    const other = await run(app, inputOf({ runId: 'r2' }), as('ann'));
    expect(textOf(other)).toBe('I am r2.');
    expect(outcomeOf(own.events)).toBeUndefined();
    end('r1');
    await own.ended;
  });

  it('should end with all others when the thread is stopped', async () => {
    const { app, own, begun, arrived } = await start();
    const waiting: Promise<Received[]>[] = [];
    for (const runId of ['r2', 'r3'])
      waiting.push((await arrived(run(app, inputOf({ runId })))).sent);
    expect(await cancel(app)).toEqual({ status: 200, cancelled: true });
    await own.ended;
    for (const events of [own.events, ...(await Promise.all(waiting))])
      expect(outcomeOf(events)).toBe('cancelled');
    expect(begun).toEqual(['r1']);
  });
});

describe.each(PLATFORMS)('Runs that replace each other on %s', (platform) => {
  it('should all end cancelled but the last one', async () => {
    const { app, own, runs, begun, end } = await busy(platform, {
      concurrentRuns: 'cancel-previous',
    });
    const streams = ['r2', 'r3', 'r4', 'r5', 'r6'].map((runId) =>
      openStream(app, inputOf({ runId })),
    );
    const all = [own, ...(await Promise.all(streams))];
    while (runs.size > 1) await turn(app);
    const going = all.filter(({ events }) => outcomeOf(events) === undefined);
    expect(going).toHaveLength(1);
    await going[0]!.untilType('TEXT_MESSAGE_CONTENT');
    const runId = going[0]!.events[0]!['runId'] as string;
    expect(begun.at(-1)).toBe(runId);
    end(runId);
    await going[0]!.ended;
    for (const stream of all) {
      await stream.ended;
      expect(outcomeOf(stream.events)).toBe(
        stream === going[0] ? 'success' : 'cancelled',
      );
    }
  });

  it('should not wait longer than until the next one comes', async () => {
    const { agent, begun, end } = lasting();
    const app = await serve(platform, agent, {
      concurrentRuns: 'cancel-previous',
    });
    const runs = app.app.get(ActiveRuns);
    // A run that does not let go when it is cancelled, on another server for instance.
    const stubborn = await app.app
      .get(ThreadStore)
      .begin({ userId: undefined, threadId: 't1' }, 'r1');
    const second = run(app, inputOf({ runId: 'r2' }));
    while (runs.size < 1) await turn(app);
    const third = run(app, inputOf({ runId: 'r3' }));
    expect(outcomeOf(await second)).toBe('cancelled');
    expect(stubborn!.stop.aborted).toBe(true);
    await stubborn!.end();
    end('r3');
    expect(textOf(await third)).toBe('I am r3.');
    expect(begun).toEqual(['r3']);
  });
});

/** Lets the server do what it has to do: a request that it does not know goes there and back. */
async function turn({ url }: TestApp): Promise<void> {
  await (await fetch(`${url}/nothing`)).text();
}
