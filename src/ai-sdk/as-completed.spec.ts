import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { asCompleted } from './as-completed.js';

async function collect<T>(values: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const value of values) all.push(value);
  return all;
}

describe('asCompleted', () => {
  it('should give each value as soon as it is there', async () => {
    const values = [sleep(30, 'slow'), sleep(15, 'middle'), sleep(0, 'fast')];

    expect(await collect(asCompleted(values))).toEqual([
      'fast',
      'middle',
      'slow',
    ]);
  });

  it('should give values that are equal, or nothing, each once', async () => {
    const values = [1, 1, undefined].map((value) => Promise.resolve(value));

    expect(await collect(asCompleted(values))).toEqual([1, 1, undefined]);
  });

  it('should end at once when nothing is to come', async () => {
    expect(await collect(asCompleted([]))).toEqual([]);
  });
});
