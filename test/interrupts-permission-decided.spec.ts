import { afterEach, describe, expect, it } from 'vitest';
import { type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { run } from './support/client.js';
import { interruptsOf } from './support/interrupting.js';
import { MAIL, mailer } from './support/mailer.js';
import { useMockModels } from './support/mock-models.js';
import { mail, resultsIn } from './support/permission.js';

const models = useMockModels();
afterEach(closeApps);
const toolMessages = () =>
  models.lastTalk().filter(({ role }) => role === 'tool');

describe.each(PLATFORMS)('Permission on %s', (platform) => {
  async function asked(
    options: Partial<AiSdkAgentOptions> = {},
    send: Parameters<typeof mailer>[2] = {},
  ) {
    const { agent, sent } = mailer(models.model(), options, send);
    const app = await serve(platform, agent);
    const events = await run(app);
    return { app, sent, events, interrupts: interruptsOf(events) };
  }

  describe('decided by', () => {
    type Decision = Parameters<typeof mailer>[2] & {
      permission?: AiSdkAgentOptions['permission'];
    };
    const DECISIONS: [string, Decision, 'sent' | 'asked' | 'denied'][] = [
      ['nobody', { needsApproval: undefined }, 'sent'],
      ['needsApproval: false', { needsApproval: false }, 'sent'],
      ['needsApproval: true', { needsApproval: true }, 'asked'],
      [
        'needsApproval by the arguments, for some',
        { needsApproval: ({ to }) => to.startsWith('ada') },
        'asked',
      ],
      [
        'needsApproval by the arguments, for others',
        { needsApproval: ({ to }) => Promise.resolve(to.startsWith('bob')) },
        'sent',
      ],
      [
        'permission: ask',
        { needsApproval: false, permission: () => 'ask' },
        'asked',
      ],
      [
        'permission: allow',
        {
          needsApproval: undefined,
          permission: () => Promise.resolve('allow'),
        },
        'sent',
      ],
      [
        'needsApproval, which is stricter than allow',
        { needsApproval: true, permission: () => 'allow' },
        'asked',
      ],
      [
        'permission: deny, which is stricter than needsApproval',
        { needsApproval: true, permission: () => 'deny' },
        'denied',
      ],
      [
        'permission by the call and the context',
        {
          needsApproval: undefined,
          permission: ({ name, input, content }, context) =>
            name === 'send_email' &&
            input['to'] === MAIL.to &&
            content === JSON.stringify(MAIL) &&
            context.sessionId === 't1'
              ? 'deny'
              : 'allow',
        },
        'denied',
      ],
    ];

    it.each(DECISIONS)('%s', async (_by, { permission, ...send }, expected) => {
      models.script(mail(), 'Done.');
      const { sent, interrupts, events } = await asked({ permission }, send);
      expect(sent).toEqual(expected === 'sent' ? [MAIL] : []);
      expect(interrupts).toHaveLength(expected === 'asked' ? 1 : 0);
      expect(models.requests()).toHaveLength(expected === 'asked' ? 1 : 2);
      if (expected !== 'denied') return;
      expect(toolMessages()[0]!.content).toContain('may not be used like this');
      expect(resultsIn(events)).toMatchObject([
        { metadata: { 'agui.toolResultState': 'denied' } },
      ]);
    });

    it('one answer for each call, though a provider gives several one id', async () => {
      const denied = { to: 'eve@example.com', subject: 'x' };
      models.script(mail('call_0'), mail('call_0', denied), 'Done.');
      const seen: unknown[] = [];
      const { sent } = await asked(
        {
          permission: ({ input }) => {
            seen.push(input['to']);
            return input['to'] === denied.to ? 'deny' : 'allow';
          },
        },
        { needsApproval: false },
      );
      expect(seen).toEqual([MAIL.to, denied.to]);
      expect(sent).toEqual([MAIL]);
    });

    it('nobody if the function fails: then nothing runs', async () => {
      models.script(mail());
      const { sent, events } = await asked(
        {
          permission: () => {
            throw new Error('the policy server is down');
          },
        },
        { needsApproval: false },
      );
      expect(sent).toEqual([]);
      expect(events.at(-1)).toMatchObject({
        type: 'RUN_ERROR',
        code: 'INTERNAL_ERROR',
      });
    });
  });
});
