import type { RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { AguiErrorCode } from '../protocol/agui-error.js';
import { oneLine } from '../log-text.js';
import { detailsOf } from '../thrown.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  completeConfig,
  type AguiAdapterConfig,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { iteratorOf, resultOf } from './observable-iterator.js';
import type { RunsAgent } from './agui-agent-adapter-factory.js';
import type { AguiEventSink } from './agui-event-sink.js';
import { eventsOf } from './run-events.js';
import { outcomeOf, type RunTotals } from './run-totals.js';
import { describeRun } from './run-description.js';
import { failureOf, runError } from './run-failure.js';
import { RunOutlet } from './run-outlet.js';
import { RunPipeline } from './run-pipeline.js';
import { TimeSlice } from './time-slice.js';
import { acceptorOf, type RunSource } from './run-source.js';

/** Does something, in surroundings of its own, and returns what comes of it. */
export type Around = <T>(act: () => T) => T;

/** The longest time that a timer can measure. */
const LONGEST_TIMEOUT = 2 ** 31 - 1;

/**
 * One run: it asks the agent, and hands out a legal AG-UI stream, either event by event
 * (`for await`) or into a sink that can make it wait.
 */
export class AguiRun implements AsyncIterable<AguiEvent> {
  private readonly abort = new AbortController();
  private readonly context: RuntimeContext;
  private readonly callerSignal: AbortSignal;
  private readonly pipeline: RunPipeline;
  private started = false;
  private iterator: AsyncIterator<unknown> | undefined;
  private events: AsyncGenerator<AguiEvent, void> | undefined;
  /** What the client is told of a stop that came before the start. */
  private lastWord: ((pipeline: RunPipeline) => void) | undefined;
  private agentIsBusy = false;
  private stopped: (() => void) | undefined;
  private readonly callbacks: (() => void)[] = [];
  private readonly listeners: ((event: AgentEvent) => void)[] = [];
  private around: Around = (act) => act();
  private error: unknown;
  private readonly outlet = new RunOutlet(
    (what, error) => {
      this.logFailure(what, error);
      this.fail(error);
    },
    (error) => runError((this.error = error), this.config.exposeErrors),
  );

  constructor(
    readonly input: RunAgentInput,
    context: RuntimeContext,
    private readonly source: RunSource,
    private readonly config: FullAdapterConfig,
    private readonly logger: Logger = new Logger('AguiAgentAdapter'),
  ) {
    this.context = context.with({ signal: this.abort.signal });
    this.callerSignal = context.signal;
    this.pipeline = new RunPipeline(
      input,
      this.context,
      config,
      (event) => this.outlet.deliver(event),
      logger,
    );
  }

  /** The run of an adapter of the application's: the guard has the last word on it, too. */
  static ofAdapter(
    adapter: RunsAgent,
    input: RunAgentInput,
    context: RuntimeContext,
    config: AguiAdapterConfig,
  ): AguiRun {
    const source: RunSource = {
      speaks: 'converted-agui',
      open: (own) => adapter.run(input, own),
    };
    return new AguiRun(input, context, source, completeConfig(config));
  }

  /** A run that somebody else has made, and that is only handed on. */
  static ofEvents(
    open: (context: RuntimeContext) => AsyncIterable<AguiEvent>,
    input: RunAgentInput,
    context: RuntimeContext,
  ): AguiRun {
    const source: RunSource = { speaks: 'converted-agui', open };
    return new AguiRun(
      input,
      context,
      source,
      completeConfig({ runTimeout: 0 }),
    );
  }

  /** A run that is refused in its stream. */
  static refused(
    error: unknown,
    input: RunAgentInput,
    context: RuntimeContext,
    config: AguiAdapterConfig,
  ): AguiRun {
    const source: RunSource = {
      speaks: 'converted-agui',
      open: () => Promise.reject(error),
    };
    return new AguiRun(input, context, source, completeConfig(config));
  }

  /** True once the terminal event has been handed out. */
  get ended(): boolean {
    return this.outlet.ended;
  }

  /** What log lines call the run. */
  get description(): string {
    return describeRun(this.input, this.context);
  }

  /** How the run has ended, and how much it has said; to be asked when it is over. */
  get totals(): RunTotals {
    const { terminal, events, bytes } = this.outlet;
    const ended = outcomeOf(terminal);
    return {
      ...ended,
      ...(ended.outcome === 'error' && { error: this.error }),
      events,
      bytes,
    };
  }

  /** Surrounds whatever the agent does. To be called before the run is started. */
  surround(around: Around): void {
    this.around = around;
  }

  /** Calls back with each agent event, before it is converted. To be called before the run is started. */
  listen(listener: (event: AgentEvent) => void): void {
    this.listeners.push(listener);
  }

  /** Calls back with each event, before it is handed out. To be called before the run is started. */
  observe(observer: (event: AguiEvent) => void): void {
    this.outlet.observe(observer);
  }

  /**
   * Calls back with the terminal event, which is handed out when the promise resolves; if it rejects,
   * `RUN_ERROR` is, instead. To be called before the run is started.
   */
  beforeEnd(callback: (terminal: AguiEvent) => Promise<void>): void {
    this.outlet.beforeEnd(callback);
  }

  /** Calls back when the run is over and its agent is done or left to itself. */
  whenDone(callback: () => void): void {
    this.callbacks.push(callback);
  }

  /**
   * Runs to the end. Resolves when the agent has finished, or at once when the run is stopped.
   * Never rejects: what goes wrong becomes the run's `RUN_ERROR` and a line in the log.
   */
  async pipe(sink: AguiEventSink): Promise<void> {
    const { pipeline } = this;
    this.outlet.open(sink);
    this.started = true;
    const timer = this.startTimer();
    const cancel = () => this.cancel();
    this.callerSignal.addEventListener('abort', cancel, { once: true });
    try {
      await new Promise<void>((resolve) => {
        this.stopped = resolve;
        if (this.callerSignal.aborted) cancel();
        if (!this.abort.signal.aborted)
          return void this.around(() => this.drive(sink)).then(resolve);
        this.lastWord?.(pipeline);
        resolve();
      });
    } finally {
      clearTimeout(timer);
      this.callerSignal.removeEventListener('abort', cancel);
      await this.outlet.settled;
      for (const callback of this.callbacks) callback();
    }
  }

  /** Stops the run on purpose; the client learns that it was cancelled. */
  cancel(): void {
    const reason = new DOMException('The run was cancelled.', 'AbortError');
    this.stop(reason, (pipeline) => pipeline.cancel());
  }

  /** Stops the run because of an error; the client learns what may be said of it. */
  fail(error: unknown): void {
    this.error ??= error;
    this.stop(error, (pipeline) => pipeline.fail(error));
  }

  /** Stops the run when nobody listens any more. */
  abandon(): void {
    this.stop(new DOMException('The client has left.', 'AbortError'));
  }

  /** Cleans up after a run that nobody has waited for. */
  discard(): void {
    this.abandon();
    void this.pipe({ write: () => undefined });
  }

  /** The events, once: a second iteration finds what the first one left. */
  [Symbol.asyncIterator](): AsyncIterator<AguiEvent> {
    return (this.events ??= eventsOf(this));
  }

  private async drive(sink: AguiEventSink): Promise<void> {
    const { pipeline } = this;
    const { signal } = this.abort;
    try {
      if (this.source.speaks === 'agent-events') pipeline.announce();
      this.agentIsBusy = true;
      const stream = await this.source.open(this.context);
      const iterator = iteratorOf(
        stream as AsyncIterable<unknown> | Observable<unknown>,
      );
      this.iterator = iterator;
      const accept = acceptorOf(pipeline, this.source.speaks, this.listeners);
      const slice = new TimeSlice();
      while (!signal.aborted) {
        const { done, value } = resultOf(await iterator.next());
        if (done) break;
        if (!signal.aborted) accept(value);
        const waiting = sink.ready?.() ?? slice.over();
        if (waiting !== undefined) await waiting;
      }
      if (!signal.aborted) pipeline.end();
    } catch (error) {
      if (!signal.aborted) this.failed(error);
    } finally {
      this.agentIsBusy = false;
      this.returnIterator();
    }
  }

  private failed(error: unknown): void {
    const when = this.pipeline.ended ? ' after its end' : '';
    const what = `The ${this.description} failed${when}`;
    const { code, message } = failureOf(error, false);
    // The client's fault, of which the stack tells nothing.
    if (code === AguiErrorCode.AGUI_INTERRUPT_CONTRACT_ERROR)
      this.logger.warn(`${what}: ${oneLine(message)}`);
    else this.logFailure(`${what}.`, error);
    this.error ??= error;
    this.pipeline.fail(error);
  }

  private stop(
    reason: unknown,
    lastWord?: (pipeline: RunPipeline) => void,
  ): void {
    this.lastWord ??= lastWord;
    if (this.started) lastWord?.(this.pipeline);
    if (this.abort.signal.aborted) return;
    this.abort.abort(reason);
    this.returnIterator();
    if (this.agentIsBusy)
      void this.attempt('interrupt its run', () =>
        this.source.interrupt?.(this.context),
      );
    this.stopped?.();
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
      this.logFailure(`The agent failed to ${what}.`, error);
    }
  }

  private logFailure(message: string, error: unknown): void {
    this.logger.error(message, detailsOf(error));
  }

  private startTimer(): NodeJS.Timeout | undefined {
    const timeout = this.config.runTimeout;
    if (timeout === 0) return undefined;
    return setTimeout(
      () => {
        this.logger.warn(
          `The ${this.description} took longer than ${timeout} ms and was stopped.`,
        );
        this.fail(new DOMException('The run took too long.', 'TimeoutError'));
      },
      Math.min(timeout, LONGEST_TIMEOUT),
    );
  }
}
