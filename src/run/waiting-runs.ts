import { nameOf, type ThreadKey } from '../thread/thread-key.js';

/** A run was cancelled, or replaced by a later one, before it began. */
export class NeverBegunError extends Error {
  constructor() {
    super('The run was cancelled before it began.');
  }
}

interface WaitingRun {
  runId: string;
  abort: AbortController;
}

/** The runs of this process that wait for their threads. */
export class WaitingRuns {
  private readonly waiting = new Map<string, Set<WaitingRun>>();

  /**
   * Waits, while the run is known to wait.
   *
   * @param act is given a signal that fires when the run is cancelled, too.
   */
  async during<T>(
    thread: ThreadKey,
    runId: string,
    signal: AbortSignal,
    act: (signal: AbortSignal) => Promise<T>,
  ): Promise<T> {
    const name = nameOf(thread);
    const run = { runId, abort: new AbortController() };
    const all = this.waiting.get(name) ?? new Set();
    this.waiting.set(name, all.add(run));
    try {
      return await act(AbortSignal.any([signal, run.abort.signal]));
    } finally {
      all.delete(run);
      if (all.size === 0) this.waiting.delete(name);
    }
  }

  /**
   * Cancels those that wait for a thread, or the one with this id.
   *
   * @returns whether there was any.
   */
  cancel(thread: ThreadKey, runId?: string): boolean {
    const found = [...(this.waiting.get(nameOf(thread)) ?? [])].filter(
      (run) => runId === undefined || run.runId === runId,
    );
    for (const { abort } of found) abort.abort(new NeverBegunError());
    return found.length > 0;
  }
}
