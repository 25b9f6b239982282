import type { RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { Observable } from 'rxjs';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  withDefaults,
  type AguiAdapterConfig,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { iteratorOf } from './observable-iterator.js';
import type { RunsAgent } from './agui-agent-adapter-factory.js';
import type { AguiEventSink } from './agui-event-sink.js';
import { eventsOf } from './run-events.js';
import { RunPipeline } from './run-pipeline.js';

/** Where a run's events come from. */
export type RunSource = {
  /** Called once, when the run is announced. */
  open(context: RuntimeContext): unknown;
  /** Called when the run must stop, after the signal fired. */
  interrupt?(context: RuntimeContext): void | Promise<void>;
} & (
  | { speaks: 'agent-events' }
  /** AG-UI, as a protocol agent speaks it. */
  | { speaks: 'agui' }
  /** AG-UI that has been through an adapter of the application's. */
  | { speaks: 'converted-agui' }
);

/**
 * One run: it asks the agent, and hands out a legal AG-UI stream, either event by event
 * (`for await`) or into a sink that can make it wait.
 */
export class AguiRun implements AsyncIterable<AguiEvent> {
  private readonly abort = new AbortController();
  private readonly context: RuntimeContext;
  private readonly callerSignal: AbortSignal;
  private pipeline: RunPipeline | undefined;
  private iterator: AsyncIterator<unknown> | undefined;
  private stopped: (() => void) | undefined;
  private readonly observers: ((event: AguiEvent) => void)[] = [];
  private readonly callbacks: (() => void)[] = [];

  constructor(
    readonly input: RunAgentInput,
    context: RuntimeContext,
    private readonly source: RunSource,
    private readonly config: FullAdapterConfig,
    private readonly logger: Logger = new Logger('AguiAgentAdapter'),
  ) {
    this.context = context.with({ signal: this.abort.signal });
    this.callerSignal = context.signal;
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
    return new AguiRun(input, context, source, withDefaults(config));
  }

  /** True once the terminal event has been handed out. */
  get ended(): boolean {
    return this.pipeline?.ended ?? false;
  }

  /** Calls back with each event, before it is handed out. To be called before the run is started. */
  observe(observer: (event: AguiEvent) => void): void {
    this.observers.push(observer);
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
    this.pipeline = new RunPipeline(
      this.input,
      this.context,
      this.config,
      (event) => {
        for (const observer of this.observers) observer(event);
        sink.write(event);
      },
      this.logger,
    );
    const timer = this.startTimer();
    const cancel = () => this.cancel();
    this.callerSignal.addEventListener('abort', cancel, { once: true });
    try {
      await new Promise<void>((resolve) => {
        this.stopped = resolve;
        if (this.callerSignal.aborted) return cancel();
        void this.drive(this.pipeline!, sink).then(resolve);
      });
    } finally {
      clearTimeout(timer);
      this.callerSignal.removeEventListener('abort', cancel);
      for (const callback of this.callbacks) callback();
    }
  }

  /** Stops the run on purpose; the client learns that it was cancelled. */
  cancel(): void {
    this.pipeline?.cancel();
    this.halt(new DOMException('The run was cancelled.', 'AbortError'));
  }

  /** Stops the run because of an error; the client learns what may be said of it. */
  fail(error: unknown): void {
    this.pipeline?.fail(error);
    this.halt(error);
  }

  /** Stops the run when nobody listens any more. */
  abandon(): void {
    this.halt(new DOMException('The client has left.', 'AbortError'));
  }

  [Symbol.asyncIterator](): AsyncIterator<AguiEvent> {
    return eventsOf(this);
  }

  private async drive(
    pipeline: RunPipeline,
    sink: AguiEventSink,
  ): Promise<void> {
    const { signal } = this.abort;
    try {
      if (this.source.speaks === 'agent-events') pipeline.announce();
      const stream = await this.source.open(this.context);
      const iterator = iteratorOf(
        stream as AsyncIterable<unknown> | Observable<unknown>,
      );
      this.iterator = iterator;
      const accept = acceptorOf(pipeline, this.source.speaks);
      while (!signal.aborted) {
        const { done, value } = await iterator.next();
        if (done) break;
        if (!signal.aborted) accept(value);
        const ready = sink.ready?.();
        if (ready !== undefined) await ready;
      }
      if (!signal.aborted) pipeline.end();
    } catch (error) {
      if (!signal.aborted) this.failed(error, pipeline);
    } finally {
      this.returnIterator();
    }
  }

  private failed(error: unknown, pipeline: RunPipeline): void {
    const { runId, threadId } = this.input;
    const when = pipeline.ended ? ' after its end' : '';
    this.logger.error(
      `Run "${runId}" of thread "${threadId}" failed${when}.`,
      error instanceof Error ? error.stack : error,
    );
    pipeline.fail(error);
  }

  private halt(reason: unknown): void {
    if (this.abort.signal.aborted) return;
    this.abort.abort(reason);
    this.returnIterator();
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
      await act();
    } catch (error) {
      this.logger.error(
        `The agent failed to ${what}.`,
        error instanceof Error ? error.stack : error,
      );
    }
  }

  private startTimer(): NodeJS.Timeout | undefined {
    const timeout = this.config.runTimeout;
    if (timeout === 0) return undefined;
    return setTimeout(() => {
      const { runId, threadId } = this.input;
      this.logger.warn(
        `Run "${runId}" of thread "${threadId}" took longer than ${timeout} ms and was stopped.`,
      );
      this.fail(new DOMException('The run took too long.', 'TimeoutError'));
    }, timeout);
  }
}

function acceptorOf(
  pipeline: RunPipeline,
  speaks: RunSource['speaks'],
): (event: unknown) => void {
  switch (speaks) {
    case 'agent-events':
      return (event) => pipeline.agentEvent(event as AgentEvent);
    case 'agui':
      return (event) => pipeline.protocolEvent(event as AguiEvent);
    case 'converted-agui':
      return (event) => pipeline.finishedEvent(event as AguiEvent);
  }
}
