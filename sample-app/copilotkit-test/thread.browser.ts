import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SETTINGS, useSample } from './support/sample.js';

/** The last words of the story. */
const END = /Chapter 12\. .* they went on together\.$/;

describe.each(SETTINGS)(
  "Threads in CopilotKit's chat on $platform, $routes",
  (setting) => {
    const sample = useSample(setting);

    async function opened() {
      const chat = await sample.open({ thread: randomUUID() });
      await chat.connected();
      return chat;
    }

    /** A page on which the agent is telling a long story. */
    async function listening() {
      sample.setTokenDelay(150);
      const chat = await opened();
      await chat.say('tell me a story');
      await chat.see(/Chapter 1\./);
      return chat;
    }

    it('should be there again after a reload', async () => {
      const chat = await opened();
      await chat.say('background teal');
      await chat.see('The background is teal now.');
      await chat.settled();
      await chat.say('2 + 3');
      await chat.see('2 + 3 = 5');
      await chat.settled();
      const before = await chat.conversation();
      await chat.reload();
      await chat.see('2 + 3 = 5');
      await chat.connected();
      expect(await chat.conversation()).toEqual(before);
      await chat.say('4 + 5');
      await chat.see('4 + 5 = 9');
      expect(await chat.questions.allInnerTexts()).toEqual([
        'background teal',
        '2 + 3',
        '4 + 5',
      ]);
    });

    it('should go on with a run during a reload', async () => {
      const chat = await listening();
      await chat.reload();
      await chat.see(/Chapter 1\./);
      expect(await chat.answers.innerText()).not.toMatch(END);
      sample.setTokenDelay(0);
      await chat.settled();
      expect(await chat.answers.count()).toBe(1);
      expect(await chat.answers.innerText()).toMatch(END);
      expect(await chat.questions.allInnerTexts()).toEqual(['tell me a story']);
    });

    it('should stop a run, and go on with the next one', async () => {
      const chat = await listening();
      await chat.send.click();
      await chat.settled();
      const told = await chat.answers.innerText();
      expect(told).not.toMatch(END);
      await chat.say('2 + 2');
      await chat.see('2 + 2 = 4');
      expect(await chat.answers.first().innerText()).toBe(told);
    });

    it('should stop a run after a reload', async () => {
      const chat = await listening();
      await chat.reload();
      await chat.see(/Chapter 1\./);
      await chat.send.click();
      await chat.settled();
      expect(await chat.answers.innerText()).not.toMatch(END);
      await chat.say('2 + 2');
      await chat.see('2 + 2 = 4');
    });

    it('should be seen in another tab as it is told', async () => {
      const chat = await listening();
      const { thread } = chat.opening;
      const other = await sample.open({ thread });
      await other.see(/Chapter 1\./);
      expect(await other.answers.innerText()).not.toMatch(END);
      sample.setTokenDelay(0);
      await other.settled();
      expect(await other.answers.innerText()).toMatch(END);
    });
  },
);
