import type { ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

/**
 * Notices a client that takes nothing of what waits for it. Node measures the time: it sees when a
 * part of one large write is taken.
 */
export class SlowClientWatch {
  /** What Node measures: on HTTP/2 the stream, because others share its connection. */
  private readonly measured: ServerResponse | ServerHttp2Stream;
  private readonly isStream: boolean;
  /** The timeout that the application has given the connection; undefined while nothing is watched. */
  private before: number | undefined;

  /** @param timeout in milliseconds; 0 for no limit. */
  constructor(
    private readonly response: ServerResponse,
    private readonly timeout: number,
    private readonly onSlow: () => void,
  ) {
    const { stream } = response as { stream?: ServerHttp2Stream };
    this.measured = stream ?? response;
    this.isStream = stream !== undefined;
  }

  /** Something waits for the client from now on. */
  start(): void {
    if (this.timeout === 0 || this.before !== undefined) return;
    const socket = this.isStream ? null : this.response.socket;
    // A request that is injected has no connection.
    if (socket !== null && !('setTimeout' in socket)) return;
    this.before = socket?.timeout ?? 0;
    this.measured.on('timeout', this.onSlow);
    this.measured.setTimeout(this.timeout);
  }

  /** The client has taken everything, or has left. */
  stop(): void {
    if (this.before === undefined) return;
    this.measured.off('timeout', this.onSlow);
    this.measured.setTimeout(this.before);
    this.before = undefined;
  }
}
