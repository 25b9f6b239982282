import { Logger } from '@nestjs/common';
import type { AguiRun } from '../adapter/agui-run.js';
import { failureOf } from '../adapter/run-failure.js';
import type { RunTotals } from '../adapter/run-totals.js';
import {
  ToolSurroundings,
  type ExecutedCall,
} from '../agent/tool-surroundings.js';
import { detailsOf } from '../thrown.js';
import type { ObservedRun, RunObservation } from './agui-run-observer.js';

const logger = new Logger('AguiModule');

type Part = keyof RunObservation;
type With<P extends Part> = RunObservation & Required<Pick<RunObservation, P>>;

/** What all observers do about one run, from its preparation to its end. */
export class RunWatch {
  private readonly begun = performance.now();
  private failed = false;

  constructor(
    private readonly run: ObservedRun,
    private readonly observations: readonly RunObservation[],
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
      run.listen((event) =>
        this.tell(listening, (one) => one.agentEvent(event)),
      );
    if (observing.length > 0)
      run.observe((event) => this.tell(observing, (one) => one.event(event)));
    if (this.with('around').length > 0) run.surround((act) => this.around(act));
    run.whenDone(() => this.end(run.totals));
  }

  private around<T>(act: () => T): T {
    return this.with('around').reduceRight(
      (inner, one) => () => one.around(inner),
      act,
    )();
  }

  private aroundTool<T>(call: ExecutedCall, act: () => T): T {
    return this.with('aroundTool').reduceRight(
      (inner, one) => () => one.aroundTool(call, inner),
      act,
    )();
  }

  /** Within the surroundings of the run, so that what is written or sent of it belongs to its trace. */
  private end(totals: RunTotals): void {
    const summary = { ...totals, duration: performance.now() - this.begun };
    this.around(() => this.tell(this.with('end'), (one) => one.end(summary)));
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

  private with<P extends Part>(part: P): With<P>[] {
    return this.observations.filter(
      (one): one is With<P> => one[part] !== undefined,
    );
  }

  private tell<P extends Part>(
    to: readonly With<P>[],
    say: (one: With<P>) => void,
  ): void {
    for (const one of to)
      try {
        say(one);
      } catch (error) {
        this.complain(error);
      }
  }

  /** Once: what fails with one event fails with the next. */
  private complain(error: unknown): void {
    if (this.failed) return;
    this.failed = true;
    logger.error('An observer of a run failed.', detailsOf(error));
  }
}
