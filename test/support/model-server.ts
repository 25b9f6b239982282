import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { deferred } from './agents.js';

/** A request as the model's provider got it. */
export interface ModelRequest {
  path: string;
  headers: http.IncomingHttpHeaders;
  body: ModelRequestBody;
  /** Resolves when the connection is gone before the answer was complete. */
  left: Promise<void>;
}

/** What the tests look at in a request; OpenAI's and Anthropic's wire format alike. */
export interface ModelRequestBody {
  messages: WireMessage[];
  system?: unknown;
  tools?: WireTool[];
  tool_choice?: unknown;
  [setting: string]: unknown;
}

export interface WireTool {
  name?: string;
  function?: { name: string; description?: string; parameters: unknown };
}

export interface WireMessage {
  role: string;
  content: unknown;
  reasoning_content?: string;
  tool_call_id?: string;
  tool_calls?: {
    id: string;
    function: { name: string; arguments: string };
  }[];
}

/** A pause in milliseconds, something awaited, a server-sent event, or its raw text. */
export type Frame = number | Promise<unknown> | object | string;

/** How a stream ends other than by its end. */
export const CUT = 'cut: the connection breaks';
export const HANG = 'hang: nothing more comes';

/** One answer: a stream of frames, or a status with a JSON body. */
export type ModelAnswer =
  | readonly Frame[]
  | { status: number; headers?: Record<string, string>; body: unknown };

const NO_ANSWER: ModelAnswer = {
  status: 500,
  body: { error: { message: 'The test has written no further answer.' } },
};

/** An answer that depends on the request. */
export type AnswerTo = (request: ModelRequest) => ModelAnswer;

/** A model provider whose answers a test has written, one for each request. */
export class ModelServer {
  readonly requests: ModelRequest[] = [];
  private readonly answers: (ModelAnswer | AnswerTo)[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = http.createServer((request, response) => {
    void this.serve(request, response);
  });

  get url(): string {
    const { port } = this.server.address() as AddressInfo;
    return `http://127.0.0.1:${port}/v1`;
  }

  /** The body of the n-th request. */
  body(index = 0): ModelRequestBody {
    const request = this.requests[index];
    if (request === undefined)
      throw new Error(`There were only ${this.requests.length} requests.`);
    return request.body;
  }

  /** The messages of the n-th request. */
  messages(index = 0): WireMessage[] {
    return this.body(index).messages;
  }

  answer(...answers: (ModelAnswer | AnswerTo)[]): void {
    this.answers.push(...answers);
  }

  reset(): void {
    this.requests.length = 0;
    this.answers.length = 0;
  }

  async start(): Promise<void> {
    this.server.on('connection', (socket: Socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) =>
      this.server.listen(0, '127.0.0.1', resolve),
    );
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async serve(
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    const left = deferred();
    response.on('close', () => {
      if (!response.writableFinished) left.resolve();
    });
    const asked: ModelRequest = {
      path: request.url!,
      headers: request.headers,
      body: JSON.parse(await text(request)) as ModelRequestBody,
      left: left.promise,
    };
    this.requests.push(asked);
    const next = this.answers.shift() ?? NO_ANSWER;
    const answer = typeof next === 'function' ? next(asked) : next;
    if ('status' in answer) {
      const { status, headers, body } = answer;
      response.writeHead(status, {
        'content-type': 'application/json',
        ...headers,
      });
      response.end(JSON.stringify(body));
    } else await stream(answer, response);
  }
}

async function stream(
  frames: readonly Frame[],
  response: http.ServerResponse,
): Promise<void> {
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  response.flushHeaders();
  for (const frame of frames) {
    if (response.destroyed || frame === HANG) return;
    if (frame === CUT) {
      // What was written has to arrive before the connection breaks.
      await sleep(20);
      return void response.destroy();
    }
    if (typeof frame === 'number') await sleep(frame);
    else if (frame instanceof Promise) await frame;
    else
      response.write(
        `data: ${typeof frame === 'string' ? frame : JSON.stringify(frame)}\n\n`,
      );
  }
  response.end();
}

/** A model server for a file's tests; each one begins with nothing asked and nothing to answer. */
export function useModelServer(): ModelServer {
  const server = new ModelServer();
  beforeAll(() => server.start());
  afterEach(() => server.reset());
  afterAll(() => server.stop());
  return server;
}
