import { afterEach, describe, expect, it, vi } from 'vitest';
import { ActiveRuns } from '../src/run/active-runs.js';
import { agentOf, deferred, reply, type Deferred } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  textOf,
  typesOf,
} from './support/client.js';
import { refusalOf } from './support/interrupting.js';
import { BY_USER } from './support/threads.js';

afterEach(closeApps);

/** An agent whose runs end when they are told to, and which keeps a list of what happens. */
function held() {
  const happened: string[] = [];
  const ends = new Map<string, Deferred<void>>();
  const endOf = (runId: string) => {
    const end = ends.get(runId) ?? deferred();
    ends.set(runId, end);
    return end;
  };
  const agent = agentOf(async function* (_messages, context) {
    const runId = context.get('agui.runId')!;
    happened.push(`${runId} begins`);
    yield reply.start();
    yield reply.text(`I am ${runId}.`);
    await Promise.race([
      endOf(runId).promise,
      new Promise((resolve) => (context.signal.onabort = resolve)),
    ]);
    happened.push(`${runId} ends`);
    yield reply.end();
  });
  return { agent, happened, end: (runId: string) => endOf(runId).resolve() };
}

const named = (runId: string) => inputOf({ runId });

describe.each(PLATFORMS)('Runs of one thread on %s', (platform) => {
  async function begun(options = {}) {
    const { agent, ...rest } = held();
    const app = await serve(platform, agent, { ...BY_USER, ...options });
    const first = await openStream(app, named('r1'));
    await first.untilType('TEXT_MESSAGE_CONTENT');
    return { app, first, ...rest };
  }

  it('should be refused while there is one, and not those of other threads and users', async () => {
    const { app, first, end, happened } = await begun();
    expect(refusalOf(await run(app, named('r2')))).toBe(
      'Thread "t1" already has an active run.',
    );
    end('r3');
    end('r4');
    const other = inputOf({ runId: 'r3', threadId: 't2' });
    expect(textOf(await run(app, other))).toBe('I am r3.');
    const headers = { 'x-user': 'ann' };
    expect(textOf(await run(app, named('r4'), { headers }))).toBe('I am r4.');
    expect(happened).not.toContain('r1 ends');
    end('r1');
    await first.ended;
  });

  it('should follow each other at once when the end of one has been read', async () => {
    const { agent, end } = held();
    const app = await serve(platform, agent);
    for (let n = 0; n < 50; n++) {
      end(`r${n}`);
      const stream = await openStream(app, named(`r${n}`));
      await stream.untilType('RUN_FINISHED');
      expect(typesOf(stream.events)).not.toContain('RUN_ERROR');
    }
  });

  it('should have the thread at once when a client has left', async () => {
    const { app, first, end, happened } = await begun();
    first.leave();
    end('r2');
    await vi.waitFor(() => expect(happened).toContain('r1 ends'));
    expect(textOf(await run(app, named('r2')))).toBe('I am r2.');
  });

  it('should wait for each other in their order, if that is asked for', async () => {
    const { app, first, end, happened } = await begun({
      concurrentRuns: 'queue',
    });
    const waiting = [];
    for (const runId of ['r2', 'r3', 'r4']) {
      waiting.push(run(app, named(runId)));
      // One that is answered at once tells that the one before has arrived.
      end(`${runId}-other`);
      const other = { runId: `${runId}-other`, threadId: 'other' };
      await run(app, inputOf(other));
    }
    for (const runId of ['r1', 'r2', 'r3', 'r4']) end(runId);
    await first.ended;
    const texts = (await Promise.all(waiting)).map(textOf);
    expect(texts).toEqual(['I am r2.', 'I am r3.', 'I am r4.']);
    expect(happened.filter((one) => !one.includes('other'))).toEqual(
      ['r1', 'r2', 'r3', 'r4'].flatMap((id) => [`${id} begins`, `${id} ends`]),
    );
  });

  it('should not be begun for a client that has left the queue', async () => {
    const { app, first, end, happened } = await begun({
      concurrentRuns: 'queue',
    });
    const impatient = new AbortController();
    const { signal } = impatient;
    const gone = post(app, named('r2'), { signal });
    end('o');
    await run(app, inputOf({ runId: 'o', threadId: 'other' }));
    impatient.abort();
    await expect(gone).rejects.toThrow('aborted');
    const runs = app.app.get(ActiveRuns);
    await vi.waitFor(() => expect(runs.size).toBe(1));
    end('r1');
    await first.ended;
    end('r4');
    expect(textOf(await run(app, named('r4')))).toBe('I am r4.');
    expect(happened).not.toContain('r2 begins');
  });

  it('should have the one before cancelled, if that is asked for', async () => {
    const { app, first, end, happened } = await begun({
      concurrentRuns: 'cancel-previous',
    });
    end('r2');
    const second = await run(app, named('r2'));
    expect(textOf(second)).toBe('I am r2.');
    expect(typesOf(second).at(-1)).toBe('RUN_FINISHED');
    await first.ended;
    expect(first.events.at(-1)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    });
    expect(happened[0]).toBe('r1 begins');
  });
});
