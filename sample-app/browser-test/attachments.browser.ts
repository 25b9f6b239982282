import { describe, expect, it } from 'vitest';
import { PLATFORMS } from './support/platforms.js';
import { useSample } from './support/sample.js';

/** One red pixel. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg==',
  'base64',
);
const PDF = Buffer.from('%PDF-1.4\n%%EOF\n');

describe.each(PLATFORMS)('Files on the page on %s', (platform) => {
  const sample = useSample(platform);

  it('should reach the model', async () => {
    const chat = await sample.open('chat');
    await chat.attach({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await chat.attach({
      name: 'b.pdf',
      mimeType: 'application/pdf',
      buffer: PDF,
    });
    await chat.see('b.pdf');
    await chat.ask('What are these?');
    await chat.see('and sent image/png, application/pdf');
    const sent = chat.page.locator('.message.user .attachment');
    expect(await sent.allTextContents()).toEqual(['a.png', 'PDFb.pdf']);
    await chat.shoot('files');
    await chat.page.reload();
    await chat.see('and sent image/png, application/pdf');
    await chat.ask('Hello');
  });

  it('should be taken back', async () => {
    const chat = await sample.open('chat');
    await chat.attach({ name: 'a.png', mimeType: 'image/png', buffer: PNG });
    await chat.button('Remove the file').click();
    expect(await chat.page.locator('.attachment').count()).toBe(0);
  });

  it('should be refused where they are too large', async () => {
    const chat = await sample.open('chat');
    const buffer = Buffer.alloc(6 * 1024 ** 2);
    await chat.attach({ name: 'big.png', mimeType: 'image/png', buffer });
    await chat.see('big.png is larger than 5 MB.');
  });
});
