import { describe, expect, it } from 'vitest';
import { MessageIdMint } from './message-id-mint.js';

describe('MessageIdMint', () => {
  it('should give the wished id, then the wish with a number', () => {
    const ids = new MessageIdMint([]);

    expect([ids.mint('a'), ids.mint('a'), ids.mint('a')]).toEqual([
      'a',
      'a-2',
      'a-3',
    ]);
    expect(ids.mint('b')).toBe('b');
  });

  it('should pass over the ids of the history and those that look like a number of it', () => {
    const ids = new MessageIdMint([{ id: 'a' }, { id: 'a-3' }]);

    expect([ids.mint('a'), ids.mint('a'), ids.mint('a-2')]).toEqual([
      'a-2',
      'a-4',
      'a-2-2',
    ]);
  });
});
