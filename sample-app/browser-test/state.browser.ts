import { describe, expect, it } from 'vitest';
import type { ChatPage } from './support/chat-page.js';
import { PLATFORMS } from './support/platforms.js';
import { useSample } from './support/sample.js';

describe.each(PLATFORMS)('Shared state on the page on %s', (platform) => {
  const sample = useSample(platform);

  function ingredientsOn({ page }: ChatPage): Promise<string[]> {
    return page
      .getByLabel('Ingredients')
      .locator('li')
      .evaluateAll((items: { firstChild: { textContent: string } }[]) =>
        items.map((item) => item.firstChild.textContent),
      );
  }

  it('should be changed by the agent and by the user', async () => {
    const chat = await sample.open('recipe');
    await chat.ask('a recipe for tomato soup');
    await chat.see('I have changed the recipe.');
    const title = chat.page.getByLabel('Title');
    expect(await title.inputValue()).toBe('tomato soup');
    expect(await ingredientsOn(chat)).toEqual(['salt', 'olive oil']);

    await chat.button('Remove salt').click();
    await chat.page.getByLabel('New ingredient').fill('pepper');
    await chat.button('Add').click();
    await title.fill('tomato soup, hot');
    expect(await ingredientsOn(chat)).toEqual(['olive oil', 'pepper']);

    await chat.ask('add basil and garlic');
    expect(await ingredientsOn(chat)).toEqual([
      'olive oil',
      'pepper',
      'basil',
      'garlic',
    ]);
    expect(await title.inputValue()).toBe('tomato soup, hot');
    const deltas = chat.page.getByLabel('State deltas');
    expect(await deltas.textContent()).toContain('add /recipe/ingredients/');
    await chat.shoot('recipe');
  });
});
