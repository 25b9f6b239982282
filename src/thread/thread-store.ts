import type { Interrupt } from '@ag-ui/core';
import type { ThreadKey } from './thread-key.js';

/** What is kept of a thread between its runs. */
export interface ThreadRecord {
  /** What the last run stopped for and nobody has answered. */
  interrupts: Interrupt[];
  /** Those that were acted upon by runs that failed; clients believe them to be open. */
  answered: Interrupt[];
  /** Whether the next run has to answer what is open; not if the client was told that the last one was cancelled. */
  mustAnswer: boolean;
}

/** A thread that waits for nothing. */
export const IDLE_THREAD: Readonly<ThreadRecord> = {
  interrupts: [],
  answered: [],
  mustAnswer: true,
};

/** A run's hold on its thread: nobody else may run it until it is ended. */
export interface ThreadLease {
  /** The thread as the run found it. */
  readonly record: Readonly<ThreadRecord>;
  /** Takes an open interrupt, so that nobody acts upon its answer again; false if it was taken before. */
  claim(interruptId: string): Promise<boolean>;
  /** Keeps what the run changed and lets the thread go, both at once. Later calls do nothing. */
  end(changes?: Partial<ThreadRecord>): Promise<void>;
}

/** Keeps threads. Every method is atomic, also between several servers that share the store. */
export abstract class ThreadStore {
  /** Begins a run; undefined while the thread has another one. */
  abstract begin(
    thread: ThreadKey,
    runId: string,
  ): Promise<ThreadLease | undefined>;
}
