import { describe, expect, it } from 'vitest';
import { HOSTILE } from './thrown.fixture.js';
import { detailsOf, messageOf } from './thrown.js';

describe('messageOf', () => {
  it.each([
    [new Error('broken'), 'broken'],
    ['a text', 'a text'],
    [undefined, 'undefined'],
    [7n, '7'],
    [Object.create(null), 'An error that cannot be shown.'],
  ])('should tell what was thrown (%#)', (thrown, text) => {
    expect(messageOf(thrown)).toBe(text);
  });

  it.each(Object.keys(HOSTILE))('should survive %s', (name) => {
    expect(messageOf(HOSTILE[name])).toBeTypeOf('string');
  });
});

describe('detailsOf', () => {
  it('should tell where an error comes from and what caused it', () => {
    const cause = new TypeError('the cause');
    const error = new Error('the error', { cause });

    expect(detailsOf(error)).toBe(`${error.stack}\n[cause]: ${cause.stack}`);
    expect(detailsOf(cause)).toBe(cause.stack);
  });

  it('should show what is no error', () => {
    expect(detailsOf({ reason: 'none' })).toBe("{ reason: 'none' }");
  });

  it.each(Object.keys(HOSTILE))('should survive %s', (name) => {
    expect(detailsOf(HOSTILE[name])).toBeTypeOf('string');
  });
});
