import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FrameBatch } from './frame-batch.js';

function batch() {
  const written: (string | Uint8Array)[] = [];
  return { written, frames: new FrameBatch((some) => void written.push(some)) };
}

describe('FrameBatch', () => {
  it('should let the first frame leave at once, and the others of its turn together', async () => {
    const { written, frames } = batch();
    frames.add('a');
    expect(written).toEqual(['a']);
    frames.add('b');
    await Promise.resolve();
    frames.add('c');
    expect(written).toEqual(['a']);
    await nextTurn();
    expect(written).toEqual(['a', 'bc']);
  });

  it('should let the first frame leave at once again when it was quiet', async () => {
    const { written, frames } = batch();
    frames.add('a');
    frames.add('b');
    await nextTurn();
    await nextTurn();
    frames.add('c');
    expect(written).toEqual(['a', 'b', 'c']);
  });

  it('should join bytes as bytes', async () => {
    const { written, frames } = batch();
    for (const byte of [1, 2, 3]) frames.add(new Uint8Array([byte]));
    await nextTurn();
    expect(written.map((bytes) => [...(bytes as Uint8Array)])).toEqual([
      [1],
      [2, 3],
    ]);
  });

  it('should not gather more than 64 kB', () => {
    const { written, frames } = batch();
    const frame = 'x'.repeat(1024);
    for (let n = 0; n < 65; n++) frames.add(frame);
    expect(written.map(({ length }) => length)).toEqual([1024, 64 * 1024]);
  });

  it('should hand over what waits, and then write it no more', async () => {
    const { written, frames } = batch();
    expect(frames.take()).toBeUndefined();
    for (const frame of ['a', 'b', 'c']) frames.add(frame);
    expect(frames.take()).toBe('bc');
    expect(frames.take()).toBeUndefined();
    await nextTurn();
    expect(written).toEqual(['a']);
  });
});
