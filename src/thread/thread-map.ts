import { nameOf, type ThreadKey } from './thread-key.js';

/** How many threads are kept, and for how long after their last use. */
export interface ThreadLimits {
  maxThreadSessions: number;
  sessionTimeoutMinutes: number;
  /** About how many bytes all of them may have. Default: any. */
  maxThreadMemory?: number;
}

interface Entry<T> {
  value: T;
  usedAt: number;
  users: number;
  weight: number;
}

/** Something per thread, bounded in number, weight and age. What is in use is never dropped. */
export class ThreadMap<T> {
  // The order of insertion is the order of use: the least recently used comes first.
  private readonly entries = new Map<string, Entry<T>>();
  private weight = 0;

  /** @param weigh says how many bytes a thread's own has, about; it is asked after each use. */
  constructor(
    private readonly limits: ThreadLimits,
    private readonly make: () => T,
    private readonly weigh: (value: T) => number = () => 0,
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** The thread's own, to be released after use. */
  acquire(key: ThreadKey): T {
    this.dropExpired();
    const name = nameOf(key);
    const entry = this.entries.get(name) ?? {
      value: this.make(),
      usedAt: 0,
      users: 0,
      weight: 0,
    };
    entry.users++;
    this.use(name, entry);
    this.dropSurplus();
    return entry.value;
  }

  /** The thread's own, if there is any, for a look. */
  peek(key: ThreadKey): T | undefined {
    this.dropExpired();
    return this.entries.get(nameOf(key))?.value;
  }

  release(key: ThreadKey): void {
    const name = nameOf(key);
    const entry = this.entries.get(name);
    if (entry === undefined || entry.users === 0) return;
    entry.users--;
    this.weight -= entry.weight;
    entry.weight = this.weigh(entry.value);
    this.weight += entry.weight;
    this.use(name, entry);
    this.dropSurplus();
  }

  private use(name: string, entry: Entry<T>): void {
    entry.usedAt = Date.now();
    this.entries.delete(name);
    this.entries.set(name, entry);
  }

  private dropExpired(): void {
    const oldest = Date.now() - this.limits.sessionTimeoutMinutes * 60_000;
    for (const [name, entry] of this.entries) {
      if (entry.usedAt > oldest) return;
      if (entry.users === 0) this.drop(name, entry);
    }
  }

  private dropSurplus(): void {
    const { maxThreadSessions, maxThreadMemory = Infinity } = this.limits;
    for (const [name, entry] of this.entries) {
      if (
        this.entries.size <= maxThreadSessions &&
        this.weight <= maxThreadMemory
      )
        return;
      if (entry.users === 0) this.drop(name, entry);
    }
  }

  private drop(name: string, { weight }: Entry<T>): void {
    this.weight -= weight;
    this.entries.delete(name);
  }
}
