import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { FOR_README, useSample } from './support/sample.js';

describe.each(PLATFORMS)('Consent on the page on %s', (platform) => {
  const sample = useSample(platform);

  async function asked() {
    const chat = await sample.open('approval', {
      viewport: FOR_README,
      colorScheme: 'dark',
    });
    await chat.say('email ada@example.com');
    await chat.see('May the tool "send_email" run?');
    expect(await chat.input.isDisabled()).toBe(true);
    return chat;
  }

  it('should be given', async () => {
    const chat = await asked();
    await chat.shoot('approval');
    await chat.button('Approve').click();
    await chat.see('Done: Email sent to ada@example.com');
    const result = chat.card('send_email').getByLabel('Result');
    expect(await result.textContent()).toContain('ada@example.com');
    await chat.settled();
    await chat.ask('Hello');
    await chat.see('You said "Hello"');
  });

  it('should be given for other arguments', async () => {
    const chat = await asked();
    await chat.page.getByLabel('to', { exact: true }).fill('bob@example.com');
    await chat.button('Approve').click();
    await chat.see('Done: Email sent to bob@example.com');
  });

  it('should be refused with a reason', async () => {
    const chat = await asked();
    await chat.page.getByLabel('Reason').fill('not today');
    await chat.button('Deny').click();
    await chat.see('nothing was done');
    await chat.see('not today');
  });

  it('should be left open', async () => {
    const chat = await asked();
    await chat.button('Cancel').click();
    await chat.settled();
    expect(
      await chat.page.getByText('May the tool "send_email" run?').count(),
    ).toBe(0);
    await chat.see('nothing was done');
  });
});
