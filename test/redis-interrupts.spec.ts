import { describe, expect, it } from 'vitest';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { z } from 'zod';
import { HAS_REDIS } from '../src/thread/redis/redis-server.fixture.js';
import { inputOf, post, run, typesOf } from './support/client.js';
import {
  actor,
  answer,
  ask,
  askConsent,
  interruptsOf,
  refusalOf,
  resume,
  suspend,
} from './support/interrupting.js';
import { calls, useMockModels } from './support/mock-models.js';
import { useSharedRedis } from './support/shared-redis.js';
import { as, CANCEL, CONNECT } from './support/threads.js';

describe.skipIf(!HAS_REDIS)('Two servers on one Redis', () => {
  const shared = useSharedRedis();
  const models = useMockModels();

  it.each([
    ['a consent', askConsent('c1'), 'r:c1', { approved: true }],
    ['a suspended tool', suspend('c1'), 'r:c1', 'done'],
    ['a question', ask(), 'q1', 'yes'],
  ])(
    'should go on at one with %s that the other stopped for',
    async (_what, script, id, payload) => {
      const [one, two] = [actor(script), actor()];
      const { a, b } = await shared.two((name) => ({
        agents: { default: name === 'a' ? one : two },
      }));
      const thread = shared.newThread();
      expect(interruptsOf(await run(a, inputOf(thread)))).toMatchObject([
        { id },
      ]);
      expect(refusalOf(await run(b, inputOf(thread)))).toContain(id);
      const events = await resume(b, [answer(id, payload)], thread);
      expect(typesOf(events)).toContain('RUN_FINISHED');
      expect(two.told[0]!.at(-1)!.id).toMatch(/^agui-(confirm|resume)-/);
      expect(
        refusalOf(await resume(a, [answer(id, payload)], thread)),
      ).toContain('none is open');
    },
  );

  it('should carry out at one, once and with edited arguments, what was asked about at the other', async () => {
    const sent: string[] = [];
    const { a, b } = await shared.two(() => ({
      agents: {
        default: new AiSdkAgent({
          model: models.model(),
          tools: {
            send: agentTool({
              inputSchema: z.object({ to: z.string() }),
              needsApproval: true,
              execute: ({ to }) => {
                sent.push(to);
                return `Sent to ${to}`;
              },
            }),
          },
        }),
      },
      serverSideMemory: true,
    }));
    const thread = shared.newThread();
    models.script(calls('send', { to: 'a@x' }, 'c1'), 'Done.', 'Again done.');
    const [interrupt] = interruptsOf(await run(a, inputOf(thread)));
    const payload = { approved: true, editedArgs: { to: 'b@x' } };
    const only = { ...thread, messages: [] };
    const entries = [answer(interrupt!, payload)];
    const both = await Promise.all([
      resume(a, entries, only),
      resume(b, entries, { ...only, runId: 'r2' }),
    ]);
    expect(sent).toEqual(['b@x']);
    expect(
      both.filter((events) => typesOf(events).includes('TOOL_CALL_RESULT')),
    ).toHaveLength(1);
    const next = { id: 'u9', role: 'user', content: 'And now?' };
    await run(b, inputOf({ ...thread, runId: 'r3', messages: [next] }));
    expect(models.lastTalk().map(({ role }) => role)).toEqual([
      'user',
      'assistant',
      'tool',
      'assistant',
      'user',
    ]);
    expect(models.lastTalk()[2]!.content).toBe('Sent to b@x');
  });

  it("should not give a thread to another's user", async () => {
    const { a, b } = await shared.two(() => ({
      agents: { default: actor(ask()) },
    }));
    const thread = shared.newThread();
    await run(a, inputOf(thread), as('ann'));
    for (const route of [CONNECT, CANCEL])
      expect((await post(b, thread, as('eve', route))).status).toBe(404);
    const entries = { ...thread, resume: [answer('q1', 'yes')] };
    expect(refusalOf(await run(b, inputOf(entries), as('eve')))).toContain(
      'none is open',
    );
    const connected = await run(b, thread, as('ann', CONNECT));
    expect(interruptsOf(connected)).toMatchObject([{ id: 'q1' }]);
  });
});
