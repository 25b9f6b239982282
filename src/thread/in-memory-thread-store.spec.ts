import type { Interrupt } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { InMemoryThreadStore } from './in-memory-thread-store.js';

const THREAD = { userId: undefined, threadId: 't1' };
const interrupt = (id: string): Interrupt => ({ id, reason: 'tool_call' });

async function storeWith(...ids: string[]) {
  const store = new InMemoryThreadStore({
    maxThreadSessions: 10,
    sessionTimeoutMinutes: 30,
  });
  const lease = await store.begin(THREAD);
  await lease!.end({ interrupts: ids.map(interrupt) });
  const begin = async () => (await store.begin(THREAD))!;
  return { store, begin };
}

describe('InMemoryThreadStore', () => {
  it('should begin with a thread that waits for nothing', async () => {
    const { begin } = await storeWith();
    expect((await begin()).record).toEqual({
      interrupts: [],
      answered: [],
      mustAnswer: true,
    });
  });

  it('should lend a thread to one run at a time', async () => {
    const { store, begin } = await storeWith();
    const lease = await begin();
    expect(await store.begin(THREAD)).toBeUndefined();
    await lease.end();
    expect(await store.begin(THREAD)).toBeDefined();
  });

  it('should lend a thread to one of many that ask at once', async () => {
    const { store } = await storeWith();
    const leases = await Promise.all(
      Array.from({ length: 20 }, () => store.begin(THREAD)),
    );
    expect(leases.filter((lease) => lease !== undefined)).toHaveLength(1);
  });

  it('should lend the threads of others meanwhile', async () => {
    const { store, begin } = await storeWith();
    await begin();
    for (const other of [
      { userId: undefined, threadId: 't2' },
      { userId: 'ada', threadId: 't1' },
    ])
      expect(await store.begin(other)).toBeDefined();
  });

  it('should keep what a run leaves, and no more than it says', async () => {
    const { begin } = await storeWith('i1');
    await (await begin()).end({ mustAnswer: false });
    const lease = await begin();
    expect(lease.record.interrupts).toEqual([interrupt('i1')]);
    expect(lease.record.mustAnswer).toBe(false);
    await lease.end();
    expect((await begin()).record).toEqual(lease.record);
  });

  it('should end a lease once', async () => {
    const { store, begin } = await storeWith('i1');
    const lease = await begin();
    await lease.end();
    const next = await begin();
    await lease.end({ interrupts: [] });
    expect(await store.begin(THREAD)).toBeUndefined();
    await next.end();
    expect((await begin()).record.interrupts).toHaveLength(1);
  });

  it('should give an interrupt to one claim', async () => {
    const { begin } = await storeWith('i1', 'i2');
    const lease = await begin();
    const claims = await Promise.all(
      Array.from({ length: 5 }, () => lease.claim('i1')),
    );
    expect(claims.filter(Boolean)).toHaveLength(1);
    expect(await lease.claim('other')).toBe(false);
    await lease.end();
    const { record } = await begin();
    expect(record.interrupts).toEqual([interrupt('i2')]);
    expect(record.answered).toEqual([interrupt('i1')]);
  });

  it('should let a run see the thread as it found it', async () => {
    const { begin } = await storeWith('i1');
    const lease = await begin();
    await lease.claim('i1');
    expect(lease.record.interrupts).toEqual([interrupt('i1')]);
  });

  it('should give an interrupt to one claim, though an earlier run comes late', async () => {
    const { begin } = await storeWith('i1');
    const late = await begin();
    await late.end();
    const now = await begin();
    expect(await late.claim('i1')).toBe(true);
    expect(await now.claim('i1')).toBe(false);
  });

  it('should stay inside its bound, and keep the threads that are run', async () => {
    const store = new InMemoryThreadStore({
      maxThreadSessions: 3,
      sessionTimeoutMinutes: 30,
    });
    const running = await store.begin(THREAD);
    for (let n = 0; n < 20; n++) {
      const lease = await store.begin({ userId: 'ada', threadId: `t${n}` });
      await lease!.end();
    }
    expect(store.size).toBe(3);
    expect(await store.begin(THREAD)).toBeUndefined();
    await running!.end();
  });
});
