import { afterEach, describe, expect, it } from 'vitest';
import { AguiModule, type AgentEvent } from 'nestjs-agui';
import { agentOf, reply, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve, startApp } from './support/app.js';
import { inputOf, openStream, post, run, typesOf } from './support/client.js';
import {
  actor,
  answer,
  ask,
  askConsent,
  interruptsOf,
  refusalOf,
  resume,
} from './support/interrupting.js';

afterEach(closeApps);

const circle: Record<string, unknown> = { a: 1 };
circle['self'] = circle;

const ODD: [string, AgentEvent[]][] = [
  ['an interrupt', ask({ metadata: circle })],
  [
    'an activity',
    [
      {
        type: 'AGUI_EVENT',
        event: {
          type: 'ACTIVITY_SNAPSHOT',
          messageId: 'm',
          activityType: 'x',
          content: circle,
        } as never,
      },
    ],
  ],
  ['a custom event', [{ type: 'CUSTOM', name: 'x', value: circle }]],
];

describe.each(PLATFORMS)('A thread on %s', (platform) => {
  it.each(ODD)('should bear circles in %s', async (_what, script) => {
    const app = await serve(platform, actor(script));
    expect(typesOf(await run(app)).at(-1)).toBe('RUN_FINISHED');
    const path = '/agui/connect';
    const events = await run(app, { threadId: 't1' }, { path });
    expect(typesOf(events).at(-1)).toBe('RUN_FINISHED');
  });

  it('should bear circles and functions in what an agent keeps', async () => {
    const kept: unknown[] = [];
    const agent = agentOf(async function* (_messages, context) {
      const session = context.get('agui.session')!;
      kept.push({ ...session });
      Object.assign(session, { circle, act: () => undefined, n: 1 });
      yield reply.start();
      yield reply.end();
    });
    const app = await serve(platform, agent);
    await run(app);
    await run(app);
    expect(kept).toEqual([{}, { circle: { a: 1 }, n: 1 }]);
  });

  it('should let nobody answer what another agent has asked', async () => {
    const [asking, other] = [actor(askConsent('c1')), actor()];
    const app = await startApp(platform, {
      imports: [AguiModule.forRoot({ agents: { default: asking, other } })],
    });
    const [interrupt] = interruptsOf(await run(app));
    const entries = [answer(interrupt!, { approved: true })];
    const input = inputOf({ resume: entries });
    const path = '/agui/run/other';
    expect(refusalOf(await run(app, input, { path }))).toBe(
      'The thread waits for answers to the agent "default", not "other".',
    );
    expect(other.told).toEqual([]);
    expect(typesOf(await resume(app, entries))).toContain('RUN_FINISHED');
    expect(typesOf(await run(app, inputOf(), { path }))).toContain(
      'RUN_FINISHED',
    );
  });

  it('should have runs that wait for it cancelled, like those that do not', async () => {
    const agent = silentAgent([reply.start(), reply.text('well')]);
    const app = await serve(platform, agent, { concurrentRuns: 'queue' });
    const first = await openStream(app, inputOf());
    await first.untilType('TEXT_MESSAGE_CONTENT');
    const second = run(app, inputOf({ runId: 'r2' }));
    const cancel = (runId?: string) =>
      post(app, { threadId: 't1', runId }, { path: '/agui/cancel' });
    while ((await cancel('r2')).status === 404);
    expect(await second).toMatchObject([
      { type: 'RUN_STARTED', runId: 'r2' },
      { type: 'RUN_FINISHED', outcome: { type: 'cancelled' } },
    ]);
    expect(typesOf(first.events)).not.toContain('RUN_FINISHED');
    await cancel();
    await first.ended;
  });
});
