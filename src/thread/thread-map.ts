import { nameOf, type ThreadKey } from './thread-key.js';

/** How many threads are kept, and for how long after their last use. */
export interface ThreadLimits {
  maxThreadSessions: number;
  sessionTimeoutMinutes: number;
}

interface Entry<T> {
  value: T;
  usedAt: number;
  users: number;
}

/** Something per thread, bounded in number and age. What is in use is never dropped. */
export class ThreadMap<T> {
  // The order of insertion is the order of use: the least recently used comes first.
  private readonly entries = new Map<string, Entry<T>>();

  constructor(
    private readonly limits: ThreadLimits,
    private readonly make: () => T,
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
    for (const [name, { usedAt, users }] of this.entries) {
      if (usedAt > oldest) return;
      if (users === 0) this.entries.delete(name);
    }
  }

  private dropSurplus(): void {
    let surplus = this.entries.size - this.limits.maxThreadSessions;
    for (const [name, { users }] of this.entries) {
      if (surplus <= 0) return;
      if (users > 0) continue;
      this.entries.delete(name);
      surplus--;
    }
  }
}
