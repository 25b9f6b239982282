import { setImmediate as tick } from 'node:timers/promises';
import { describe, expect, it, vi } from 'vitest';
import { EventChannel } from './event-channel.js';

async function* streamOf<T>(...items: T[]): AsyncGenerator<T> {
  for (const item of items) {
    await tick();
    yield item;
  }
}

async function collect<T>(events: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const event of events) all.push(event);
  return all;
}

const same = (item: string) => [item];

describe('EventChannel', () => {
  it('should give what each item of the stream becomes', async () => {
    const channel = new EventChannel<string>();

    const events = channel.merge(streamOf('a', 'b', 'c'), (item) =>
      item === 'b' ? [] : [item, item.toUpperCase()],
    );

    expect(await collect(events)).toEqual(['a', 'A', 'c', 'C']);
  });

  it('should give what was pushed before, between and while the stream is silent', async () => {
    const channel = new EventChannel<string>();
    channel.push('before');
    async function* stream() {
      yield 'a';
      channel.push('between 1');
      channel.push('between 2');
      yield 'b';
      setTimeout(() => channel.push('late'), 5);
      await vi.waitUntil(() => given.includes('late'));
      yield 'c';
    }

    const given: string[] = [];
    for await (const event of channel.merge(stream(), same)) given.push(event);

    expect(given).toEqual([
      'before',
      'a',
      'between 1',
      'between 2',
      'b',
      'late',
      'c',
    ]);
  });

  it('should give what is pushed at the very end', async () => {
    const channel = new EventChannel<string>();
    async function* stream() {
      yield 'a';
      channel.push('last');
    }

    expect(await collect(channel.merge(stream(), same))).toEqual(['a', 'last']);
  });

  it('should give what is pushed while nobody asks', async () => {
    const channel = new EventChannel<string>();
    const events = channel.merge(streamOf('a', 'b'), same);

    expect((await events.next()).value).toBe('a');
    channel.push('meanwhile');

    expect(await collect(events)).toEqual(['meanwhile', 'b']);
  });

  it('should ask the stream only when it is asked itself', async () => {
    const channel = new EventChannel<string>();
    let asked = 0;
    async function* stream() {
      for (;;) yield String(++asked);
    }
    const events = channel.merge(stream(), same);

    await tick();
    expect(asked).toBe(0);
    await events.next();
    await tick();
    expect(asked).toBe(1);
  });

  it('should serve one stream after another', async () => {
    const channel = new EventChannel<string>();

    expect(await collect(channel.merge(streamOf('a'), same))).toEqual(['a']);
    channel.push('between');
    expect([...channel.take()]).toEqual(['between']);
    expect(await collect(channel.merge(streamOf('b'), same))).toEqual(['b']);
    expect([...channel.take()]).toEqual([]);
  });

  it('should fail as the stream does, after what was pushed', async () => {
    const channel = new EventChannel<string>();
    async function* stream() {
      yield 'a';
      channel.push('pushed');
      await Promise.reject(new Error('broken'));
    }
    const given: string[] = [];

    await expect(async () => {
      for await (const event of channel.merge(stream(), same))
        given.push(event);
    }).rejects.toThrow('broken');
    expect(given).toEqual(['a', 'pushed']);
  });

  it('should return the stream when it is left, or when converting fails', async () => {
    const left = vi.fn<() => void>();
    async function* stream() {
      try {
        yield 'a';
        yield 'b';
      } finally {
        left();
      }
    }
    const channel = new EventChannel<string>();

    for await (const _event of channel.merge(stream(), same)) break;
    expect(left).toHaveBeenCalledTimes(1);

    await expect(
      collect(
        channel.merge(stream(), () => {
          throw new Error('not to be converted');
        }),
      ),
    ).rejects.toThrow('not to be converted');
    expect(left).toHaveBeenCalledTimes(2);
  });

  it('should not wait for a stream that does not let go', async () => {
    const channel = new EventChannel<string>();
    const stream: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: 'a' }),
        return: () => new Promise(() => undefined),
      }),
    };
    const events = channel.merge(stream, same);
    await events.next();

    expect(await events.return(undefined)).toEqual({ done: true });
  });

  it('should keep the error of a stream to itself that is left', async () => {
    const channel = new EventChannel<string>();
    const stream: AsyncIterable<string> = {
      [Symbol.asyncIterator]: () => ({
        next: () => Promise.resolve({ done: false, value: 'a' }),
        return: () => Promise.reject(new Error('cannot let go')),
      }),
    };
    const events = channel.merge(stream, same);
    await events.next();

    expect(await events.return(undefined)).toEqual({ done: true });
    await tick();
  });

  it('should carry very many pushed events', async () => {
    const channel = new EventChannel<string>();
    async function* stream() {
      for (let count = 0; count < 20_000; count++) channel.push(String(count));
      await tick();
      yield 'end';
    }

    const events = await collect(channel.merge(stream(), same));

    expect(events.length).toBe(20_001);
    expect(events.at(-1)).toBe('end');
  });
});
