import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { useSample } from './support/sample.js';

describe.each(PLATFORMS)('Tools on the page on %s', (platform) => {
  const sample = useSample(platform);

  it('should show what a tool was given and gave, and fold the thoughts', async () => {
    const chat = await sample.open('default');
    await chat.ask('weather in Paris');
    const card = chat.card('get_weather');
    expect(await card.getByLabel('Arguments').textContent()).toBe(
      '{"city":"Paris"}',
    );
    const report = await card.getByTestId('weather').textContent();
    expect(report).toMatch(/Paris.*\d+ °C.*Humidity\d+ %/);
    await chat.see('The weather in Paris is');
    const thoughts = chat.page.getByText('so I look it up');
    expect(await thoughts.isVisible()).toBe(false);
    await chat.page.getByText('Thoughts').first().click();
    await thoughts.waitFor();
    await chat.shoot('weather');
  });

  it('should say what a tool could not do', async () => {
    const chat = await sample.open('calculator');
    await chat.ask('1/0');
    const result = chat.card('calculate').getByLabel('Result');
    expect(await result.textContent()).toContain('divided by zero');
  });

  it('should change its background for the agent', async () => {
    const chat = await sample.open('default');
    await chat.ask('background lightblue');
    await chat.see('Done: The background is lightblue.');
    const backdrop = await chat.page.evaluate<string>(
      'getComputedStyle(document.documentElement).backgroundColor',
    );
    expect(backdrop).toBe('rgb(173, 216, 230)');
    await chat.shoot('background');
  });

  it('should have the user choose for the agent', async () => {
    const chat = await sample.open('default');
    await chat.say('let me choose between tea, coffee and cocoa');
    const card = chat.card('choose_option');
    const coffee = card.getByRole('button', { name: 'coffee' });
    await card.getByRole('button', { name: 'cocoa' }).waitFor();
    await chat.button('Send').waitFor();
    await chat.shoot('choice');
    await coffee.click();
    await chat.see('You have chosen coffee.');
    expect(await coffee.getAttribute('aria-pressed')).toBe('true');
    expect(await coffee.isDisabled()).toBe(true);
  });

  it('should show subagents in the calls that have started them', async () => {
    sample.setTokenDelay(30);
    const chat = await sample.open('research');
    await chat.say('research the moon');
    for (const tool of ['web_researcher', 'library_researcher'])
      await chat
        .card(tool)
        .getByLabel('Subagent')
        .getByText('there is much')
        .waitFor();
    await chat.shoot('subagents');
    await chat.settled();
    await chat.see('The library says:');
  });

  it('should show steps, custom events and what the model calls cost', async () => {
    const chat = await sample.open('progress');
    await chat.ask('count the words of this message');
    await chat.see('✓ reading');
    await chat.see('✓ counting');
    await chat.see('{"count":6}');
    await chat.see('I have read 6 words for public.');
    await chat.shoot('progress');
    await chat.page.getByLabel('Agent', { exact: true }).selectOption('chat');
    await chat.ask('Hello');
    await chat.see(/token_usage \d+ in · \d+ out/);
    await chat.see(/\d+ tokens in · \d+ out · offline/);
  });
});
