import { setImmediate as nextTurn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { FrameBatch } from './frame-batch.js';

function batch() {
  const written: (string | Uint8Array | undefined)[] = [];
  return { written, frames: new FrameBatch((some) => void written.push(some)) };
}

/** Resolves right behind the ticks that were asked for before. */
const nextTick = () =>
  new Promise<void>((resolve) => process.nextTick(resolve));

describe('FrameBatch', () => {
  it('should let the frames of one turn leave together, before the next turn', async () => {
    const { written, frames } = batch();
    frames.add('a');
    await Promise.resolve();
    frames.add('b');
    await Promise.resolve();
    frames.add('c');
    expect(written).toEqual([]);
    await nextTick();
    expect(written).toEqual(['abc']);
  });

  it('should keep the order of turns', async () => {
    const { written, frames } = batch();
    frames.add('a');
    frames.add('b');
    await nextTurn();
    frames.add('c');
    await nextTurn();
    expect(written).toEqual(['ab', 'c']);
  });

  it('should tell of a turn that brought nothing, if it was announced', async () => {
    const { written, frames } = batch();
    frames.announce();
    await nextTick();
    expect(written).toEqual([undefined]);
    frames.announce();
    frames.add('a');
    await nextTick();
    expect(written).toEqual([undefined, 'a']);
  });

  it('should join bytes as bytes', async () => {
    const { written, frames } = batch();
    for (const byte of [1, 2, 3]) frames.add(new Uint8Array([byte]));
    await nextTurn();
    expect(written.map((bytes) => [...(bytes as Uint8Array)])).toEqual([
      [1, 2, 3],
    ]);
  });

  it('should not gather more than 64 kB', () => {
    const { written, frames } = batch();
    const frame = 'x'.repeat(1024);
    for (let n = 0; n < 65; n++) frames.add(frame);
    expect(written.map((some) => some?.length)).toEqual([64 * 1024]);
  });

  it('should hand over what waits, and then write it no more', async () => {
    const { written, frames } = batch();
    expect(frames.take()).toBeUndefined();
    for (const frame of ['a', 'b', 'c']) frames.add(frame);
    expect(frames.take()).toBe('abc');
    expect(frames.take()).toBeUndefined();
    await nextTick();
    expect(written).toEqual([undefined]);
  });
});
