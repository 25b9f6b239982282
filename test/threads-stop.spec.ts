import { afterEach, describe, expect, it, vi } from 'vitest';
import {
  agentOf,
  deferred,
  reply,
  sayer,
  silentAgent,
} from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, run, typesOf } from './support/client.js';
import { EVERYTHING } from './support/everything.js';
import { refuseComplaints } from './support/http-agents.js';
import { actor, answer, ask, interruptsOf } from './support/interrupting.js';
import {
  BY_USER,
  as,
  cancel,
  clientAt,
  connect,
  firstRun,
  follow,
  objectionsTo,
  outcomeOf,
  StepByStep,
  user,
} from './support/threads.js';

refuseComplaints();
afterEach(closeApps);

const PRESSED = { status: 200, cancelled: true };
const TOO_LATE = { status: 200, cancelled: false };
const UNKNOWN = { status: 404 };

describe.each(PLATFORMS)('A run that is stopped on %s', (platform) => {
  it.each([3, 6, 12, 17, 20])(
    'should close whatever is open, for its client and all who follow (%i)',
    async (place) => {
      const agent = new StepByStep(EVERYTHING);
      const app = await serve(platform, agent, { enableReasoning: true });
      const own = await openStream(app);
      agent.say(place);
      await own.until(() => own.events.length > place);
      const other = await follow(app);
      await other.untilType('STATE_SNAPSHOT');
      expect(await cancel(app)).toEqual(PRESSED);
      await Promise.all([own.ended, other.ended]);
      for (const { events } of [own, other]) {
        expect(objectionsTo(events)).toEqual([]);
        expect(outcomeOf(events)).toBe('cancelled');
      }
      const count = (suffix: RegExp) =>
        typesOf(own.events).filter((type) => suffix.test(type)).length;
      expect(count(/_(END|FINISHED|ERROR)$/)).toBe(count(/_(START|STARTED)$/));
    },
  );

  it('should leave the official client with what was said, and able to go on', async () => {
    let runs = 0;
    const agent = agentOf(async function* (_messages, { signal }) {
      const id = `r${++runs}`;
      yield reply.start(id);
      yield reply.text(`Answer ${runs}`, id);
      if (runs === 1)
        await new Promise((resolve) => (signal.onabort = resolve));
      yield reply.end(id);
    });
    const app = await serve(platform, agent);
    const client = clientAt(app, {}, [user('u1')]);
    const running = client.runAgent({ runId: 'r1' });
    await vi.waitFor(() => expect(client.messages).toHaveLength(2));
    expect(await cancel(app, { threadId: 't1', runId: 'r1' })).toEqual(PRESSED);
    await running;
    client.addMessage(user('u2'));
    await client.runAgent();
    expect(client.messages.map(({ content }) => content)).toEqual([
      'text of u1',
      'Answer 1',
      'text of u2',
      'Answer 2',
    ]);
  });

  it('should be an error to older clients', async () => {
    const app = await serve(platform, silentAgent([reply.start()]));
    const own = await openStream(app, inputOf({ protocolVersion: undefined }));
    await own.untilType('RUN_STARTED');
    expect(await cancel(app)).toEqual(PRESSED);
    await own.ended;
    expect(own.events.at(-1)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'CANCELLED',
    });
  });

  it('should end, and free its thread, though its agent does not listen', async () => {
    const stubborn = deferred();
    let runs = 0;
    const app = await serve(
      platform,
      agentOf(async function* () {
        yield reply.start();
        if (++runs === 1) await stubborn.promise;
        yield reply.text('late');
        yield reply.end();
      }),
    );
    const own = await openStream(app);
    await own.untilType('RUN_STARTED');
    expect(await cancel(app)).toEqual(PRESSED);
    await own.untilType('RUN_FINISHED');
    const next = await run(app, inputOf({ runId: 'r2' }));
    expect(outcomeOf(next)).toBe('success');
    stubborn.resolve();
    await own.ended;
    expect(own.text).not.toContain('late');
    const messages = JSON.stringify(await connect(app));
    expect(messages.match(/late/g)).toHaveLength(1);
  });

  it.each([
    ['another user', 'eve', { runId: 'r1' }],
    ['another thread', 'ann', { threadId: 't2', runId: 'r1' }],
    ['another run', 'ann', { runId: 'r2' }],
  ])('should not be stopped by the button of %s', async (_what, who, named) => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent, BY_USER);
    const own = await openStream(app, inputOf(), as('ann'));
    await own.untilType('TEXT_MESSAGE_CONTENT');
    const press = (what: object, user: string) =>
      cancel(app, { threadId: 't1', ...what }, as(user));
    expect(await press(named, who)).toEqual(UNKNOWN);
    expect(typesOf(own.events)).not.toContain('RUN_FINISHED');
    expect(await press({ runId: 'r1' }, 'ann')).toEqual(PRESSED);
    await own.ended;
    await agent.stopped.promise;
    expect(outcomeOf(own.events)).toBe('cancelled');
    expect(await press({ runId: 'r1' }, 'ann')).toEqual(TOO_LATE);
  });

  it('should be over for whoever presses again, but not for strangers', async () => {
    const app = await serve(platform, sayer('Hello'), BY_USER);
    expect(await cancel(app, { threadId: 't1' }, as('ann'))).toEqual(UNKNOWN);
    await firstRun(app, {}, as('ann'));
    const press = (named: object, who = 'ann') =>
      cancel(app, { threadId: 't1', ...named }, as(who));
    expect(await press({})).toEqual(TOO_LATE);
    expect(await press({ runId: 'r1' })).toEqual(TOO_LATE);
    expect(await press({ runId: 'r2' })).toEqual(UNKNOWN);
    expect(await press({ threadId: 't2' })).toEqual(UNKNOWN);
    expect(await press({}, 'eve')).toEqual(UNKNOWN);
    expect(await press({ runId: 'r1', userId: 'ann' }, 'eve')).toEqual(UNKNOWN);
  });

  it('should not begin, if that comes while it is prepared', async () => {
    const [asked, ready] = [deferred(), deferred()];
    const agent = actor();
    const app = await serve(platform, async () => {
      asked.resolve();
      await ready.promise;
      return agent;
    });
    const events = run(app);
    await asked.promise;
    expect(await cancel(app, { threadId: 't1', runId: 'r1' })).toEqual(PRESSED);
    ready.resolve();
    expect(await events).toMatchObject([
      { type: 'RUN_STARTED' },
      { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
    ]);
    expect(agent.told).toEqual([]);
    expect(outcomeOf(await run(app, inputOf({ runId: 'r2' })))).toBe('success');
  });

  it('should not be asked again what it had been asked', async () => {
    const stopped = deferred();
    const app = await serve(
      platform,
      actor(ask(), async function* () {
        yield reply.text('Well');
        stopped.resolve();
        await new Promise(() => undefined);
      }),
    );
    const [asked] = interruptsOf(await firstRun(app));
    const resume = [answer(asked!, 'yes')];
    const own = await openStream(app, inputOf({ runId: 'r2', resume }));
    await stopped.promise;
    expect(await cancel(app)).toEqual(PRESSED);
    await own.ended;
    expect(interruptsOf(await connect(app))).toEqual([]);
    expect(outcomeOf(await run(app, inputOf({ runId: 'r3' })))).toBe('success');
  });

  it('should have its thread free when its end can be read', async () => {
    const agent = silentAgent([reply.start(), reply.text('Well')]);
    const app = await serve(platform, agent);
    for (let n = 0; n < 20; n++) {
      const own = await openStream(app, inputOf({ runId: `r${n}` }));
      await own.untilType('TEXT_MESSAGE_CONTENT');
      expect(await cancel(app)).toEqual(PRESSED);
      await own.untilType('RUN_FINISHED');
    }
  });
});
