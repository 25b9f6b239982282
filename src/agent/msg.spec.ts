import { describe, expect, it } from 'vitest';
import { textOf, type ContentBlock } from './msg.js';

const content: ContentBlock[] = [
  { type: 'thinking', thinking: 'hm' },
  { type: 'text', text: 'Hello ' },
  { type: 'image', source: { type: 'url', url: 'https://x.test/a' } },
  { type: 'text', text: 'world' },
  { type: 'hint', hint: 'hush' },
];

describe('textOf', () => {
  it('should join the texts of a message or of blocks', () => {
    expect(textOf({ id: 'm1', role: 'user', content })).toBe('Hello world');
    expect(textOf(content)).toBe('Hello world');
    expect(textOf([])).toBe('');
  });
});
