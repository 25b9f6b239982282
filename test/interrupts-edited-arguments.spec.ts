import { afterEach, describe, expect, it } from 'vitest';
import { type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { run } from './support/client.js';
import { answer, interruptsOf, resume } from './support/interrupting.js';
import { mailer, type Mail } from './support/mailer.js';
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

  describe('with edited arguments', () => {
    async function edited(
      editedArgs: unknown,
      options: Partial<AiSdkAgentOptions> = {},
    ) {
      models.script(mail(), 'Done.');
      const { app, sent, interrupts } = await asked(options);
      const events = await resume(app, [
        answer(interrupts[0]!, { approved: true, editedArgs }),
      ]);
      return { sent, events };
    }

    it('should run with these alone', async () => {
      const changed = { to: 'bob@example.com', subject: 'Changed' };
      const { sent } = await edited(changed);
      expect(sent).toEqual([changed]);
      expect(models.lastTalk()[1]!.tool_calls![0]!.function.arguments).toBe(
        JSON.stringify(changed),
      );
    });

    it('should not merge them with the old ones', async () => {
      const { sent, events } = await edited({ to: 'bob@example.com' });
      expect(sent).toEqual([]);
      expect(resultsIn(events)).toEqual([
        {
          toolCallId: 'c1',
          content: expect.stringContaining('subject') as string,
          metadata: { 'agui.toolResultState': 'error' },
        },
      ]);
    });

    it('should not run if they do not fit, and say so to the model and the client', async () => {
      const { sent, events } = await edited({ to: 5, subject: 'x' });
      expect(sent).toEqual([]);
      expect(toolMessages()[0]!.content).toContain('do not fit');
      expect(resultsIn(events)[0]!.content).toBe(toolMessages()[0]!.content);
      expect(events.at(-1)).toMatchObject({ type: 'RUN_FINISHED' });
    });

    it('should be an input error if they are no object', async () => {
      for (const editedArgs of ['{}', [], null]) {
        const { sent, events } = await edited(editedArgs);
        expect(sent).toEqual([]);
        expect(events.slice(1)).toMatchObject([
          { type: 'RUN_ERROR', code: 'INVALID_INPUT_ERROR' },
        ]);
        expect(models.requests()).toHaveLength(1);
        models.reset();
        await closeApps();
      }
    });

    it('should not run if the agent forbids them', async () => {
      const { sent, events } = await edited(
        { to: 'eve@example.org', subject: 'x' },
        {
          permission: ({ input }) =>
            (input as unknown as Mail).to.endsWith('.org') ? 'deny' : 'allow',
        },
      );
      expect(sent).toEqual([]);
      expect(resultsIn(events)).toMatchObject([
        { metadata: { 'agui.toolResultState': 'denied' } },
      ]);
      expect(toolMessages()[0]!.content).toContain('may not be used like this');
    });
  });
});
