import type { Message } from '@ag-ui/core';
import type { AnyAgent } from '../agent/agent.js';

/** Whose thread it is. */
export interface ThreadKey {
  userId: string | undefined;
  threadId: string;
}

/** What the server keeps of one thread between its runs. */
export class ThreadSession {
  private readonly agents = new Map<string, AnyAgent | Promise<AnyAgent>>();
  private readonly seen = new Map<string, Set<string>>();

  /** The thread's own instance of an agent, made when it is first asked for. */
  async agent(
    id: string,
    make: () => AnyAgent | Promise<AnyAgent>,
  ): Promise<AnyAgent> {
    let agent = this.agents.get(id);
    if (agent === undefined) this.agents.set(id, (agent = make()));
    try {
      return await agent;
    } catch (error) {
      // Another run may have learnt of it before, and made one that works.
      if (this.agents.get(id) === agent) this.agents.delete(id);
      throw error;
    }
  }

  /** The messages that an agent of the thread has neither been given nor said yet. */
  unseen(agentId: string, messages: readonly Message[]): Message[] {
    const seen = this.seen.get(agentId);
    return messages.filter(({ id }) => !seen?.has(id));
  }

  see(agentId: string, messageId: string): void {
    const seen = this.seen.get(agentId) ?? new Set();
    this.seen.set(agentId, seen.add(messageId));
  }
}

interface Entry {
  session: ThreadSession;
  usedAt: number;
  runs: number;
}

/**
 * The threads that the server keeps in memory (seed: `server-side-memory`), bounded in number and
 * age. A thread with a run is never dropped.
 */
export class ThreadSessionManager {
  // The order of insertion is the order of use: the least recently used comes first.
  private readonly entries = new Map<string, Entry>();

  constructor(
    private readonly options: {
      maxThreadSessions: number;
      sessionTimeoutMinutes: number;
    },
  ) {}

  get size(): number {
    return this.entries.size;
  }

  /** The thread's session, for a run; `release` it when the run is over. */
  acquire(key: ThreadKey): ThreadSession {
    this.dropExpired();
    const name = nameOf(key);
    const entry = this.entries.get(name) ?? {
      session: new ThreadSession(),
      usedAt: 0,
      runs: 0,
    };
    entry.runs++;
    this.use(name, entry);
    this.dropSurplus();
    return entry.session;
  }

  release(key: ThreadKey): void {
    const name = nameOf(key);
    const entry = this.entries.get(name);
    if (entry === undefined || entry.runs === 0) return;
    entry.runs--;
    this.use(name, entry);
    this.dropSurplus();
  }

  private use(name: string, entry: Entry): void {
    entry.usedAt = Date.now();
    this.entries.delete(name);
    this.entries.set(name, entry);
  }

  private dropExpired(): void {
    const oldest = Date.now() - this.options.sessionTimeoutMinutes * 60_000;
    for (const [name, { usedAt, runs }] of this.entries) {
      if (usedAt > oldest) return;
      if (runs === 0) this.entries.delete(name);
    }
  }

  private dropSurplus(): void {
    let surplus = this.entries.size - this.options.maxThreadSessions;
    for (const [name, { runs }] of this.entries) {
      if (surplus <= 0) return;
      if (runs > 0) continue;
      this.entries.delete(name);
      surplus--;
    }
  }
}

function nameOf({ userId, threadId }: ThreadKey): string {
  return JSON.stringify([userId ?? null, threadId]);
}
