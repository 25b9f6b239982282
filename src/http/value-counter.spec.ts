import { describe, expect, it } from 'vitest';
import { MAX_VALUES } from '../protocol/run-agent-input.js';
import { ValueCounter } from './value-counter.js';

const REFUSAL = {
  statusCode: 400,
  message: 'The run input is not valid.',
  errors: [{ path: '', message: 'More than 100000 values' }],
};

/** What is said of a text that arrives in parts of some size. */
function saidOf(text: string, size = text.length): unknown {
  const counter = new ValueCounter();
  const bytes = Buffer.from(text);
  for (let start = 0; start < bytes.length; start += size) {
    const problem = counter.add(bytes.subarray(start, start + size));
    if (problem !== undefined) return problem.getResponse();
  }
  return undefined;
}

describe('ValueCounter', () => {
  it.each([
    ['numbers', `[${'1,'.repeat(MAX_VALUES - 1)}1]`],
    ['empty lists', `[${'[],'.repeat(MAX_VALUES - 1)}[]]`],
    ['text of signs', JSON.stringify('[{,"\\'.repeat(MAX_VALUES))],
    ['text that ends in a backslash', JSON.stringify(['\\', '[,'])],
  ])('should let pass %s', (_what, text) => {
    expect(saidOf(text)).toBeUndefined();
    expect(saidOf(text, 7)).toBeUndefined();
  });

  it.each([
    ['numbers', '1,'],
    ['brackets', '['],
    ['objects', '{"a":'],
    ['text', '"\\"[",'],
    ['text that is nothing but a backslash', '"\\\\",'],
  ])('should refuse too many %s', (_what, part) => {
    const text = part.repeat(2 * MAX_VALUES + 1);
    expect(saidOf(text)).toEqual(REFUSAL);
    expect(saidOf(text, 7)).toEqual(REFUSAL);
  });
});
