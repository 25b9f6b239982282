import { Logger } from '@nestjs/common';
import { nameOf } from '../adapter/extension-name.js';
import { detailsOf } from '../thrown.js';
import type {
  AguiRunObserver,
  ObservedRun,
  RunObservation,
} from './agui-run-observer.js';
import { Once } from './once.js';

const logger = new Logger('AguiModule');

type Telling = 'agentEvent' | 'event' | 'end';
type News<P extends Telling> = Parameters<Required<RunObservation>[P]>[0];

/** What an observer does about one run. The run goes on, whatever that is; its first fault is logged. */
export class SteadyObservation {
  private observation: RunObservation = {};
  private hasFailed = false;

  constructor(
    private readonly observer: AguiRunObserver,
    run: ObservedRun,
  ) {
    try {
      const begun: unknown = observer.begin(run) ?? {};
      this.watch(begun);
      if (!isObservation(begun))
        throw new TypeError(
          'begin() must return an observation or undefined, and at once.',
        );
      this.observation = begun;
    } catch (error) {
      this.blame(error);
    }
  }

  has(part: keyof RunObservation): boolean {
    return this.observation[part] !== undefined;
  }

  tell<P extends Telling>(part: P, news: News<P>): void {
    try {
      const told = this.observation as Record<P, (news: News<P>) => unknown>;
      this.watch(told[part](news));
    } catch (error) {
      this.blame(error);
    }
  }

  /**
   * Acts within surroundings that the observer makes; without them if it does not make any.
   *
   * @returns what `act` returns, or throws what it throws.
   */
  surround<T>(
    within: (observation: RunObservation, act: () => T) => unknown,
    act: () => T,
  ): T {
    const once = new Once(act);
    const blame = (error: unknown) => {
      if (!once.hasFailedWith(error)) this.blame(error);
    };
    try {
      this.watch(within(this.observation, once.do), blame);
      if (!once.isDone)
        throw new TypeError(
          'around() and aroundTool() must call act() before they return.',
        );
    } catch (error) {
      blame(error);
    }
    return once.do();
  }

  /** Nobody waits for observers that are asynchronous, but what they fail with must not end the process. */
  private watch(
    returned: unknown,
    blame = (error: unknown) => this.blame(error),
  ): void {
    if (returned instanceof Promise) returned.catch(blame);
  }

  /** Once: what fails with one event fails with the next. */
  private blame(error: unknown): void {
    if (this.hasFailed) return;
    this.hasFailed = true;
    logger.error(
      `The run observer ${nameOf(this.observer)} failed.`,
      detailsOf(error),
    );
  }
}

function isObservation(value: unknown): value is RunObservation {
  return (
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    !(value instanceof Promise)
  );
}
