import type { ThreadKey } from './thread-key.js';
import { ThreadMap, type ThreadLimits } from './thread-map.js';
import {
  IDLE_THREAD,
  ThreadStore,
  type ThreadLease,
  type ThreadRecord,
} from './thread-store.js';

interface Thread {
  record: ThreadRecord;
  busy: boolean;
}

/** Keeps threads in this process: bounded in number and age, gone with the process. */
export class InMemoryThreadStore extends ThreadStore {
  private readonly threads: ThreadMap<Thread>;

  constructor(limits: ThreadLimits) {
    super();
    this.threads = new ThreadMap(limits, () => ({
      record: { ...IDLE_THREAD },
      busy: false,
    }));
  }

  get size(): number {
    return this.threads.size;
  }

  async begin(key: ThreadKey): Promise<ThreadLease | undefined> {
    const thread = this.threads.acquire(key);
    if (thread.busy) {
      this.threads.release(key);
      return undefined;
    }
    thread.busy = true;
    let over = false;
    return {
      record: { ...thread.record },
      claim: async (interruptId) => {
        const { interrupts, answered } = thread.record;
        const claimed = interrupts.find(({ id }) => id === interruptId);
        if (claimed === undefined) return false;
        Object.assign(thread.record, {
          interrupts: interrupts.filter((one) => one !== claimed),
          answered: [...answered, claimed],
        });
        return true;
      },
      end: async (changes = {}) => {
        if (over) return;
        over = true;
        Object.assign(thread.record, changes);
        thread.busy = false;
        this.threads.release(key);
      },
    };
  }
}
