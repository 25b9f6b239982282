import { afterEach, describe, expect, it, vi } from 'vitest';
import { aborted, deferred } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import {
  inputOf,
  openSocket,
  openStream,
  run,
  typesOf,
  type Received,
} from './support/client.js';
import {
  actor,
  answer,
  askConsent,
  interruptsOf,
  refusalOf,
  resume,
} from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { calls, together, useMockModels } from './support/mock-models.js';
import { roundTrip } from './support/settle.js';

const models = useMockModels();
afterEach(closeApps);

const mail = (id = 'c1') => calls('send_email', MAIL, id);
const broken = { error: { message: 'overloaded' }, status: 400 };

/** What a client holds after a run that made calls and got results. */
function historyOf(...runs: Received[][]) {
  const events = runs.flat();
  const toolCalls = events
    .filter(({ type }) => type === 'TOOL_CALL_START')
    .map(({ toolCallId, toolCallName }) => ({
      id: toolCallId,
      type: 'function',
      function: { name: toolCallName, arguments: JSON.stringify(MAIL) },
    }));
  const results = events
    .filter(({ type }) => type === 'TOOL_CALL_RESULT')
    .map(({ messageId: id, toolCallId, content }) => ({
      id,
      role: 'tool',
      toolCallId,
      content,
    }));
  return [
    ...inputOf().messages,
    { id: 'a1', role: 'assistant', toolCalls },
    ...results,
  ];
}

describe.each(PLATFORMS)('An answer is acted upon once, on %s', (platform) => {
  async function stopped(...turns: Parameters<typeof models.script>) {
    models.script(...turns);
    const { agent, sent } = mailer(models.model());
    const app = await serve(platform, agent);
    const first = await run(app);
    const approve = interruptsOf(first).map((one) =>
      answer(one, { approved: true }),
    );
    return { app, sent, first, approve };
  }

  it('when it is given again later', async () => {
    const { app, sent, approve } = await stopped(mail(), 'Sent.');
    await resume(app, approve);
    expect(refusalOf(await resume(app, approve))).toContain('none is open');
    expect(sent).toHaveLength(1);
    expect(models.requests()).toHaveLength(2);
  });

  it('when it is given many times at once', async () => {
    const { app, sent, approve } = await stopped(
      mail(),
      'Sent.',
      'a',
      'b',
      'c',
    );
    const runs = await Promise.all(
      Array.from({ length: 8 }, () => resume(app, approve)),
    );
    expect(sent).toHaveLength(1);
    expect(runs.filter((one) => refusalOf(one) === undefined)).toHaveLength(1);
  });

  it('when the run fails after the tool ran, which the client can put right', async () => {
    const { app, sent, first, approve } = await stopped(
      mail(),
      broken,
      'Sent.',
    );
    const failed = await resume(app, approve);
    expect(typesOf(failed)).toEqual([
      'RUN_STARTED',
      'TOOL_CALL_RESULT',
      'RUN_ERROR',
    ]);
    // The client was not told that nothing is open any more, so it has to answer again.
    const messages = historyOf(first, failed);
    const events = await resume(app, approve, { messages });
    expect(sent).toHaveLength(1);
    expect(typesOf(events)).not.toContain('TOOL_CALL_RESULT');
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(models.lastTalk().at(-1)).toMatchObject({
      role: 'tool',
      content: 'Email sent to ada@example.com',
    });
    expect(refusalOf(await resume(app, approve))).toContain('none is open');
  });

  it('when the run fails after the tool ran, and nobody answers again', async () => {
    const { app, sent, first, approve } = await stopped(
      mail(),
      broken,
      'Sent.',
    );
    const messages = historyOf(first, await resume(app, approve));
    const events = await run(app, inputOf({ messages }));
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(sent).toHaveLength(1);
  });

  it('and what was not acted upon stays open', async () => {
    const started = deferred();
    models.script(together(mail('c1'), mail('c2')), 'Both.');
    let runs = 0;
    const { agent } = mailer(
      models.model(),
      {},
      {
        execute: async (_mail, { toolCallId, signal }) => {
          runs++;
          if (toolCallId === 'c1') return 'first';
          started.resolve();
          await aborted(signal);
          return 'second';
        },
      },
    );
    const app = await serve(platform, agent);
    const first = await run(app);
    const approve = interruptsOf(first).map((one) =>
      answer(one, { approved: true }),
    );
    const live = await openStream(app, inputOf({ resume: approve }));
    await live.untilType('TOOL_CALL_RESULT');
    await started.promise;
    live.leave();
    const messages = historyOf(first, live.events);
    let events: Received[] = [];
    await vi.waitUntil(async () => {
      events = await resume(app, approve, { messages });
      return refusalOf(events) === undefined;
    });
    expect(runs).toBe(2);
    expect(
      events.filter(({ type }) => type === 'TOOL_CALL_RESULT'),
    ).toMatchObject([
      {
        toolCallId: 'c2',
        content: expect.stringContaining('did not run again') as string,
      },
    ]);
    expect(
      models
        .lastTalk()
        .slice(-2)
        .map(({ content }) => content),
    ).toEqual([
      'first',
      expect.stringContaining('what came of it is not known'),
    ]);
  });

  it('when the client leaves while the tool runs', async () => {
    const started = deferred();
    const finish = deferred();
    models.script(mail(), 'Done.');
    let runs = 0;
    const { agent } = mailer(
      models.model(),
      {},
      {
        execute: async () => {
          runs++;
          started.resolve();
          await finish.promise;
        },
      },
    );
    const app = await serve(platform, agent);
    const first = await run(app);
    const [interrupt] = interruptsOf(first);
    const approve = [answer(interrupt!, { approved: true })];
    const live = await openStream(app, inputOf({ resume: approve }));
    await started.promise;
    live.leave();
    let events: Received[] = [];
    await vi.waitUntil(async () => {
      events = await resume(app, approve, { messages: historyOf(first) });
      return refusalOf(events) === undefined;
    });
    finish.resolve();
    expect(runs).toBe(1);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    expect(models.lastTalk().at(-1)!.content).toContain('did not run again');
  });

  it('not at all when the client leaves before the run begins', async () => {
    const asked = deferred();
    const told = deferred();
    let slow = false;
    models.script(mail(), 'Sent.');
    const { agent, sent } = mailer(models.model());
    const app = await serve(platform, agent, {
      contextResolvers: [
        {
          resolve: async () => {
            if (!slow) return {};
            asked.resolve();
            await told.promise;
          },
        },
      ],
    });
    const [interrupt] = interruptsOf(await run(app));
    const approve = [answer(interrupt!, { approved: true })];
    slow = true;
    const socket = await openSocket(app, inputOf({ resume: approve }));
    await asked.promise;
    socket.destroy();
    await roundTrip(app);
    slow = false;
    told.resolve();
    await roundTrip(app);
    expect(sent).toHaveLength(0);
    const events = await resume(app, approve);
    expect(sent).toHaveLength(1);
    expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('by agents of any kind, once they have told its result', async () => {
    const call = { replyId: 'r', toolCallId: 'c1', toolCallName: 'send' };
    const agent = actor(askConsent('c1'), function* () {
      yield { type: 'TOOL_RESULT_START', ...call };
      yield { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: 'sent' };
      yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
      throw new Error('afterwards');
    });
    const app = await serve(platform, agent);
    const [interrupt] = interruptsOf(await run(app));
    await resume(app, [answer(interrupt!, { approved: true })]);
    await resume(app, [answer(interrupt!, { approved: true })]);
    expect(agent.told).toHaveLength(3);
    expect(agent.told[2]!.map(({ id }) => id)).toEqual(['u1']);
  });

  it('by agents of any kind, once they have said that they do', async () => {
    const agent = actor(askConsent('c1'), function* () {
      yield {
        type: 'USER_CONFIRM_RESULT',
        replyId: 'r',
        confirmResults: [
          {
            confirmed: true,
            toolCall: {
              type: 'tool_use',
              id: 'c1',
              name: 'send',
              input: {},
              content: '{}',
            },
          },
        ],
      };
      throw new Error('afterwards');
    });
    const app = await serve(platform, agent);
    const [interrupt] = interruptsOf(await run(app));
    await resume(app, [answer(interrupt!, { approved: true })]);
    await run(app);
    expect(agent.told[2]!.map(({ id }) => id)).toEqual(['u1']);
  });
});
