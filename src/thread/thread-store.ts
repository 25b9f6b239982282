import type { Interrupt } from '@ag-ui/core';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { Conversation } from './conversation.js';
import type { ThreadKey } from './thread-key.js';

/** What is kept of a thread between its runs. */
export interface ThreadRecord extends Conversation {
  /** The latest run that was started; undefined if there was none, and so no thread. */
  lastRunId: string | undefined;
  /** The agent of the last run that finished: the one that waits. */
  agentId: string | undefined;
  /** How often its clients have left what was kept: agents that remember another branch must not. */
  branch: number;
  /** What the last run stopped for and nobody has answered. */
  interrupts: Interrupt[];
  /** Those that were acted upon by runs that failed; clients believe them to be open. */
  answered: Interrupt[];
  /** Whether the next run has to answer what is open; not if the client was told that the last one was cancelled. */
  mustAnswer: boolean;
  /** What agents keep themselves: JSON, under `agui.session` in a run's context. */
  session: Record<string, unknown>;
}

/** A thread that has said nothing and waits for nothing. */
export const NEW_THREAD: Readonly<ThreadRecord> = {
  lastRunId: undefined,
  agentId: undefined,
  branch: 0,
  interrupts: [],
  answered: [],
  mustAnswer: true,
  messages: [],
  state: undefined,
  session: {},
};

/** A run's hold on its thread: nobody else may run it until it is ended. */
export interface ThreadLease {
  /** The thread as the run found it. */
  readonly record: Readonly<ThreadRecord>;
  /** Takes an open interrupt, so that nobody acts upon its answer again; false if it was taken before. */
  claim(interruptId: string): Promise<boolean>;
  /** The run starts, from this conversation: whoever follows it hears it from here on. */
  start(from: Conversation): void;
  /** Takes an event of the run, for those who follow it. */
  add(event: AguiEvent): void;
  /** What the run has made of the conversation. */
  conversation(): Conversation;
  /** Fires when the run shall stop: somebody cancels it, or, with a {@link ThreadLostError}, the hold is lost. */
  readonly stop: AbortSignal;
  /**
   * Keeps what the run changed and lets the thread go, both at once. Later calls do nothing.
   *
   * @throws if it could not be kept; the thread is let go sooner or later all the same.
   */
  end(changes?: Partial<ThreadRecord>): Promise<void>;
}

/** A run has lost its thread to another one: it was not heard of for too long. */
export class ThreadLostError extends AguiError {
  constructor() {
    super('Another run has the thread now.', AguiErrorCode.INTERRUPTED_ERROR);
  }
}

/** A thread, and the run that is on it, for somebody who comes later. */
export interface ThreadView {
  record: Readonly<ThreadRecord>;
  run?: FollowedRun;
}

/** A run as others hear it. */
export interface FollowedRun {
  runId: string;
  /** The conversation that the events go on from. */
  start: Conversation;
  /**
   * The events, first those that are past, then each as it comes, until the run ends.
   *
   * @throws Error if the run is gone without an end, or the follower is too slow.
   */
  events: AsyncIterable<readonly AguiEvent[]>;
}

/** What came of a wish to cancel: the run is told; it was over already; or there is no such run. */
export type CancelResult = 'cancelled' | 'over' | 'unknown';

/**
 * Keeps threads: who runs them, what they wait for, what was said. Every method is atomic, also
 * between several servers that share the store.
 */
export abstract class ThreadStore {
  /**
   * Begins a run; undefined while the thread has another one.
   *
   * @param wait waits for the other one to end, until this fires.
   * @throws the signal's reason when it has fired; Error if the store cannot be reached.
   */
  abstract begin(
    thread: ThreadKey,
    runId: string,
    wait?: AbortSignal,
  ): Promise<ThreadLease | undefined>;

  /**
   * The thread as it is now; undefined if there is none.
   *
   * @param signal fires when nobody follows the run any more.
   */
  abstract read(
    thread: ThreadKey,
    signal: AbortSignal,
  ): Promise<ThreadView | undefined>;

  /** Has the thread's run stop, wherever it runs; only if it has this id, if one is given. */
  abstract cancel(thread: ThreadKey, runId?: string): Promise<CancelResult>;

  /**
   * Looks whether the store can be reached, at little cost: health checks ask every few seconds.
   *
   * @throws Error if it cannot, or does not answer in time.
   */
  abstract ping(): Promise<void>;
}
