import { EventType } from '@ag-ui/core';
import {
  GatewayTimeoutException,
  Logger,
  ServiceUnavailableException,
} from '@nestjs/common';
import type { AguiEventSink } from '../adapter/agui-event-sink.js';
import type { AguiRun } from '../adapter/agui-run.js';
import type { AguiProperties } from '../agui.properties.js';
import { AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiEventEncoder } from '../protocol/event-encoder.js';
import type { ActiveRun } from '../run/active-runs.js';
import type { HttpExchange } from './http-exchange.js';
import { StreamResponse } from './stream-response.js';

const logger = new Logger('AguiModule');

/** One run on its way to one client, from the arrival of the request on. */
export class RunDelivery implements ActiveRun, AguiEventSink {
  /** Resolves when nobody listens any more and the run is over. */
  readonly done: Promise<void>;
  private readonly stream: StreamResponse;
  private readonly abort = new AbortController();
  private readonly refused: Promise<never>;
  private refuse!: (error: unknown) => void;
  private runOver!: () => void;
  private run: AguiRun | undefined;
  private finished = false;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly encoder: AguiEventEncoder,
    private readonly properties: AguiProperties,
    /** Whether the run is the client's own, or it only hears another one's. */
    private readonly client: 'owner' | 'follower' = 'owner',
  ) {
    this.stream = new StreamResponse(exchange, {
      encoder,
      heartbeatInterval: properties.heartbeatInterval,
      sseTimeout: properties.sseTimeout,
      slowClientTimeout: properties.slowClientTimeout,
      grace: properties.shutdownGrace,
      onDisconnect: () => this.handleDisconnect(),
      onSlowClient: () => this.logSlowClient(),
      onTimeout: () => this.handleTimeout(),
    });
    this.refused = new Promise((_, reject) => (this.refuse = reject));
    const over = new Promise<void>((resolve) => (this.runOver = resolve));
    this.done = Promise.all([this.stream.closed, over]).then(() => undefined);
  }

  /**
   * Waits for the run to be prepared and opens the stream.
   *
   * @param prepare is given a signal that fires when the run must not start any more, or did not
   * come to its end.
   * @throws whatever `prepare` throws; HttpException 503 if the server closes before the start.
   */
  async start(
    prepare: (signal: AbortSignal) => Promise<AguiRun>,
  ): Promise<void> {
    const starting = prepare(this.abort.signal).then((run) => this.begin(run));
    const timer = this.startTimer();
    try {
      await Promise.race([starting, this.refused]);
    } catch (error) {
      this.runOver();
      if (!this.stream.isGone) throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Answers with a stream of nothing; there is no run. */
  deliverNothing(): void {
    this.stream.open();
    this.stream.end();
  }

  write(event: AguiEvent): void {
    if (event.type === EventType.RUN_FINISHED)
      this.finished = event.outcome?.type !== 'cancelled';
    this.stream.write(this.frameOf(event));
    // The agent may still have something to do; the client need not wait for it. What belongs
    // behind the terminal event is written in the same turn.
    if (this.run?.ended) queueMicrotask(() => this.stream.end());
  }

  ready(): Promise<void> | undefined {
    return this.stream.ready();
  }

  get bytes(): number {
    return this.stream.bytes;
  }

  /** Ends the run because the server closes. */
  fail(error: unknown): void {
    this.exchange.closeConnection();
    if (this.run !== undefined) return this.run.fail(error);
    this.giveUp(new ServiceUnavailableException((error as Error).message));
  }

  drop(): void {
    this.exchange.dropConnection();
  }

  /** A run that must not start any more is piped, too: with its signal fired it only cleans up. */
  private begin(run: AguiRun): void {
    this.run = run;
    try {
      this.open();
    } finally {
      void run.pipe(this).then(() => {
        this.stream.end();
        if (!this.finished) this.abort.abort();
        this.runOver();
      });
    }
  }

  private open(): void {
    if (this.abort.signal.aborted) return;
    try {
      if (!this.stream.open() && this.exchange.isAnswered) this.abort.abort();
    } catch (error) {
      this.abort.abort();
      throw error;
    }
  }

  private frameOf(event: AguiEvent): string | Uint8Array {
    try {
      return this.encoder.encode(event);
    } catch (error) {
      if (event.type !== EventType.RUN_ERROR) throw error;
      // An enricher may have put on it what cannot be encoded; the client has to hear of it.
      const { type, message, code } = event;
      return this.encoder.encode({ type, message, code });
    }
  }

  private handleDisconnect(): void {
    const isOwner = this.client === 'owner';
    if (isOwner && !this.properties.interruptOnDisconnect) return;
    if (this.run === undefined)
      this.giveUp(new DOMException('The client has left.', 'AbortError'));
    else if (!this.run.ended) this.run.abandon();
  }

  /** Ends the wait for a run that is not there yet; should it come, it only cleans up. */
  private giveUp(reason: Error): void {
    this.abort.abort(reason);
    this.refuse(reason);
  }

  private startTimer(): NodeJS.Timeout | undefined {
    const { runTimeout } = this.properties;
    if (runTimeout === 0) return undefined;
    const late = () =>
      this.giveUp(
        new GatewayTimeoutException('The run took too long to prepare.'),
      );
    return setTimeout(late, runTimeout);
  }

  private logSlowClient(): void {
    logger.warn(
      `The client of ${this.run!.description} took nothing for ${this.properties.slowClientTimeout} ms and was dropped.`,
    );
  }

  private handleTimeout(): void {
    logger.warn(
      `The stream of ${this.run!.description} was open for ${this.properties.sseTimeout} ms and was closed.`,
    );
    const error = new DOMException(
      'The stream was open too long.',
      'TimeoutError',
    );
    const isOwner = this.client === 'owner';
    if (isOwner && this.properties.interruptOnDisconnect)
      return this.run!.fail(error);
    // The run goes on without this client, who is told that it will hear no more.
    this.write({
      type: EventType.RUN_ERROR,
      message: 'The stream was open too long and was closed; the run goes on.',
      code: AguiErrorCode.TIMEOUT_ERROR,
      timestamp: Date.now(),
    });
    this.stream.end();
    if (!isOwner) this.run!.abandon();
  }
}
