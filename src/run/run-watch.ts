import type { AguiRun } from '../adapter/agui-run.js';
import { failureOf } from '../adapter/run-failure.js';
import type { RunTotals } from '../adapter/run-totals.js';
import {
  ToolSurroundings,
  type ExecutedCall,
} from '../agent/tool-surroundings.js';
import type { ObservedRun, RunObservation } from './agui-run-observer.js';
import type { SteadyObservation } from './steady-observation.js';

/** What all observers do about one run, from its preparation to its end. */
export class RunWatch {
  private readonly begun = performance.now();

  constructor(
    private readonly run: ObservedRun,
    private readonly observations: readonly SteadyObservation[],
    private readonly onEnd: () => void,
  ) {
    if (this.with('aroundTool').length > 0)
      run.context.put(
        ToolSurroundings,
        new ToolSurroundings((call, act) => this.aroundTool(call, act)),
      );
  }

  /** Watches the run that is made; one that cannot be has ended. */
  async over(make: () => Promise<AguiRun>): Promise<AguiRun> {
    try {
      const run = await this.around(make);
      this.attach(run);
      return run;
    } catch (error) {
      this.end(this.refusal(error));
      throw error;
    }
  }

  private attach(run: AguiRun): void {
    const listening = this.with('agentEvent');
    const observing = this.with('event');
    if (listening.length > 0)
      run.listen((event) => {
        for (const one of listening) one.tell('agentEvent', event);
      });
    if (observing.length > 0)
      run.observe((event) => {
        for (const one of observing) one.tell('event', event);
      });
    if (this.with('around').length > 0) run.surround((act) => this.around(act));
    run.whenDone(() => this.end(run.totals));
  }

  private around<T>(act: () => T): T {
    return this.within('around', (one, inner) => one.around!(inner), act);
  }

  private aroundTool<T>(call: ExecutedCall, act: () => T): T {
    return this.within(
      'aroundTool',
      (one, inner) => one.aroundTool!(call, inner),
      act,
    );
  }

  /** The first observer is the outermost. */
  private within<T>(
    part: keyof RunObservation,
    surround: (one: RunObservation, inner: () => T) => T,
    act: () => T,
  ): T {
    return this.with(part).reduceRight(
      (inner, one) => () => one.surround(surround, inner),
      act,
    )();
  }

  /** Within the surroundings of the run, so that what is written or sent of it belongs to its trace. */
  private end(totals: RunTotals): void {
    const summary = { ...totals, duration: performance.now() - this.begun };
    this.around(() => {
      for (const one of this.with('end')) one.tell('end', summary);
    });
    this.onEnd();
  }

  /** How a run ended that could not start. */
  private refusal(error: unknown): RunTotals {
    const { signal } = this.run.context;
    const hasLeft =
      signal.aborted &&
      (signal.reason as Error | undefined)?.name === 'AbortError';
    return hasLeft
      ? { outcome: 'disconnected', events: 0, bytes: 0 }
      : {
          outcome: 'error',
          code: failureOf(error, false).code,
          error,
          events: 0,
          bytes: 0,
        };
  }

  private with(part: keyof RunObservation): SteadyObservation[] {
    return this.observations.filter((one) => one.has(part));
  }
}
