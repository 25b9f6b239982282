import type { RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { AguiErrorCode } from '../protocol/agui-error.js';
import { oneLine } from '../log-text.js';
import { detailsOf } from '../thrown.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { FullAdapterConfig } from './agui-adapter-config.js';
import { AgentReader, type Around } from './agent-reader.js';
import type { AguiEventSink } from './agui-event-sink.js';
import { eventsOf } from './run-events.js';
import { outcomeOf, type RunTotals } from './run-totals.js';
import { describeRun } from './run-description.js';
import { failureOf, runError } from './run-failure.js';
import { RunOutlet } from './run-outlet.js';
import { RunPipeline } from './run-pipeline.js';
import { acceptorOf, type RunSource } from './run-source.js';

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
  private readonly agent: AgentReader;
  private started = false;
  private events: AsyncGenerator<AguiEvent, void> | undefined;
  /** What the client is told of a stop that came before the start. */
  private lastWord: ((pipeline: RunPipeline) => void) | undefined;
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
    this.agent = new AgentReader(
      source,
      this.context,
      (act) => this.around(act),
      (what, error) => this.logFailure(what, error),
    );
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
    const { pipeline, listeners } = this;
    const { signal } = this.abort;
    const { speaks } = this.source;
    try {
      if (speaks === 'agent-events') pipeline.announce();
      await this.agent.read(acceptorOf(pipeline, speaks, listeners), sink);
      if (!signal.aborted) pipeline.end();
    } catch (error) {
      if (!signal.aborted) this.failed(error);
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
    this.agent.stop();
    this.stopped?.();
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
