import { describe, expect, it } from 'vitest';
import { upgradeBinaryParts } from './binary-part.js';

/** What becomes of one message's content. */
function upgraded(...content: unknown[]): unknown {
  const input = { threadId: 't1', messages: [{ id: 'u1', content }] };
  const { messages } = upgradeBinaryParts(input) as typeof input;
  return messages[0]!.content;
}

describe('upgradeBinaryParts', () => {
  const cases: [part: object, media: object][] = [
    [
      { mimeType: 'image/png', data: 'AAAA' },
      {
        type: 'image',
        source: { type: 'data', value: 'AAAA', mimeType: 'image/png' },
      },
    ],
    [
      { mimeType: 'AUDIO/mpeg', url: 'https://x.test/a' },
      {
        type: 'audio',
        source: {
          type: 'url',
          value: 'https://x.test/a',
          mimeType: 'AUDIO/mpeg',
        },
      },
    ],
    [
      { mimeType: 'video/mp4', id: 'file-1', data: null },
      {
        type: 'video',
        source: { type: 'file', value: 'file-1', mimeType: 'video/mp4' },
      },
    ],
    [
      {
        mimeType: 'application/pdf',
        data: '',
        url: 'https://x.test/d',
        filename: 'd.pdf',
      },
      {
        type: 'document',
        source: {
          type: 'url',
          value: 'https://x.test/d',
          mimeType: 'application/pdf',
        },
        metadata: { filename: 'd.pdf' },
      },
    ],
    [
      { mimeType: 'text/plain', data: 'AAAA', filename: null },
      {
        type: 'document',
        source: { type: 'data', value: 'AAAA', mimeType: 'text/plain' },
      },
    ],
  ];

  it.each(cases)('should turn %j into a media part', (part, media) => {
    const text = { type: 'text', text: 'look' };
    expect(upgraded(text, { type: 'binary', ...part })).toEqual([text, media]);
  });

  it.each([
    { type: 'binary', mimeType: 'image/png' },
    { type: 'binary', mimeType: 'image/png', data: '', id: null },
    { type: 'binary', data: 'AAAA' },
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
  ])('should leave %j, which is no such part or holds nothing', (part) => {
    expect(upgraded(part, null)).toEqual([part, null]);
  });

  it('should copy nothing that needs no change', () => {
    const message = { content: [{ type: 'text', text: 'hi' }] };
    const plain = { messages: [message, null, 'x', { content: 'hi' }] };
    expect(upgradeBinaryParts(plain)).toBe(plain);
    const none = { messages: 'none' };
    expect(upgradeBinaryParts(none)).toBe(none);
    const binary = {
      content: [{ type: 'binary', mimeType: 'a/b', data: 'A' }],
    };
    const mixed = { messages: [message, binary] };
    const copy = structuredClone(mixed);
    const { messages } = upgradeBinaryParts(mixed) as typeof mixed;
    expect(messages[0]).toBe(message);
    expect(mixed).toEqual(copy);
  });
});
