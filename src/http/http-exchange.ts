import type { IncomingMessage, ServerResponse } from 'node:http';

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
      this.response.hijack?.();
      for (const [name, value] of Object.entries(this.response.getHeaders()))
        if (value !== undefined) this.rawResponse.setHeader(name, value);
    }
    return this.rawResponse;
  }
}
