import { randomUUID } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { SETTINGS, useSample } from './support/sample.js';

describe.each(SETTINGS)(
  "CopilotKit's chat on $platform, $routes",
  (setting) => {
    const sample = useSample(setting);

    it('should show what an agent thinks, does and says', async () => {
      const chat = await sample.open();
      await chat.say('weather in Paris');
      await chat.see('Somebody asks for the weather, so I look it up.');
      await chat.see(/The weather in Paris is \w+ at -?\d+/);
      await chat.settled();
      await chat.say('2 + 3 * 4');
      await chat.see('2 + 3 * 4 = 14');
      await chat.settled();
      expect(await chat.questions.allInnerTexts()).toEqual([
        'weather in Paris',
        '2 + 3 * 4',
      ]);
      expect(chat.runs.map(({ messages }) => messages.length)).toEqual([1, 6]);
    });

    it('should use a tool of the page', async () => {
      const chat = await sample.open();
      await chat.say('background teal');
      await chat.see('The background is teal now.');
      await chat.settled();
      expect(
        await chat.page.locator('html').getAttribute('data-background'),
      ).toBe('teal');
      const [, answer] = chat.runs;
      expect(answer!.messages.at(-1)).toMatchObject({
        role: 'tool',
        content: 'The background is teal now.',
      });
    });

    it('should let the user answer a tool', async () => {
      const chat = await sample.open();
      await chat.say('let me choose between tea and coffee');
      await chat.see('Which one shall it be?');
      await chat.button('coffee').click();
      await chat.see('Chosen: coffee');
      await chat.settled();
      expect(chat.runs[1]!.messages.at(-1)).toMatchObject({
        role: 'tool',
        content: 'coffee',
      });
      expect(await chat.answers.last().innerText()).toContain('coffee');
    });

    it('should share state between the page and an agent', async () => {
      const chat = await sample.open({ agent: 'recipe' });
      await chat.say('a recipe for tomato soup');
      await chat.see('I have changed the recipe.');
      await chat.settled();
      const title = chat.page.getByLabel('Title');
      const ingredients = () =>
        chat.page.getByLabel('Recipe').locator('li').allInnerTexts();
      expect(await title.inputValue()).toBe('tomato soup');
      expect(await ingredients()).toEqual(['salt', 'olive oil']);
      await title.fill('tomato soup, hot');
      await chat.say('add basil');
      await chat.page.getByText('basil', { exact: true }).waitFor();
      await chat.settled();
      expect(await title.inputValue()).toBe('tomato soup, hot');
      expect(await ingredients()).toEqual(['salt', 'olive oil', 'basil']);
    });

    it('should show an agent that fails, and go on', async () => {
      const chat = await sample.open();
      await chat.say('fail on purpose');
      await chat.see('This is going to go wrong');
      await chat.settled();
      chat.expectComplaint('agent_run_error_event');
      await chat.say('2 + 2');
      await chat.see('2 + 2 = 4');
    });

    it('should keep two threads apart', async () => {
      const [one, two] = [randomUUID(), randomUUID()];
      const chat = await sample.open({ thread: one });
      await chat.say('2 + 5');
      await chat.see('2 + 5 = 7');
      const other = await sample.open({ thread: two });
      await other.connected();
      expect(await other.questions.count()).toBe(0);
    });
  },
);
