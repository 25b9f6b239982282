import { describe, expect, it } from 'vitest';
import {
  interrupt,
  never,
  setUpThread,
  type MakeStores,
} from './thread-under-test.fixture.js';

/** What a store keeps of threads between runs. */
export function describeKeeping(make: MakeStores): void {
  describe('keeps', () => {
    it('nothing of a thread that nobody has run', async () => {
      const { here, key } = await setUpThread(make);
      expect(await here.read(key, never())).toBeUndefined();
      expect(await here.cancel(key)).toBe('unknown');
    });

    it('a new thread that waits for nothing', async () => {
      const { begin } = await setUpThread(make);
      expect((await begin()).record).toEqual({
        lastRunId: undefined,
        agentId: undefined,
        branch: 0,
        interrupts: [],
        answered: [],
        mustAnswer: true,
        messages: [],
        state: undefined,
        session: {},
      });
    });

    it('what a run leaves, and no more than it says', async () => {
      const { begin, recordOf } = await setUpThread(make, {
        interrupts: [interrupt('b'), interrupt('a')],
        messages: [{ id: 'u1', role: 'user', content: 'hé\u0000}{' }],
        state: { list: [], none: null, deep: { list: [{}] } },
        session: { seen: [] },
      });
      const lease = await begin();
      expect(lease.record).toMatchObject({ lastRunId: 'r0' });
      await lease.end({ mustAnswer: false });
      expect(await recordOf()).toEqual({
        lastRunId: 'r0',
        branch: 0,
        interrupts: [interrupt('b'), interrupt('a')],
        answered: [],
        mustAnswer: false,
        messages: [{ id: 'u1', role: 'user', content: 'hé\u0000}{' }],
        state: { list: [], none: null, deep: { list: [{}] } },
        session: { seen: [] },
      });
    });

    it.each([0, '', false, null, [], 'text'])(
      'a state that is %j',
      async (state) => {
        const { recordOf } = await setUpThread(make, { state });
        expect((await recordOf()).state).toEqual(state);
      },
    );

    it('what a run had written into its session only if it says so', async () => {
      const { begin, recordOf } = await setUpThread(make, {
        session: { n: 1 },
      });
      const lease = await begin();
      lease.record.session['n'] = 2;
      expect((await recordOf()).session).toEqual({ n: 1 });
      await lease.end({ session: lease.record.session });
      expect((await recordOf()).session).toEqual({ n: 2 });
    });

    it('what the first of two ends of a lease says', async () => {
      const { here, key, begin, recordOf } = await setUpThread(make, {
        interrupts: [interrupt('i1')],
      });
      const lease = await begin();
      await lease.end();
      const next = await begin('r2');
      await lease.end({ interrupts: [] });
      expect(await here.begin(key, 'r3')).toBeUndefined();
      await next.end();
      expect((await recordOf()).interrupts).toHaveLength(1);
    });
  });

  describe('gives an interrupt', () => {
    it('to one claim', async () => {
      const { begin, recordOf } = await setUpThread(make, {
        interrupts: [interrupt('i1'), interrupt('i2')],
      });
      const lease = await begin();
      const claims = await Promise.all(
        Array.from({ length: 5 }, () => lease.claim('i1')),
      );
      expect(claims.filter(Boolean)).toHaveLength(1);
      expect(await lease.claim('other')).toBe(false);
      expect(lease.record.interrupts).toHaveLength(2);
      await lease.end();
      expect(await recordOf()).toMatchObject({
        interrupts: [interrupt('i2')],
        answered: [interrupt('i1')],
      });
    });

    it('to one claim, though an earlier run comes late', async () => {
      const { begin, there } = await setUpThread(make, {
        interrupts: [interrupt('i1')],
      });
      const late = await begin('r1');
      await late.end();
      const now = await begin('r2', there);
      expect(await late.claim('i1')).toBe(true);
      expect(await now.claim('i1')).toBe(false);
    });
  });
}
