import { describe, expect, it } from 'vitest';
import { argumentsOf, isPlainObject } from './tool-arguments.js';

describe('argumentsOf', () => {
  it('should keep the text as the model wrote it', () => {
    expect(argumentsOf('{ "a": [1] }', { b: 2 })).toEqual({
      input: { a: [1] },
      content: '{ "a": [1] }',
    });
  });

  it.each([undefined, null, '', ' ', '{"a', 'null', '[]', '1', '"{}"', 7, {}])(
    'should fall back for %j',
    (text) => {
      expect(argumentsOf(text, { b: 2 })).toEqual({
        input: { b: 2 },
        content: '{"b":2}',
      });
      expect(argumentsOf(text)).toEqual({ input: {}, content: '{}' });
    },
  );

  it.each([undefined, null, [], 'x', 1])(
    'should not fall back to %j',
    (fallback) => {
      expect(argumentsOf('', fallback)).toEqual({ input: {}, content: '{}' });
    },
  );
});

describe('isPlainObject', () => {
  it('should know objects from lists and null', () => {
    expect(isPlainObject({})).toBe(true);
    expect([null, undefined, [], '', 0].some(isPlainObject)).toBe(false);
  });
});
