import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { nameOf, type ThreadKey } from './thread-key.js';
import { ThreadMap } from './thread-map.js';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const MINUTE = 60_000;

function mapOf(maxThreadSessions: number, sessionTimeoutMinutes = 30) {
  let made = 0;
  const map = new ThreadMap(
    { maxThreadSessions, sessionTimeoutMinutes },
    () => ({
      number: ++made,
    }),
  );
  /** The thread's own number, used for a moment. */
  const touch = (threadId: string): number => {
    const { number } = map.acquire(key(threadId));
    map.release(key(threadId));
    return number;
  };
  return { map, touch };
}

const key = (threadId: string, userId?: string): ThreadKey => ({
  threadId,
  userId,
});

describe('nameOf', () => {
  it('should give each thread of each user a name of its own', () => {
    const keys = [
      key('t'),
      key('t', ''),
      key('t', 'null'),
      key('t', 't'),
      key('', 't'),
      key('","', 'a'),
      key('"', 'a","'),
      key('a', '["b"]'),
    ];
    expect(new Set(keys.map(nameOf)).size).toBe(keys.length);
    expect(nameOf(key('t', 'u'))).toBe(nameOf(key('t', 'u')));
  });
});

describe('ThreadMap', () => {
  it('should keep what it made', () => {
    const { touch } = mapOf(10);
    expect([touch('a'), touch('b'), touch('a')]).toEqual([1, 2, 1]);
  });

  it('should drop the one that was unused for longest when there are too many', () => {
    const { map, touch } = mapOf(2);
    for (const thread of ['a', 'b', 'a', 'c']) touch(thread);
    expect(map.size).toBe(2);
    expect([touch('a'), touch('c')]).toEqual([1, 3]);
    expect(touch('b')).toBe(4);
  });

  it('should not drop what is in use, though there are too many', () => {
    const { map, touch } = mapOf(1);
    map.acquire(key('a'));
    map.acquire(key('b'));
    map.acquire(key('c'));
    expect(map.size).toBe(3);
    map.release(key('a'));
    expect(map.size).toBe(2);
    map.release(key('b'));
    map.release(key('c'));
    expect(map.size).toBe(1);
    expect(touch('c')).toBe(3);
  });

  it('should count everyone who uses a thread', () => {
    const { map, touch } = mapOf(1);
    map.acquire(key('a'));
    map.acquire(key('a'));
    map.release(key('a'));
    touch('b');
    expect(touch('a')).toBe(1);
  });

  it('should drop what is too old', () => {
    const { map, touch } = mapOf(10, 5);
    touch('a');
    vi.advanceTimersByTime(4 * MINUTE);
    touch('b');
    vi.advanceTimersByTime(MINUTE);
    expect(touch('b')).toBe(2);
    expect(map.size).toBe(1);
    expect(touch('a')).toBe(3);
  });

  it('should reckon the age from the end of the last use', () => {
    const { map, touch } = mapOf(10, 5);
    map.acquire(key('a'));
    vi.advanceTimersByTime(60 * MINUTE);
    touch('b');
    map.release(key('a'));
    vi.advanceTimersByTime(4 * MINUTE);
    expect(touch('a')).toBe(1);
  });

  it('should bear a release too many', () => {
    const { map, touch } = mapOf(10);
    map.release(key('a'));
    touch('a');
    map.release(key('a'));
    expect(touch('a')).toBe(1);
  });

  it('should stay inside its bound', () => {
    const { map, touch } = mapOf(1000);
    for (let n = 0; n < 10_000; n++) touch(`t${n}`);
    expect(map.size).toBe(1000);
  });
});

describe('ThreadMap, with weights', () => {
  const weights: Record<string, number> = {};

  function mapOf(maxThreadMemory: number) {
    const map = new ThreadMap(
      { maxThreadSessions: 100, sessionTimeoutMinutes: 5, maxThreadMemory },
      () => ({ threadId: '' }),
      ({ threadId }) => weights[threadId]!,
    );
    const leave = (threadId: string, weight: number) => {
      weights[threadId] = weight;
      map.acquire(key(threadId)).threadId = threadId;
      map.release(key(threadId));
    };
    return { map, leave };
  }

  it('should drop those unused for longest when they are too heavy together', () => {
    const { map, leave } = mapOf(100);
    leave('a', 40);
    leave('b', 40);
    leave('c', 60);
    expect(map.peek(key('a'))).toBeUndefined();
    expect(map.peek(key('b'))).toBeDefined();
    leave('b', 10);
    leave('d', 30);
    expect(map.size).toBe(3);
    leave('e', 200);
    expect(map.size).toBe(0);
  });

  it('should forget the weight of what was too old', () => {
    const { map, leave } = mapOf(100);
    leave('a', 90);
    vi.advanceTimersByTime(6 * MINUTE);
    leave('b', 90);
    leave('c', 10);
    expect(map.size).toBe(2);
  });

  it('should not drop what is in use, however heavy', () => {
    const { map, leave } = mapOf(100);
    leave('a', 90);
    map.acquire(key('a'));
    leave('b', 90);
    expect(map.peek(key('a'))).toBeDefined();
    expect(map.size).toBe(1);
  });
});
