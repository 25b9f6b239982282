import type { ServerResponse } from 'node:http';
import { EventType } from '@ag-ui/core';
import type { AguiEventSink } from '../adapter/agui-event-sink.js';
import type { AguiRun } from '../adapter/agui-run.js';
import type { AguiProperties } from '../agui.properties.js';
import { AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiEventEncoder } from '../protocol/event-encoder.js';
import type { ActiveRun } from '../run/active-runs.js';
import { StreamResponse } from './stream-response.js';

/** One run on its way to one client. */
export class RunDelivery implements ActiveRun, AguiEventSink {
  private readonly stream: StreamResponse;

  constructor(
    private readonly run: AguiRun,
    response: ServerResponse,
    private readonly encoder: AguiEventEncoder,
    private readonly properties: AguiProperties,
  ) {
    this.stream = new StreamResponse(response, {
      encoder,
      heartbeatInterval: properties.heartbeatInterval,
      sseTimeout: properties.sseTimeout,
      onDisconnect: () => this.handleDisconnect(),
      onTimeout: () => this.handleTimeout(),
    });
  }

  get delivered(): Promise<void> {
    return this.stream.closed;
  }

  start(): void {
    this.stream.open();
    void this.run.pipe(this).then(() => this.stream.end());
  }

  write(event: AguiEvent): void {
    this.stream.write(this.encoder.encode(event));
    // The agent may still have something to do; the client need not wait for it. What belongs
    // behind the terminal event is written in the same turn.
    if (this.run.ended) queueMicrotask(() => this.stream.end());
  }

  ready(): Promise<void> | undefined {
    return this.stream.ready();
  }

  /** Ends the run because the server closes. */
  fail(error: unknown): void {
    this.stream.closeConnection();
    this.run.fail(error);
  }

  drop(): void {
    this.stream.drop();
  }

  private handleDisconnect(): void {
    if (!this.run.ended && this.properties.interruptOnDisconnect)
      this.run.abandon();
  }

  private handleTimeout(): void {
    const error = new DOMException(
      'The stream was open too long.',
      'TimeoutError',
    );
    if (this.properties.interruptOnDisconnect) return this.run.fail(error);
    // The run goes on without this client, who is told that it will hear no more.
    this.write({
      type: EventType.RUN_ERROR,
      message: 'The stream was open too long and was closed; the run goes on.',
      code: AguiErrorCode.TIMEOUT_ERROR,
      timestamp: Date.now(),
    });
    this.stream.end();
  }
}
