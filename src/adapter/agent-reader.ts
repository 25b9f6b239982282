import type { Observable } from 'rxjs';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEventSink } from './agui-event-sink.js';
import { iteratorOf, resultOf } from './observable-iterator.js';
import type { RunSource } from './run-source.js';
import { TimeSlice } from './time-slice.js';

/** Does something, in surroundings of its own, and returns what comes of it. */
export type Around = <T>(act: () => T) => T;

/** Asks a run's agent for one event after the other, and lets go of it in the end. */
export class AgentReader {
  private iterator: AsyncIterator<unknown> | undefined;
  private isBusy = false;

  /** @param onFailure is told of what the agent fails to do when it is let go. */
  constructor(
    private readonly source: RunSource,
    private readonly context: RuntimeContext,
    private readonly around: Around,
    private readonly onFailure: (what: string, error: unknown) => void,
  ) {}

  /**
   * Reads to the end, or until the signal of the run's context fires.
   *
   * @throws whatever the agent throws, or `accept`.
   */
  async read(
    accept: (event: unknown) => void,
    sink: AguiEventSink,
  ): Promise<void> {
    const { signal } = this.context;
    try {
      this.isBusy = true;
      const stream = await this.source.open(this.context);
      const iterator = iteratorOf(
        stream as AsyncIterable<unknown> | Observable<unknown>,
      );
      this.iterator = iterator;
      const slice = new TimeSlice();
      while (!signal.aborted) {
        const { done, value } = resultOf(await iterator.next());
        if (done) break;
        if (!signal.aborted) accept(value);
        const waiting = sink.ready?.() ?? slice.over();
        if (waiting !== undefined) await waiting;
      }
    } finally {
      this.isBusy = false;
      this.returnIterator();
    }
  }

  /** Tells the agent to stop, if it is at work. */
  stop(): void {
    this.returnIterator();
    if (this.isBusy)
      void this.attempt('interrupt its run', () =>
        this.source.interrupt?.(this.context),
      );
  }

  /** Lets the agent's `finally` run; one that is busy gets to it when its own wait is over. */
  private returnIterator(): void {
    const iterator = this.iterator;
    this.iterator = undefined;
    void this.attempt('clean up', () => iterator?.return?.());
  }

  private async attempt(what: string, act: () => unknown): Promise<void> {
    try {
      await this.around(act);
    } catch (error) {
      this.onFailure(`The agent failed to ${what}.`, error);
    }
  }
}
