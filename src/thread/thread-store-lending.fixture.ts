import { once } from 'node:events';
import { describe, expect, it } from 'vitest';
import { ThreadLostError } from './thread-store.js';
import {
  EMPTY,
  never,
  setUpThread,
  type MakeStores,
} from './thread-under-test.fixture.js';

/** How a store lends threads to runs, and takes them back. */
export function describeLending(make: MakeStores): void {
  describe('lends a thread', () => {
    it('to one run at a time', async () => {
      const { here, there, key, begin } = await setUpThread(make);
      const lease = await begin();
      expect(await here.begin(key, 'r2')).toBeUndefined();
      expect(await there.begin(key, 'r2')).toBeUndefined();
      await lease.end();
      expect(await there.begin(key, 'r2')).toBeDefined();
    });

    it('to one of many that ask at once', async () => {
      const { here, there, key } = await setUpThread(make);
      const leases = await Promise.all(
        Array.from({ length: 20 }, (_, n) =>
          (n % 2 ? here : there).begin(key, `r${n}`),
        ),
      );
      expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
    });

    it('while those of others are lent', async () => {
      const { here, key, begin } = await setUpThread(make);
      await begin();
      for (const other of [
        { ...key, threadId: `${key.threadId}-other` },
        { ...key, userId: 'ada' },
        { ...key, userId: '' },
      ])
        expect(await here.begin(other, 'r1')).toBeDefined();
    });

    it('to those who wait, one after the other', async () => {
      const { here, there, key, begin } = await setUpThread(make);
      const first = await begin();
      const order: string[] = [];
      const waiting = [here, there, here].map(async (store, n) => {
        const lease = await store.begin(key, `w${n}`, never());
        order.push(`begins ${n}`);
        lease!.start(EMPTY);
        await Promise.resolve();
        order.push(`ends ${n}`);
        await lease!.end();
      });
      await first.end();
      await Promise.all(waiting);
      for (let n = 0; n < order.length; n += 2)
        expect(order[n]!.replace('begins', 'ends')).toBe(order[n + 1]);
      expect(order).toHaveLength(6);
    });

    it('not to who waits no longer', async () => {
      const { here, key, begin } = await setUpThread(make);
      const first = await begin();
      const patience = new AbortController();
      const waiting = here.begin(key, 'r2', patience.signal);
      patience.abort(new Error('no patience'));
      await expect(waiting).rejects.toThrow('no patience');
      await first.end();
      expect(await here.begin(key, 'r3')).toBeDefined();
    });

    it('not to who waited no longer before asking', async () => {
      const { here, key, begin } = await setUpThread(make);
      await begin();
      await expect(
        here.begin(key, 'r2', AbortSignal.abort(new Error('gone'))),
      ).rejects.toThrow('gone');
    });
  });

  describe('cancels', () => {
    it('the run, wherever it is, and no other', async () => {
      const { there, key, begin } = await setUpThread(make);
      const lease = await begin('r1');
      const stopped = once(lease.stop, 'abort');
      lease.start(EMPTY);
      expect(await there.cancel(key, 'r2')).toBe('unknown');
      expect(await there.cancel({ ...key, userId: 'eve' })).toBe('unknown');
      expect(await there.cancel(key, 'r1')).toBe('cancelled');
      await stopped;
      expect(lease.stop.reason).not.toBeInstanceOf(ThreadLostError);
      expect(await there.cancel(key, 'r1')).toBe('cancelled');
      await lease.end();
      expect(await there.cancel(key, 'r1')).toBe('over');
      expect(await there.cancel(key)).toBe('over');
    });

    it('whichever run there is', async () => {
      const { there, key, begin } = await setUpThread(make);
      const lease = await begin('r1');
      const stopped = once(lease.stop, 'abort');
      lease.start(EMPTY);
      expect(await there.cancel(key)).toBe('cancelled');
      await stopped;
      expect(lease.stop.reason).not.toBeInstanceOf(ThreadLostError);
    });
  });
}
