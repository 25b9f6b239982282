import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { useSample } from './support/sample.js';

describe.each(PLATFORMS)('A page that is loaded again on %s', (platform) => {
  const sample = useSample(platform);

  it('should show the thread, and go on with it', async () => {
    const chat = await sample.open('default');
    await chat.ask('weather in Paris');
    await chat.ask('2 + 3 * 4');
    await chat.page.reload();
    await chat.see('2 + 3 * 4 = 14');
    await chat.settled();
    await chat.card('get_weather').getByTestId('weather').waitFor();
    await chat.card('calculate').waitFor();
    await chat.ask('Hello');
    await chat.see('You said "Hello"');
    expect(await chat.page.locator('.message.user').count()).toBe(3);
    await chat.shoot('restored');
  });

  it('should go on with a run that is still going on', async () => {
    sample.setTokenDelay(40);
    const chat = await sample.open('chat');
    await chat.say('tell me a story');
    await chat.see('Chapter 2.');
    await chat.page.reload();
    await chat.see('Chapter 2.');
    await chat.button('Stop').waitFor();
    await chat.see('Chapter 4.');
    await chat.shoot('attached');
    await chat.button('Stop').click();
    await chat.settled();
    const told = await chat.answers.last().textContent();
    await chat.page.waitForTimeout(500);
    expect(await chat.answers.last().textContent()).toBe(told);
    expect(told).not.toContain('Chapter 12.');
  });

  it('should show a run to another tab', async () => {
    sample.setTokenDelay(40);
    const chat = await sample.open('chat');
    await chat.say('tell me a story');
    await chat.see('Chapter 1.');
    const tab = await sample.openBeside(chat);
    await tab.see('Chapter 1.');
    await tab.button('Stop').click();
    await chat.settled();
  });

  it('should ask again what has not been answered', async () => {
    const chat = await sample.open('approval');
    await chat.say('email ada@example.com');
    await chat.see('May the tool "send_email" run?');
    await chat.page.reload();
    await chat.see('May the tool "send_email" run?');
    await chat.page.getByLabel('to', { exact: true }).fill('bob@example.com');
    await chat.button('Approve').click();
    await chat.see('Done: Email sent to bob@example.com');
  });

  it('should have the user choose what was not chosen yet', async () => {
    const chat = await sample.open('default');
    await chat.ask('let me choose between tea and coffee');
    await chat.page.reload();
    await chat.button('tea').click();
    await chat.see('You have chosen tea.');
  });

  it('should begin anew where the server has forgotten the thread', async () => {
    const chat = await sample.open('chat/forgotten');
    await chat.see('The server no longer has the conversation');
    chat.expectComplaint('404');
    await chat.ask('Hello');
    await chat.see('You said "Hello"');
  });

  it('should show the shared state', async () => {
    const chat = await sample.open('recipe');
    await chat.ask('a recipe for tomato soup');
    await chat.page.reload();
    await chat.see('I have changed the recipe.');
    const title = chat.page.getByLabel('Title');
    expect(await title.inputValue()).toBe('tomato soup');
  });
});
