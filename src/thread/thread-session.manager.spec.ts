import type { Message } from '@ag-ui/core';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Agent, AnyAgent } from '../agent/agent.js';
import {
  ThreadSession,
  ThreadSessionManager,
} from './thread-session.manager.js';

const agent = (): Agent => ({ async *streamEvents() {} });

describe('ThreadSession', () => {
  it('should make an agent once, also for runs that ask at the same time', async () => {
    const session = new ThreadSession();
    const make = vi.fn<() => Promise<AnyAgent>>(async () => {
      await Promise.resolve();
      return agent();
    });
    const [one, two] = await Promise.all([
      session.agent('a', make),
      session.agent('a', make),
    ]);
    expect(one).toBe(two);
    expect(await session.agent('a', make)).toBe(one);
    expect(make).toHaveBeenCalledTimes(1);
  });

  it('should make an agent that speaks AG-UI itself anew for each run', async () => {
    const session = new ThreadSession();
    const make = vi.fn<() => AnyAgent>(() => ({ async *run() {} }));
    const made = [
      await session.agent('a', make),
      await session.agent('a', make),
    ];
    expect(make).toHaveBeenCalledTimes(2);
    expect(made).toEqual(
      make.mock.results.map(({ value }) => value as unknown),
    );
  });

  it('should make agents of other ids for themselves', async () => {
    const session = new ThreadSession();
    expect(await session.agent('a', agent)).not.toBe(
      await session.agent('b', agent),
    );
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('no');
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
  ])('should try again after a factory that %s', async (_how, fail) => {
    const session = new ThreadSession();
    await expect(session.agent('a', fail)).rejects.toThrow('no');
    const made = agent();
    expect(await session.agent('a', () => made)).toBe(made);
  });

  it('should keep what was made meanwhile, when several runs learn of one failure', async () => {
    const session = new ThreadSession();
    const made = agent();
    const make = vi.fn<() => AnyAgent>(() => made);
    let fail!: (error: Error) => void;
    const failing = new Promise<AnyAgent>(
      (_resolve, reject) => (fail = reject),
    );
    const first = session.agent('a', () => failing);
    // Between the two that wait for the failure, one that is told of it first and tries again.
    const again = failing.catch(() => session.agent('a', make));
    const second = session.agent('a', () => failing);
    fail(new Error('no'));
    await expect(first).rejects.toThrow('no');
    await expect(second).rejects.toThrow('no');
    expect(await again).toBe(made);
    expect(await session.agent('a', make)).toBe(made);
    expect(make).toHaveBeenCalledTimes(1);
  });

  describe('the messages', () => {
    const messages: Message[] = [
      { id: '1', role: 'user', content: 'a' },
      { id: '2', role: 'assistant', content: 'b' },
      { id: '3', role: 'tool', toolCallId: 'c', content: 'd' },
    ];
    const idsOf = (given: readonly Message[]) => given.map(({ id }) => id);

    it('should be those that an agent has not seen, in their order', () => {
      const session = new ThreadSession();
      expect(session.unseen('a', messages)).toEqual(messages);
      session.see('a', '2');
      expect(idsOf(session.unseen('a', messages))).toEqual(['1', '3']);
      session.see('a', '1');
      session.see('a', '3');
      expect(session.unseen('a', messages)).toEqual([]);
    });

    it('should be all of them for another agent', () => {
      const session = new ThreadSession();
      session.see('a', '1');
      session.see('b', '2');
      expect(idsOf(session.unseen('a', messages))).toEqual(['2', '3']);
      expect(idsOf(session.unseen('b', messages))).toEqual(['1', '3']);
      expect(idsOf(session.unseen('c', messages))).toEqual(['1', '2', '3']);
    });
  });
});

describe('ThreadSessionManager', () => {
  const MINUTE = 60_000;
  const key = (threadId: string, userId?: string) => ({ userId, threadId });

  let manager: ThreadSessionManager;

  beforeEach(() => {
    vi.useFakeTimers();
    manager = new ThreadSessionManager({
      maxThreadSessions: 3,
      sessionTimeoutMinutes: 10,
    });
  });

  afterEach(() => {
    vi.useRealTimers();
  });

  /** Uses a thread for one run. */
  function use(threadId: string, userId?: string): ThreadSession {
    const session = manager.acquire(key(threadId, userId));
    manager.release(key(threadId, userId));
    return session;
  }

  it('should keep one session a thread', () => {
    const session = use('a');
    expect(use('a')).toBe(session);
    expect(use('b')).not.toBe(session);
    expect(manager.size).toBe(2);
  });

  it('should keep the threads of users apart', () => {
    const sessions = [
      use('a'),
      use('a', 'ann'),
      use('a', ''),
      use('a', 'null'),
    ];
    expect(new Set(sessions).size).toBe(4);
  });

  it.each([
    [key('b', 'a'), key('a', 'b')],
    [key('a","b', undefined), key('b', 'a')],
    [key('b"]', 'a'), key('b', 'a"]')],
    [key('a', 'undefined'), key('a')],
    [key('__proto__'), key('constructor')],
  ])('should not mix up %o and %o', (one, other) => {
    expect(manager.acquire(one)).not.toBe(manager.acquire(other));
  });

  it('should drop the thread that was unused for longest', () => {
    const [a, b] = [use('a'), use('b'), use('c')];
    expect(use('a')).toBe(a);
    use('d');
    expect(manager.size).toBe(3);
    expect(use('a')).toBe(a);
    expect(use('b')).not.toBe(b);
  });

  it('should drop threads that were unused for too long', () => {
    const [a, b] = [use('a'), use('b')];
    vi.advanceTimersByTime(10 * MINUTE - 1);
    expect(use('a')).toBe(a);
    vi.advanceTimersByTime(1);
    expect(use('c')).not.toBe(b);
    expect(manager.size).toBe(2);
    expect(use('b')).not.toBe(b);
  });

  it('should count the age of a thread from the end of its last run', () => {
    const session = manager.acquire(key('a'));
    vi.advanceTimersByTime(60 * MINUTE);
    manager.release(key('a'));
    vi.advanceTimersByTime(9 * MINUTE);
    expect(use('a')).toBe(session);
  });

  it('should never drop a thread that runs, however old', () => {
    const session = manager.acquire(key('a'));
    use('b');
    vi.advanceTimersByTime(60 * MINUTE);
    use('c');
    expect(manager.size).toBe(2);
    expect(manager.acquire(key('a'))).toBe(session);
  });

  it('should never drop threads that run, however many', () => {
    const threads = ['a', 'b', 'c', 'd', 'e'];
    const sessions = threads.map((id) => manager.acquire(key(id)));
    expect(manager.size).toBe(5);
    expect(threads.map((id) => manager.acquire(key(id)))).toEqual(sessions);
    for (const id of [...threads, ...threads]) manager.release(key(id));
    expect(manager.size).toBe(3);
  });

  it('should hold a thread until its last run is over', () => {
    const session = manager.acquire(key('a'));
    manager.acquire(key('a'));
    manager.release(key('a'));
    for (const id of ['b', 'c', 'd', 'e']) use(id);
    expect(use('a')).toBe(session);
  });

  it('should not mind a release too many', () => {
    use('a');
    manager.release(key('a'));
    manager.release(key('unknown'));
    const session = manager.acquire(key('a'));
    for (const id of ['b', 'c', 'd', 'e']) use(id);
    expect(manager.acquire(key('a'))).toBe(session);
  });
});
