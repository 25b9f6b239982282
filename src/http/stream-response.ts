import type { ServerResponse } from 'node:http';
import type { AguiEventEncoder } from '../protocol/event-encoder.js';

/** How a streamed response behaves. Times are in milliseconds; 0 switches them off. */
export interface StreamResponseOptions {
  encoder: Pick<AguiEventEncoder, 'mediaType' | 'keepAlive'>;
  heartbeatInterval: number;
  sseTimeout: number;
  /** The client left before it had everything. */
  onDisconnect(): void;
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
  private ended = false;
  private gone = false;
  private lastWrite = Date.now();
  private drained: Promise<void> | undefined;
  private heartbeat: NodeJS.Timeout | undefined;
  private timeout: NodeJS.Timeout | undefined;

  constructor(
    private readonly response: ServerResponse,
    private readonly options: StreamResponseOptions,
  ) {
    this.closed = new Promise((resolve) => {
      response.once('close', () => {
        this.handleClose();
        resolve();
      });
    });
    // A reset connection is no error of ours; the close that follows it is handled.
    response.on('error', () => undefined);
  }

  /** Sends the head. */
  open(): void {
    const { response, options } = this;
    response.statusCode = 200;
    response.setHeader('Content-Type', options.encoder.mediaType);
    response.setHeader('Cache-Control', 'no-cache, no-transform');
    response.setHeader('X-Accel-Buffering', 'no');
    response.flushHeaders();
    this.lastWrite = Date.now();
    this.armHeartbeat(options.heartbeatInterval);
    if (options.sseTimeout > 0)
      this.timeout = setTimeout(() => options.onTimeout(), options.sseTimeout);
  }

  /** Sends a frame. After the end, or when the client has left, it does nothing. */
  write(frame: string | Uint8Array): void {
    if (this.ended || this.gone) return;
    this.lastWrite = Date.now();
    if (this.response.write(frame)) return;
    this.drained ??= new Promise((resolve) => {
      const done = () => {
        this.response.off('drain', done);
        this.response.off('close', done);
        this.drained = undefined;
        resolve();
      };
      this.response.on('drain', done);
      this.response.on('close', done);
    });
  }

  /** A promise while the client has not taken what was written. */
  ready(): Promise<void> | undefined {
    return this.drained;
  }

  /** Ends the response. */
  end(): void {
    if (this.ended) return;
    this.ended = true;
    this.clearTimers();
    if (!this.gone) this.response.end();
  }

  /** Closes the connection as soon as the response is out, so that the server can close. */
  closeConnection(): void {
    const { socket } = this.response;
    this.response.once('finish', () => socket?.end());
  }

  /** Lets go of the client. */
  drop(): void {
    this.response.destroy();
  }

  private handleClose(): void {
    this.gone = true;
    this.clearTimers();
    if (!this.ended) this.options.onDisconnect();
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

  private clearTimers(): void {
    clearTimeout(this.heartbeat);
    clearTimeout(this.timeout);
  }
}
