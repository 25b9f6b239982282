import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2Session, ServerHttp2Stream } from 'node:http2';
import type { Socket } from 'node:net';

interface NativeRequest extends IncomingMessage {
  raw?: IncomingMessage;
  body?: unknown;
  query?: Record<string, unknown>;
}

interface NativeResponse extends ServerResponse {
  raw?: ServerResponse;
  hijack?(): void;
  getHeaders(): Record<string, string | number | string[] | undefined>;
}

/** One request and its response, the same on Express and on Fastify. */
export class HttpExchange {
  readonly nativeRequest: unknown;
  readonly body: unknown;
  readonly headers: IncomingMessage['headers'];
  readonly query: Record<string, unknown>;
  /** Node's own request and response, below the platform's. */
  readonly rawRequest: IncomingMessage;
  readonly rawResponse: ServerResponse;
  /** Resolves when the response is out, or nobody is left to read it. */
  readonly closed: Promise<void>;
  private readonly response: NativeResponse;

  constructor(request: unknown, response: unknown) {
    const native = request as NativeRequest;
    this.nativeRequest = request;
    this.response = response as NativeResponse;
    this.rawRequest = native.raw ?? native;
    this.rawResponse = this.response.raw ?? this.response;
    this.body = native.body;
    this.headers = this.rawRequest.headers;
    this.query = native.query ?? {};
    this.closed = closeOf(this.rawRequest, this.rawResponse);
  }

  /** True once something has been sent. */
  get isAnswered(): boolean {
    return this.rawResponse.headersSent;
  }

  header(name: string): string | undefined {
    const value = this.headers[name.toLowerCase()];
    return Array.isArray(value) ? value[0] : value;
  }

  /**
   * Takes the response away from the platform, with the headers that plugins and guards have set on
   * it: Fastify keeps those apart from Node's.
   */
  takeResponse(): ServerResponse {
    if (this.response.raw !== undefined) {
      // The headers first: one that cannot be sent leaves the response to the platform.
      for (const [name, value] of Object.entries(this.response.getHeaders()))
        if (value !== undefined) this.rawResponse.setHeader(name, value);
      this.response.hijack?.();
    }
    return this.rawResponse;
  }

  /** Lets the connection close behind the response, so that the server can close. */
  closeConnection(): void {
    const { rawResponse, session } = this;
    if (session !== undefined) session.close();
    else if (!rawResponse.headersSent)
      rawResponse.setHeader('Connection', 'close');
    else rawResponse.once('finish', () => this.socket.end?.());
  }

  /** Closes the connection now, whatever is still to be sent. */
  dropConnection(): void {
    (this.session ?? this.socket).destroy?.();
  }

  /** A request that is injected has none that could be closed. */
  private get socket(): Partial<Socket> {
    return this.rawRequest.socket;
  }

  private get session(): Http2Session | undefined {
    const { stream } = this.rawResponse as { stream?: ServerHttp2Stream };
    return stream?.session;
  }
}

function closeOf(
  { socket }: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  if (response.destroyed || socket.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const done = () => {
      response.off('close', done);
      socket.off('close', done);
      resolve();
    };
    response.once('close', done);
    // A response that waits behind another on its connection is not told of the connection's end.
    socket.once('close', done);
  });
}
