import { InvalidResponseDataError } from '@ai-sdk/provider';
import { InvalidToolInputError, TypeValidationError } from 'ai';
import { describe, expect, it } from 'vitest';
import { HOSTILE } from './thrown.fixture.js';
import { detailsOf, loggedMessageOf, messageOf } from './thrown.js';

/** As the AI SDK says that a tool's arguments do not fit: with the arguments. */
function misfit(): Error {
  const value = { to: 'ada@example.com' };
  const cause = new Error('expected number');
  return new InvalidToolInputError({
    toolName: 'mail',
    toolInput: JSON.stringify(value),
    cause: TypeValidationError.wrap({ value, cause }),
  });
}

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

describe('loggedMessageOf', () => {
  it('should keep what was thrown on one line', () => {
    expect(loggedMessageOf(new Error('a\n[Nest] b\u001B[2J'))).toBe(
      String.raw`a\u000a[Nest] b\u001b[2J`,
    );
  });

  it('should leave out what quotes the conversation', () => {
    const error = misfit();
    const wrapping = new Error(`No: ${error.message}`, { cause: error });
    const other = new Error('The mail could not be sent.', { cause: error });

    const data = { text: 'ada@example.com' };
    const unexpected = new InvalidResponseDataError({ data });
    const told = new InvalidResponseDataError({ data, message: 'No name.' });

    expect(loggedMessageOf(unexpected)).not.toContain('ada@');
    expect(loggedMessageOf(told)).toBe('No name.');
    expect(error.message).toContain('ada@');
    expect(loggedMessageOf(error)).toBe(
      'AI_InvalidToolInputError (its message quotes the conversation)',
    );
    expect(loggedMessageOf(wrapping)).not.toContain('ada@');
    expect(loggedMessageOf(other)).toBe('The mail could not be sent.');
  });

  it.each(Object.keys(HOSTILE))('should survive %s', (name) => {
    expect(loggedMessageOf(HOSTILE[name])).toBeTypeOf('string');
  });
});

describe('detailsOf', () => {
  it('should tell where an error comes from and what caused it', () => {
    const cause = new TypeError('the cause');
    const error = new Error('the error', { cause });

    expect(detailsOf(error)).toBe(`${error.stack}\n[cause]: ${cause.stack}`);
    expect(detailsOf(cause)).toBe(cause.stack);
  });

  it('should have no line that looks like one of the log', () => {
    const error = new Error('a\n[Nest] forged\u001B[2J');

    expect(detailsOf(error).split('\n').slice(0, 2)).toEqual([
      'Error: a',
      String.raw`  [Nest] forged\u001b[2J`,
    ]);
    expect(detailsOf(error)).toContain('thrown.spec');
  });

  it('should leave out what quotes the conversation, in causes too', () => {
    const error = new Error('The tool failed.', { cause: misfit() });

    expect(detailsOf(error)).toContain('The tool failed.');
    expect(detailsOf(error)).toContain('AI_InvalidToolInputError');
    expect(detailsOf(error)).not.toContain('ada@');
  });

  it('should show what is no error', () => {
    expect(detailsOf({ reason: 'none' })).toBe("{ reason: 'none' }");
  });

  it.each(Object.keys(HOSTILE))('should survive %s', (name) => {
    expect(detailsOf(HOSTILE[name])).toBeTypeOf('string');
  });
});
