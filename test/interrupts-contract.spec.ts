import { afterEach, describe, expect, it, vi } from 'vitest';
import type { ConfirmResult } from 'nestjs-agui';
import { reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, post, run, typesOf } from './support/client.js';
import {
  actor,
  answer,
  ask,
  askConsent,
  interruptsOf,
  refusalOf,
  resume,
  suspend,
  type Script,
} from './support/interrupting.js';
import { as, BY_USER } from './support/threads.js';

afterEach(closeApps);

const KINDS: [string, Script, string][] = [
  ['a consent', askConsent('c1'), 'r:c1'],
  ['a suspended tool', suspend('c1'), 'r:c1'],
  ['a question', ask(), 'q1'],
];

describe.each(PLATFORMS)('The contract of interrupts on %s', (platform) => {
  async function stopped(...scripts: Script[]) {
    const agent = actor(...scripts);
    const app = await serve(platform, agent, BY_USER);
    const interrupts = interruptsOf(await run(app));
    return { agent, app, interrupts };
  }

  describe.each(KINDS)('for %s', (_kind, script, id) => {
    it('should refuse a run without answers', async () => {
      const { app, agent } = await stopped(script);
      for (const changes of [{}, { resume: [] }])
        expect(refusalOf(await run(app, inputOf(changes)))).toBe(
          `The thread waits for answers to "${id}"; "resume" brings none.`,
        );
      expect(agent.told).toHaveLength(1);
    });

    it('should go on when it is answered, and then want no more answers', async () => {
      const { app, agent } = await stopped(script);
      expect(typesOf(await resume(app, [answer(id, 'yes')]))).toContain(
        'RUN_FINISHED',
      );
      expect(agent.told).toHaveLength(2);
      expect(typesOf(await run(app))).toContain('RUN_FINISHED');
    });

    it('should go on when it is cancelled', async () => {
      const { app, agent } = await stopped(script);
      await resume(app, [answer(id, 'ignored', 'cancelled')]);
      const [told] = agent.told.at(-1)!.slice(-1);
      expect(told).toMatchObject({
        metadata: {
          'agui.interruptId': id,
          'agui.resumeStatus': 'cancelled',
        },
      });
    });

    it('should refuse the same answer after the run that it ended', async () => {
      const { app, agent } = await stopped(script);
      await resume(app, [answer(id, 'yes')]);
      expect(refusalOf(await resume(app, [answer(id, 'yes')]))).toBe(
        '"resume" answers interrupts, but none is open.',
      );
      expect(agent.told).toHaveLength(2);
    });
  });

  it('should refuse answers where nothing is open', async () => {
    const { app, agent } = await stopped();
    expect(refusalOf(await resume(app, [answer('q1')]))).toBe(
      '"resume" answers interrupts, but none is open.',
    );
    expect(agent.told).toHaveLength(1);
  });

  it('should refuse two answers to one interrupt', async () => {
    const { app, interrupts } = await stopped(askConsent('c1', 'c2'));
    const [one, other] = interrupts.map(({ id }) => answer(id));
    expect(refusalOf(await resume(app, [one!, other!, one!]))).toBe(
      '"resume" answers "r:c1" twice.',
    );
  });

  it('should refuse to leave one unanswered, and name it', async () => {
    const { app, agent } = await stopped([
      ...askConsent('c1'),
      ...suspend('c2'),
      ...ask(),
    ]);
    expect(refusalOf(await resume(app, [answer('r:c1')]))).toBe(
      '"resume" leaves "r:c2", "q1" unanswered.',
    );
    expect(agent.told).toHaveLength(1);
  });

  it('should leave out an answer that nobody asked for, with a warning', async () => {
    const { app, agent } = await stopped(askConsent('c1'));
    const events = await resume(app, [
      answer('r:c1', { approved: true }),
      answer('r:invented', { approved: true }),
    ]);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(agent.told.at(-1)!.map(({ id }) => id)).toEqual([
      'u1',
      'agui-confirm-r:c1',
    ]);
    expect(app.log).toContain(
      'warn: "resume" answers "r:invented", which nobody asked; ignored. AguiModule',
    );
  });

  it('should refuse a status that there is not, before the run', async () => {
    const { app, agent } = await stopped(askConsent('c1'));
    const response = await post(
      app,
      inputOf({ resume: [answer('r:c1', {}, 'approved')] }),
    );
    expect(response.status).toBe(400);
    expect(await response.json()).toMatchObject({
      errors: [{ path: 'resume.0.status' }],
    });
    expect(agent.told).toHaveLength(1);
  });

  it('should not be answered after its time, but be cancelled', async () => {
    const expiresAt = new Date(Date.now() - 1).toISOString();
    const { app, agent } = await stopped(ask({ expiresAt }));
    expect(refusalOf(await resume(app, [answer('q1', 'yes')]))).toBe(
      `Interrupt "q1" expired at ${expiresAt} and can no longer be answered; cancel it.`,
    );
    expect(agent.told).toHaveLength(1);
    const events = await resume(app, [answer('q1', undefined, 'cancelled')]);
    expect(typesOf(events)).toContain('RUN_FINISHED');
  });

  it('should be answered in the form that was asked for, or be cancelled', async () => {
    const responseSchema = {
      type: 'object',
      properties: { city: { type: 'string' } },
      required: ['city'],
    };
    const { app, agent } = await stopped(ask({ responseSchema }));
    for (const payload of ['Paris', {}, { city: 5 }, undefined])
      expect(refusalOf(await resume(app, [answer('q1', payload)]))).toContain(
        'The answer to interrupt "q1" does not fit its responseSchema: ',
      );
    expect(agent.told).toHaveLength(1);
    const events = await resume(app, [answer('q1', { city: 'Paris' })]);
    expect(typesOf(events)).toContain('RUN_FINISHED');
    expect(agent.told).toHaveLength(2);

    const other = await stopped(ask({ responseSchema }));
    const given = await resume(other.app, [answer('q1', '', 'cancelled')]);
    expect(typesOf(given)).toContain('RUN_FINISHED');
  });

  it.each([
    ['in time', new Date(Date.now() + 60_000).toISOString()],
    ['whose end nobody understands', 'when hell freezes over'],
  ])('should be answered %s', async (_when, expiresAt) => {
    const { app } = await stopped(ask({ expiresAt }));
    const events = await resume(app, [answer('q1', 'yes')]);
    expect(typesOf(events)).toContain('RUN_FINISHED');
  });

  it('should stay open when a run fails that had not acted upon it', async () => {
    const { app, agent } = await stopped(askConsent('c1'), () => {
      throw new Error('too early');
    });
    expect(await resume(app, [answer('r:c1')])).toMatchObject([
      { type: 'RUN_STARTED' },
      { type: 'RUN_ERROR', code: 'INTERNAL_ERROR' },
    ]);
    expect(refusalOf(await run(app))).toContain('r:c1');
    expect(typesOf(await resume(app, [answer('r:c1')]))).toContain(
      'RUN_FINISHED',
    );
    expect(agent.told).toHaveLength(3);
  });

  it('should stay open when a run breaks the contract', async () => {
    const { app, agent } = await stopped(askConsent('c1'));
    for (const entries of [[], [answer('q1')]]) await resume(app, entries);
    await resume(app, [answer('r:c1')]);
    expect(agent.told).toHaveLength(2);
  });

  it('should stay open when edited arguments are no object', async () => {
    const { app, agent } = await stopped(askConsent('c1'));
    for (const editedArgs of ['x', 5, null, [1]])
      expect(
        await resume(app, [answer('r:c1', { approved: true, editedArgs })]),
      ).toMatchObject([
        { type: 'RUN_STARTED' },
        { type: 'RUN_ERROR', code: 'INVALID_INPUT_ERROR' },
      ]);
    expect(agent.told).toHaveLength(1);
    await resume(app, [answer('r:c1', { approved: true })]);
    expect(agent.told).toHaveLength(2);
  });

  it('should be replaced by those that the resumed run stops for', async () => {
    const { app } = await stopped(askConsent('c1'), askConsent('c2'));
    expect(interruptsOf(await resume(app, [answer('r:c1')]))).toMatchObject([
      { id: 'r:c2' },
    ]);
    expect(refusalOf(await resume(app, [answer('r:c1')]))).toBe(
      '"resume" leaves "r:c2" unanswered.',
    );
    expect(typesOf(await resume(app, [answer('r:c2')]))).toContain(
      'RUN_FINISHED',
    );
  });

  it('should hold for each thread of its own', async () => {
    const { app } = await stopped(askConsent('c1'));
    const elsewhere = await run(app, inputOf({ threadId: 't2' }));
    expect(typesOf(elsewhere)).toContain('TEXT_MESSAGE_CONTENT');
  });

  it("should not tell another user's thread from one that is not there", async () => {
    const agent = actor(askConsent('c1'));
    const app = await serve(platform, agent, BY_USER);
    await run(app, inputOf(), as('ada'));
    const entries = [answer('r:c1', { approved: true })];
    const theirs = await resume(app, entries, {}, as('mallory'));
    const absent = await resume(
      app,
      entries,
      { threadId: 't9' },
      as('mallory'),
    );
    const anonymous = await resume(app, entries);
    expect(refusalOf(theirs)).toBe(refusalOf(absent));
    expect(refusalOf(theirs)).toBe(refusalOf(anonymous));
    expect(agent.told).toHaveLength(1);
    expect(typesOf(await run(app, inputOf(), as('mallory')))).toContain(
      'RUN_FINISHED',
    );
    await resume(app, entries, {}, as('ada'));
    expect(agent.told.at(-1)!.at(-1)!.id).toBe('agui-confirm-r:c1');
  });

  it('should tell the agent the decision, made of what the server recorded', async () => {
    const { app, agent } = await stopped(askConsent('c1', 'c2'));
    await resume(app, [
      answer('r:c2', { approved: false, reason: 'no' }),
      answer('r:c1', { approved: true, editedArgs: { to: 'x' } }),
    ]);
    const confirmed = agent.told
      .at(-1)!
      .flatMap(
        ({ metadata }) =>
          (metadata?.['agui.confirmResults'] ?? []) as ConfirmResult[],
      );
    const call = { type: 'tool_use', name: 'send' };
    expect(confirmed).toEqual([
      {
        confirmed: false,
        reason: 'no',
        toolCall: {
          ...call,
          id: 'c2',
          input: { to: 'c2' },
          content: '{"to":"c2"}',
        },
      },
      {
        confirmed: true,
        toolCall: {
          ...call,
          id: 'c1',
          input: { to: 'x' },
          content: '{"to":"x"}',
        },
      },
    ]);
  });

  describe('one run at a time', () => {
    const speakForever: Script = async function* () {
      for (;;) {
        yield reply.text('and ');
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
    };

    it('should refuse a second run while there is one', async () => {
      const { app, agent } = await stopped([], speakForever);
      const live = await openStream(app);
      await live.untilType('TEXT_MESSAGE_CONTENT');
      expect(refusalOf(await run(app))).toBe(
        'Thread "t1" already has an active run.',
      );
      expect(agent.told).toHaveLength(2);
      live.leave();
      await vi.waitUntil(async () => refusalOf(await run(app)) === undefined);
    });

    it('should be over when the client reads the last event', async () => {
      const { app } = await stopped(
        ...Array.from({ length: 20 }, () => askConsent('c1')),
      );
      for (let n = 0; n < 19; n++) {
        const live = await openStream(
          app,
          inputOf({ resume: [answer('r:c1', { approved: true })] }),
        );
        await live.untilType('RUN_FINISHED');
      }
      expect(refusalOf(await run(app))).toContain('waits for answers');
    });

    it('should be over when the client reads that it failed', async () => {
      const fail: Script = () => {
        throw new Error('oh');
      };
      const { app } = await stopped(fail, fail, fail, fail);
      for (let n = 0; n < 3; n++) {
        const live = await openStream(app);
        expect(await live.untilType('RUN_ERROR')).toContain('INTERNAL_ERROR');
      }
    });

    it('should not be taken by a run that could not be prepared', async () => {
      let broken = true;
      const app = await serve(platform, () => {
        if (broken) throw new Error('no agent today');
        return actor();
      });
      expect((await post(app)).status).toBe(500);
      broken = false;
      expect(typesOf(await run(app))).toContain('RUN_FINISHED');
    });
  });
});
