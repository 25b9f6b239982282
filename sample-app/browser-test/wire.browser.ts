import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { FOR_README, useSample } from './support/sample.js';

describe.each(PLATFORMS)('The wire on the page on %s', (platform) => {
  const sample = useSample(platform);

  it('should show every event with its time and size, filtered and to be copied', async () => {
    const chat = await sample.open('default', { viewport: FOR_README });
    await chat.button('Wire').click();
    await chat.see('Nothing has been sent yet.');
    await chat.ask('weather in Paris');
    const wire = chat.page.getByLabel('Wire', { exact: true });
    const rows = wire.locator('li');
    const texts = await rows.allTextContents();
    expect(texts[0]).toContain('POST /agui/run/default');
    expect(texts[1]).toMatch(/RUN_STARTED\d+ ms\d+ B/);
    expect(texts.at(-1)).toContain('RUN_FINISHED');
    await chat.shoot('wire');

    await wire.getByLabel('Filter').fill('tool_call_result');
    expect(await rows.count()).toBe(1);
    await rows.first().click();
    await chat.see('"toolCallId"');
    await wire.getByRole('button', { name: 'Copy' }).click();
    await wire.getByRole('button', { name: 'Copied' }).waitFor();
    const copied = await chat.page.evaluate<string>(
      'navigator.clipboard.readText()',
    );
    expect(JSON.parse(copied)).toMatchObject({ type: 'TOOL_CALL_RESULT' });

    await wire.getByLabel('Filter').fill('nothing like this');
    await chat.see('No event has this in it.');
    await wire.getByRole('button', { name: 'Close the wire' }).click();
    expect(await wire.count()).toBe(0);
  });

  it('should show agents named by a header, where that is chosen', async () => {
    const chat = await sample.open('chat');
    await chat.button('Wire').click();
    await chat.page.getByRole('radio', { name: 'header' }).check();
    const request = chat.page.waitForRequest(/\/agui\/run$/);
    await chat.ask('Hello');
    expect((await request).headers()['x-agent-id']).toBe('chat');
    await chat.see('You said "Hello"');
  });
});
