import { describe, expect, it } from 'vitest';
import { InMemoryThreadStore } from './in-memory-thread-store.js';
import {
  describeThreadStore,
  EVENT_LOG_LIMIT,
} from './thread-store.fixture.js';

const THREAD = { userId: undefined, threadId: 't1' };
const LIMITS = {
  maxThreadSessions: 3,
  sessionTimeoutMinutes: 30,
  eventLogLimit: EVENT_LOG_LIMIT,
};

describeThreadStore('InMemoryThreadStore', async () => {
  const here = new InMemoryThreadStore(LIMITS);
  return { here, there: here };
});

describe('InMemoryThreadStore', () => {
  it('should stay inside its bound, and keep the threads that are run', async () => {
    const store = new InMemoryThreadStore(LIMITS);
    const running = await store.begin(THREAD, 'r1');
    for (let n = 0; n < 20; n++) {
      const lease = await store.begin(
        { userId: 'ada', threadId: `t${n}` },
        'r1',
      );
      await lease!.end();
    }
    expect(store.size).toBe(3);
    expect(await store.begin(THREAD, 'r1')).toBeUndefined();
    await running!.end();
  });
});
