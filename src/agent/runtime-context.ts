import type { Interrupt, ResumeEntry, RunAgentInput } from '@ag-ui/core';
import type { Msg } from './msg.js';
import { Toolkit } from './toolkit.js';

/**
 * The entries that every run's context has (AgentScope: `RuntimeContext`). Applications may augment
 * it with their own.
 */
export interface RuntimeContextEntries {
  /** The whole input of the run; AgentScope: `RunAgentInput.class`. */
  'agui.input': RunAgentInput;
  /** The id under which the agent is served; absent when an adapter is used without the module. */
  'agui.agentId': string | undefined;
  'agui.threadId': string;
  'agui.runId': string;
  'agui.messages': RunAgentInput['messages'];
  'agui.tools': RunAgentInput['tools'];
  'agui.context': RunAgentInput['context'];
  'agui.state': RunAgentInput['state'];
  'agui.forwardedProps': RunAgentInput['forwardedProps'];
  /**
   * With server-side memory: what the thread has besides the messages that the agent is given. An agent
   * that keeps nothing itself goes on from `[...history, ...messages]`.
   */
  'agui.history': Msg[] | undefined;
  /**
   * What agents keep of a thread themselves: an object of JSON values, which they change. It is kept
   * when the run finishes, with or without server-side memory.
   */
  'agui.session': Record<string, unknown> | undefined;
  'agui.resume': ResumeEntry[] | undefined;
  /** The recorded interrupts that `resume` answers. */
  'agui.resume.interrupts': Interrupt[] | undefined;
}

type ContextClass<T> = abstract new (...args: never[]) => T;

/** What a {@link RuntimeContext} is made from. */
export interface RuntimeContextInit {
  sessionId?: string;
  userId?: string;
  signal?: AbortSignal;
  toolkit?: Toolkit;
  /** Entries by string key. */
  entries?: Readonly<Record<string, unknown>>;
}

/**
 * What one run knows besides its messages: who asks, which tools it has, when to stop, and any
 * value an application puts in. It belongs to that run alone.
 */
export class RuntimeContext {
  /** The AG-UI thread: always `RunAgentInput.threadId` when an agent sees it. */
  readonly sessionId: string;
  /** The authenticated user, as a context resolver found it; never taken from the request's body. */
  readonly userId: string | undefined;
  /** Fires when the run must stop: the client left, time is up, it was cancelled, the server closes. */
  readonly signal: AbortSignal;
  /** The tools of this run, the front end's merged in. */
  readonly toolkit: Toolkit;
  private readonly values: Map<unknown, unknown>;

  constructor(init: RuntimeContextInit = {}) {
    this.sessionId = init.sessionId ?? '';
    this.userId = init.userId;
    this.signal = init.signal ?? new AbortController().signal;
    this.toolkit = init.toolkit ?? new Toolkit();
    this.values = new Map(Object.entries(init.entries ?? {}));
  }

  get<K extends keyof RuntimeContextEntries>(
    key: K,
  ): RuntimeContextEntries[K] | undefined;
  get<T>(key: ContextClass<T>): T | undefined;
  get<T = unknown>(key: string): T | undefined;
  get(key: unknown): unknown {
    return this.values.get(key);
  }

  has(key: string | ContextClass<unknown>): boolean {
    return this.values.has(key);
  }

  put<T>(key: ContextClass<T>, value: T): this;
  put(key: string, value: unknown): this;
  put(key: unknown, value: unknown): this {
    this.values.set(key, value);
    return this;
  }

  /** A copy to which another context's user and entries are added; the other's win. */
  merge(other: RuntimeContext): RuntimeContext {
    const merged = this.with({ userId: other.userId });
    for (const [key, value] of other.values) merged.values.set(key, value);
    return merged;
  }

  /** A copy with some properties replaced and its entries copied; `init.entries` overwrite. */
  with(init: RuntimeContextInit): RuntimeContext {
    const copy = new RuntimeContext({
      sessionId: init.sessionId ?? this.sessionId,
      userId: init.userId ?? this.userId,
      signal: init.signal ?? this.signal,
      toolkit: init.toolkit ?? this.toolkit,
    });
    for (const [key, value] of this.values) copy.values.set(key, value);
    for (const [key, value] of Object.entries(init.entries ?? {}))
      copy.values.set(key, value);
    return copy;
  }
}
