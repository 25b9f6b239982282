import type { ServerResponse } from 'node:http';
import type { AguiEventEncoder } from '../protocol/event-encoder.js';
import { FrameBatch } from './frame-batch.js';
import type { HttpExchange } from './http-exchange.js';
import { SlowClientWatch } from './slow-client-watch.js';

/** How a streamed response behaves. Times are in milliseconds; 0 switches them off. */
export interface StreamResponseOptions {
  encoder: Pick<AguiEventEncoder, 'mediaType' | 'keepAlive'>;
  heartbeatInterval: number;
  sseTimeout: number;
  /** How long a client may take nothing of what waits for it. */
  slowClientTimeout: number;
  /** How long a client may take to read the rest when its time is over. */
  grace: number;
  /** The client left before it had everything. */
  onDisconnect(): void;
  /** The client takes nothing, and is dropped. */
  onSlowClient(): void;
  /** The response has been open for too long; whoever writes it should end it. */
  onTimeout(): void;
}

/**
 * Writes frames to a client: the head at once, then frames as they come. It says when the client
 * does not keep up, keeps a silent stream alive, and notices when the client leaves.
 */
export class StreamResponse {
  /** Resolves when the client has everything, or has left. */
  readonly closed: Promise<void>;
  private readonly response: ServerResponse;
  private readonly frames = new FrameBatch((frames) => this.send(frames));
  private readonly slowness: SlowClientWatch;
  private opened = false;
  private ended = false;
  private gone = false;
  private lastWrite = 0;
  private sent = 0;
  private drained: Promise<void> | undefined;
  private release: (() => void) | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private timeout: NodeJS.Timeout | undefined;

  constructor(
    private readonly exchange: HttpExchange,
    private readonly options: StreamResponseOptions,
  ) {
    this.response = exchange.rawResponse;
    this.slowness = new SlowClientWatch(
      this.response,
      options.slowClientTimeout,
      () => this.handleSlowness(),
    );
    this.response.on('drain', () => this.handleDrain());
    // A reset connection is no error of ours; the close that follows it is handled.
    this.response.on('error', () => undefined);
    this.closed = exchange.closed.then(() => this.handleClose());
  }

  /** True when the client has left. */
  get isGone(): boolean {
    return this.gone;
  }

  /** How many bytes were sent, without the head, and before compression. */
  get bytes(): number {
    return this.sent;
  }

  /** Sends the head. @returns false if nobody waits for it any more. */
  open(): boolean {
    const { exchange, response, options } = this;
    // Somebody else may have answered in the meantime, such as an interceptor that lost patience.
    if (this.gone || response.headersSent) return false;
    exchange.takeResponse();
    // Whoever has set it did not know of a stream, which it would cut.
    response.removeHeader('Content-Length');
    response.setHeader('Content-Type', options.encoder.mediaType);
    response.setHeader('Cache-Control', 'no-cache, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    // Settled now, and sent in one packet with the first frames, if they are ready in this turn.
    response.writeHead(200);
    this.opened = true;
    this.frames.announce();
    this.lastWrite = Date.now();
    this.armHeartbeat(options.heartbeatInterval);
    if (options.sseTimeout > 0)
      this.timeout = setTimeout(() => this.handleTimeout(), options.sseTimeout);
    return true;
  }

  /** Sends a frame. Before the head, after the end, or when the client has left, it does nothing. */
  write(frame: string | Uint8Array): void {
    if (!this.opened || this.ended || this.gone) return;
    this.frames.add(frame);
  }

  /** A promise while the client has not taken what was written. */
  ready(): Promise<void> | undefined {
    return this.drained;
  }

  /** Ends the response. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    clearTimeout(this.heartbeat);
    const rest = this.frames.take();
    if (!this.opened || this.gone) return;
    if (rest !== undefined) this.sent += Buffer.byteLength(rest);
    this.response.end(rest);
    if (this.response.writableLength !== 0) this.watchTheRest();
  }

  private watchTheRest(): void {
    this.slowness.start();
    // Before Node sets the time that it keeps the connection alive.
    this.response.prependOnceListener('finish', () => this.slowness.stop());
  }

  private send(frames: string | Uint8Array | undefined): void {
    const { response } = this;
    if (this.gone) return;
    if (frames === undefined) return response.flushHeaders();
    this.lastWrite = Date.now();
    this.sent += Buffer.byteLength(frames);
    if (response.write(frames)) return;
    this.slowness.start();
    this.drained ??= new Promise((resolve) => (this.release = resolve));
  }

  private handleDrain(): void {
    this.drained = undefined;
    this.slowness.stop();
    this.release?.();
  }

  private handleClose(): void {
    this.gone = true;
    this.handleDrain();
    clearTimeout(this.heartbeat);
    clearTimeout(this.timeout);
    if (!this.ended) this.options.onDisconnect();
  }

  private handleSlowness(): void {
    this.options.onSlowClient();
    this.response.destroy();
  }

  private handleTimeout(): void {
    const drop = () => void this.response.destroy();
    if (this.ended) return drop();
    this.options.onTimeout();
    this.timeout = setTimeout(drop, this.options.grace);
  }

  private armHeartbeat(delay: number): void {
    const { keepAlive } = this.options.encoder;
    if (delay === 0 || keepAlive === undefined) return;
    this.heartbeat = setTimeout(() => {
      const { heartbeatInterval } = this.options;
      const silence = Date.now() - this.lastWrite;
      if (silence < heartbeatInterval)
        return this.armHeartbeat(heartbeatInterval - silence);
      // A client that does not keep up has enough to read.
      if (this.drained === undefined) this.write(keepAlive);
      this.armHeartbeat(heartbeatInterval);
    }, delay);
    this.heartbeat.unref();
  }
}
