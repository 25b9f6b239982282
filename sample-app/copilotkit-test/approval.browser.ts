import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SETTINGS, useSample } from './support/sample.js';

describe.each(SETTINGS)(
  "Consent in CopilotKit's chat on $platform, $routes",
  (setting) => {
    const sample = useSample(setting);

    async function asked() {
      const thread = randomUUID();
      const chat = await sample.open({ agent: 'approval', thread });
      await chat.connected();
      await chat.say('email ada@example.com');
      await chat.see('May the tool "send_email" run?');
      return chat;
    }

    it('should be given, with the id of the run that asked', async () => {
      const chat = await asked();
      await chat.button('Approve').click();
      await chat.see('Done: Email sent to ada@example.com');
      await chat.settled();
      const [first, second] = chat.runs;
      expect(second).toMatchObject({
        runId: first!.runId,
        resume: [{ status: 'resolved', payload: { approved: true } }],
      });
      expect(second!.messages.at(-1)).toMatchObject({ role: 'tool' });
      await chat.say('Hello');
      await chat.see('You said "Hello"');
    });

    it('should be refused', async () => {
      const chat = await asked();
      await chat.button('Refuse').click();
      await chat.see('nothing was done');
    });

    it('should be left open', async () => {
      const chat = await asked();
      await chat.button('Never mind').click();
      await chat.see('nothing was done');
    });

    it('should be asked for again after a reload', async () => {
      const chat = await asked();
      await chat.settled();
      await chat.reload();
      await chat.see('May the tool "send_email" run?');
      await chat.button('Approve').click();
      await chat.see('Done: Email sent to ada@example.com');
    });
  },
);
