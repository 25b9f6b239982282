import { describe, expect, it } from 'vitest';
import { useSample } from './support/sample.js';

const PHONE = { width: 390, height: 844 };
const DESK = { width: 1440, height: 900 };

/** What can be looked at, and how to get there. */
const SCENES: [agent: string, said: string, seen: string | RegExp][] = [
  ['default', 'weather in Paris', 'The weather in Paris is'],
  ['default', 'let me choose between tea and coffee', 'Which one'],
  ['chat', 'show me Markdown', 'All of it came word by word.'],
  ['chat', 'fail on purpose', 'The run has failed.'],
  ['approval', 'email ada@example.com', 'May the tool "send_email" run?'],
  ['recipe', 'a recipe for tomato soup', 'I have changed the recipe.'],
  ['research', 'research the moon', 'The library says:'],
  ['progress', 'count these', 'I have read'],
];

describe('The looks of the page', () => {
  const sample = useSample('Express');

  it.each([
    ['light', 'phone', PHONE],
    ['dark', 'phone', PHONE],
    ['light', 'desk', DESK],
    ['dark', 'desk', DESK],
  ] as const)(
    'should be fit for everybody, %s, on a %s',
    { timeout: 120_000 },
    async (colorScheme, device, viewport) => {
      const chat = await sample.open('chat', { colorScheme, viewport });
      await chat.expectAccessible();
      await chat.shoot(`${device}-${colorScheme}-welcome`);
      for (const [agent, said, seen] of SCENES) {
        await chat.choose(agent);
        await chat.say(said);
        await chat.see(seen);
        await chat.button('Send').waitFor();
        await chat.expectAccessible();
        await chat.expectNoSidewaysScroll();
        await chat.shoot(
          `${device}-${colorScheme}-${said.replace(/\W+/g, '-')}`,
        );
      }
      await chat.button('Wire').click();
      await chat.page.locator('.wire li').first().click();
      await chat.expectAccessible();
      await chat.expectNoSidewaysScroll();
      await chat.shoot(`${device}-${colorScheme}-wire`);
    },
  );

  it('should be what the user chooses, also after a reload', async () => {
    const chat = await sample.open('chat', { colorScheme: 'light' });
    const theme = () =>
      chat.page.evaluate<string>('document.documentElement.dataset.theme');
    expect(await theme()).toBe('light');
    await chat.button('Use dark colours').click();
    expect(await theme()).toBe('dark');
    await chat.page.reload();
    await chat.input.waitFor();
    expect(await theme()).toBe('dark');
  });

  it('should not jump while text streams', async () => {
    sample.setTokenDelay(10);
    const chat = await sample.open('chat');
    await chat.page.evaluate(`
      window.shifts = [];
      new PerformanceObserver((list) => {
        for (const one of list.getEntries())
          if (!one.hadRecentInput) window.shifts.push(one.value);
      }).observe({ type: 'layout-shift', buffered: true });
    `);
    const composer = chat.page.locator('.composer-box');
    await chat.say('tell me a story');
    await chat.see('Chapter 1.');
    const before = await composer.boundingBox();
    await chat.settled();
    expect(await composer.boundingBox()).toEqual(before);
    const shifts = await chat.page.evaluate<number[]>('window.shifts');
    const sum = shifts.reduce((total, shift) => total + shift, 0);
    expect(sum).toBeLessThan(0.1);
  });

  it('should be usable by keys alone', async () => {
    const chat = await sample.open('default');
    await chat.page.keyboard.type('weather in Rome');
    await chat.page.keyboard.press('Enter');
    await chat.see('The weather in Rome is');
    await chat.settled();
    await chat.page.locator('.reasoning summary').first().focus();
    await chat.page.keyboard.press('Enter');
    await chat.see('so I look it up');
  });
});
