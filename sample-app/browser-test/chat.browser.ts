import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { useSample } from './support/sample.js';

describe.each(PLATFORMS)('The page on %s', (platform) => {
  const sample = useSample(platform);

  it('should offer every agent and what can be asked of it', async () => {
    const chat = await sample.open();
    const picker = chat.page.getByLabel('Agent', { exact: true });
    expect(await picker.locator('option').allTextContents()).toEqual([
      'default',
      'chat',
      'calculator',
      'approval',
      'recipe',
      'research',
      'progress',
    ]);
    await chat.button('weather in Paris').waitFor();
    await picker.selectOption('calculator');
    await chat.button('1/0').click();
    await chat.see('Nothing can be divided by zero.');
    await chat.settled();
  });

  it('should say that no model answers, and how to have one', async () => {
    const chat = await sample.open();
    await chat.see('No model answers here:');
    await chat.see('OPENAI_API_KEY');
    await chat.shoot('welcome');
  });

  it('should lay out Markdown while it comes', async () => {
    sample.setTokenDelay(20);
    const chat = await sample.open('chat');
    await chat.say('show me Markdown');
    const answer = chat.page.locator('.markdown');
    await answer.locator('h2').waitFor();
    await chat.button('Stop').waitFor();
    expect(await answer.locator('table').count()).toBe(0);
    await chat.settled();
    expect(await answer.locator('table td').count()).toBe(4);
    expect(await answer.locator('pre code').count()).toBe(1);
    await chat.shoot('markdown');
  });

  it('should stop', async () => {
    sample.setTokenDelay(50);
    const chat = await sample.open('chat');
    await chat.say('tell me a story');
    await chat.see('Chapter 1');
    await chat.button('Stop').click();
    await chat.see('Stopped.');
    const told = await chat.answers.textContent();
    await chat.page.waitForTimeout(500);
    expect(await chat.answers.textContent()).toBe(told);
    expect(told).not.toContain('Chapter 3');
    await chat.ask('Are you there?');
    await chat.see('You said "Are you there?"');
  });

  it('should show a failure and go on after it', async () => {
    const chat = await sample.open('chat');
    await chat.say('fail on purpose');
    await chat.failure.waitFor();
    await chat.see('The run has failed.');
    await chat.shoot('failure');
    await chat.ask('Hello');
    await chat.see('You said "Hello"');
  });

  it('should begin a new thread', async () => {
    const chat = await sample.open('chat');
    await chat.ask('Hello');
    const { hash } = new URL(chat.page.url());
    expect(hash).toMatch(/^#\/chat\/.{36}$/);
    await chat.button('New thread').click();
    await chat.button('show me Markdown').waitFor();
    expect(await chat.answers.count()).toBe(0);
    expect(new URL(chat.page.url()).hash).toBe('#/chat');
  });
});
