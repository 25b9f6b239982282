import type { Message } from '@ag-ui/core';
import { isAgent, type AnyAgent } from '../agent/agent.js';
import { unlessAborted } from '../unless-aborted.js';
import type { ThreadKey } from './thread-key.js';
import { ThreadMap, type ThreadLimits } from './thread-map.js';

/** What the server keeps of one thread between its runs. */
export class ThreadSession {
  private readonly agents = new Map<string, AnyAgent | Promise<AnyAgent>>();
  private readonly seen = new Map<string, Set<string>>();
  private branch: number | undefined;

  /**
   * The thread's own instance of an agent, made when it is first asked for. One that speaks AG-UI itself
   * is told everything by the input of each run; it is made for that run, of what that run knows.
   *
   * @param signals ask for it to be made anew for the next run, should it not be there when one fires.
   */
  async agent(
    id: string,
    make: () => AnyAgent | Promise<AnyAgent>,
    signals: readonly AbortSignal[] = [],
  ): Promise<AnyAgent> {
    const agent = this.agents.get(id) ?? make();
    this.agents.set(id, agent);
    // Another run may have learnt of a failure before, and made one that works.
    const forget = () => {
      if (this.agents.get(id) === agent) this.agents.delete(id);
    };
    if (agent instanceof Promise) agent.catch(forget);
    try {
      const instance = await (agent instanceof Promise
        ? unlessAborted(agent, signals)
        : agent);
      if (!isAgent(instance)) forget();
      return instance;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** The thread goes on with this branch: agents that remember another one must not. */
  goOnWith(branch: number): void {
    if (this.branch !== undefined && this.branch !== branch) {
      this.agents.clear();
      this.seen.clear();
    }
    this.branch = branch;
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

/**
 * The threads that the server keeps in memory (AgentScope: `server-side-memory`). A thread with a
 * run is never dropped.
 */
export class ThreadSessionManager {
  private readonly sessions: ThreadMap<ThreadSession>;

  constructor(limits: ThreadLimits) {
    this.sessions = new ThreadMap(limits, () => new ThreadSession());
  }

  get size(): number {
    return this.sessions.size;
  }

  /** The thread's session, for a run; `release` it when the run is over. */
  acquire(key: ThreadKey): ThreadSession {
    return this.sessions.acquire(key);
  }

  release(key: ThreadKey): void {
    this.sessions.release(key);
  }
}
