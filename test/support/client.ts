import http from 'node:http';
import { connect, type Socket } from 'node:net';
import { once } from 'node:events';
import type { TestApp } from './app.js';

/** An event as it arrived. */
export type Received = Record<string, unknown> & { type: string };

/** The input of a run, with whatever a test changes. */
export function inputOf(changes: Record<string, unknown> = {}) {
  return {
    threadId: 't1',
    runId: 'r1',
    protocolVersion: '1.0',
    state: {},
    messages: [{ id: 'u1', role: 'user', content: 'Hi' }],
    tools: [],
    context: [],
    forwardedProps: {},
    ...changes,
  };
}

export interface PostOptions {
  path?: string;
  headers?: Record<string, string>;
  signal?: AbortSignal;
}

/** Posts a body to the run route: a string as it is, anything else as JSON. */
export function post(
  { url }: Pick<TestApp, 'url'>,
  body: unknown = inputOf(),
  { path = '/agui/run', headers = {}, signal }: PostOptions = {},
): Promise<Response> {
  return fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    signal,
  });
}

/** The events of a whole stream. */
export async function eventsOf(response: Response): Promise<Received[]> {
  return parseEvents(await response.text());
}

/** Runs an agent and takes all its events. */
export async function run(
  app: Pick<TestApp, 'url'>,
  body: unknown = inputOf(),
  options?: PostOptions,
): Promise<Received[]> {
  return eventsOf(await post(app, body, options));
}

export function parseEvents(text: string): Received[] {
  return text
    .split('\n\n')
    .filter((frame) => frame.startsWith('data: '))
    .map((frame) => JSON.parse(frame.slice('data: '.length)) as Received);
}

export function typesOf(events: readonly Received[]): string[] {
  return events.map(({ type }) => type);
}

/** The text that the events carry. */
export function textOf(events: readonly Received[]): string {
  return events
    .map(({ delta }) => (typeof delta === 'string' ? delta : ''))
    .join('');
}

/** A stream that is read event by event; what has arrived can be asked for. */
export class LiveStream {
  text = '';
  /** Resolves when the server has ended the stream, rejects if it broke off. */
  readonly ended: Promise<void>;
  private waiting: (() => void)[] = [];

  constructor(
    readonly response: http.IncomingMessage,
    private readonly request: http.ClientRequest,
  ) {
    response.setEncoding('utf8');
    response.on('data', (chunk: string) => {
      this.text += chunk;
      this.wake();
    });
    this.ended = new Promise((resolve, reject) => {
      response.once('end', resolve);
      response.once('error', reject);
      response.once('close', () => this.wake());
    });
    this.ended.catch(() => undefined);
  }

  get events(): Received[] {
    return parseEvents(this.text);
  }

  /** The stream's text as soon as it contains something. */
  async until(found: (text: string) => boolean): Promise<string> {
    while (!found(this.text)) {
      if (this.response.destroyed || this.response.readableEnded)
        throw new Error(`The stream ended before that: ${this.text}`);
      await new Promise<void>((resolve) => this.waiting.push(resolve));
    }
    return this.text;
  }

  /** Waits for an event of a type. */
  untilType(type: string): Promise<string> {
    return this.until((text) => text.includes(`"type":"${type}"`));
  }

  /** Leaves without a word. */
  leave(): void {
    this.request.destroy();
  }

  private wake(): void {
    for (const resolve of this.waiting.splice(0)) resolve();
  }
}

/** Opens a stream with node:http; `agent` for kept-alive connections. */
export async function openStream(
  { port }: Pick<TestApp, 'port'>,
  body: unknown = inputOf(),
  { path = '/agui/run', headers = {} }: PostOptions = {},
  agent?: http.Agent,
): Promise<LiveStream> {
  const request = http.request({
    port,
    host: '127.0.0.1',
    path,
    method: 'POST',
    agent,
    headers: { 'content-type': 'application/json', ...headers },
  });
  request.on('error', () => undefined);
  request.end(JSON.stringify(body));
  const [response] = (await once(request, 'response')) as [
    http.IncomingMessage,
  ];
  return new LiveStream(response, request);
}

/** A socket that has sent a request and reads nothing until it is resumed. */
export async function openSocket(
  { port }: Pick<TestApp, 'port'>,
  body: unknown = inputOf(),
  headers: readonly string[] = [],
): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1' });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  socket.pause();
  const json = JSON.stringify(body);
  socket.write(
    [
      'POST /agui/run HTTP/1.1',
      'Host: localhost',
      'Content-Type: application/json',
      `Content-Length: ${Buffer.byteLength(json)}`,
      ...headers,
      '',
      json,
    ].join('\r\n'),
  );
  return socket;
}
