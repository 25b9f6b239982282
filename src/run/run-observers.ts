import { Injectable } from '@nestjs/common';
import type { ContextId } from '@nestjs/core';
import { AguiExtensions } from '../agui-extensions.js';
import { AguiProperties } from '../agui.properties.js';
import type { AguiRunObserver, ObservedRun } from './agui-run-observer.js';
import { RunReporter } from './run-reporter.js';
import { RunWatch } from './run-watch.js';
import { SteadyObservation } from './steady-observation.js';

/** Tells observers of each run: the module's own, which writes the log, and the application's. */
@Injectable()
export class RunObservers {
  private running = 0;
  private readonly reporter: AguiRunObserver;

  constructor(
    private readonly extensions: AguiExtensions,
    { logPayloads }: AguiProperties,
  ) {
    this.reporter = new RunReporter(logPayloads);
  }

  /** How many runs have begun and not ended, their preparation included. */
  get active(): number {
    return this.running;
  }

  /** @param scope in which observers are found that depend on the request. */
  async begin(run: ObservedRun, scope: ContextId): Promise<RunWatch> {
    const observers = await this.extensions.resolve('run-observer', scope);
    this.running++;
    return new RunWatch(
      run,
      [this.reporter, ...observers].map(
        (one) => new SteadyObservation(one, run),
      ),
      () => this.running--,
    );
  }
}
