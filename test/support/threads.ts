import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { HttpAgent } from '@ag-ui/client';
import type { AguiEvent, ProtocolAgent } from 'nestjs-agui';
import { objectionsOf10 } from '../../src/protocol/official-clients.fixture.js';
import { deferred } from './agents.js';
import type { TestApp } from './app.js';
import {
  inputOf,
  openStream,
  post,
  run,
  type LiveStream,
  type PostOptions,
  type Received,
} from './client.js';
import type { RootOptions } from './module-app.js';

/** Whose threads they are, by a header. */
export const BY_USER: Pick<RootOptions, 'contextResolvers'> = {
  contextResolvers: [
    { resolve: (request) => ({ userId: request.firstHeader('x-user') }) },
  ],
};

export const CONNECT = { path: '/agui/connect' };
export const CANCEL = { path: '/agui/cancel' };

/** What a user sends. */
export const as = (user: string, options: PostOptions = {}): PostOptions => ({
  ...options,
  headers: { ...options.headers, 'x-user': user },
});

/** What the user says. */
export const user = (id: string, content = `text of ${id}`) => ({
  id,
  role: 'user' as const,
  content,
});

/** What a client asks of a thread when it comes back. */
export const thread = (changes: Record<string, unknown> = {}) => ({
  threadId: 't1',
  protocolVersion: '1.0',
  ...changes,
});

/** All that a client hears that comes back to a thread. */
export function connect(
  app: Pick<TestApp, 'url'>,
  changes?: Record<string, unknown>,
  options?: PostOptions,
): Promise<Received[]> {
  return run(app, thread(changes), { ...CONNECT, ...options });
}

/** Comes back to a thread, and hears it live. */
export function follow(
  app: Pick<TestApp, 'port'>,
  changes?: Record<string, unknown>,
  options?: PostOptions,
): Promise<LiveStream> {
  return openStream(app, thread(changes), { ...CONNECT, ...options });
}

/** Presses the stop button. */
export async function cancel(
  app: Pick<TestApp, 'url'>,
  named: object = { threadId: 't1' },
  options?: PostOptions,
): Promise<{ status: number; cancelled?: boolean }> {
  const response = await post(app, named, { ...CANCEL, ...options });
  const { cancelled } = (await response.json()) as { cancelled?: boolean };
  return {
    status: response.status,
    ...(cancelled !== undefined && { cancelled }),
  };
}

/** The outcome of a run, by its stream; undefined while there is none. */
export function outcomeOf(events: readonly Received[]): string | undefined {
  const { type, outcome } = (events.at(-1) ?? {}) as Partial<Received> & {
    outcome?: { type: string };
  };
  return type === 'RUN_FINISHED' ? (outcome?.type ?? 'success') : undefined;
}

/** What the official client has against a stream. */
export function objectionsTo(events: readonly Received[]): string[] {
  return objectionsOf10(events as unknown as AguiEvent[]);
}

/** An agent that says AG-UI events one by one, each when it is told to. */
export class StepByStep implements ProtocolAgent {
  private readonly steps;
  private readonly inputs: RunAgentInput[] = [];

  constructor(private readonly events: readonly object[]) {
    this.steps = events.map(() => deferred());
  }

  /** How often it ran. */
  get runs(): number {
    return this.inputs.length;
  }

  /** Has it say the events before the one at a place, or all. */
  say(end = this.events.length): void {
    for (const step of this.steps.slice(0, end)) step.resolve();
  }

  async *run(input: RunAgentInput): AsyncGenerator<BaseEvent> {
    const { threadId, runId } = input;
    this.inputs.push(input);
    yield { type: 'RUN_STARTED', threadId, runId } as BaseEvent;
    for (const [n, event] of this.events.entries()) {
      await this.steps[n]!.promise;
      yield event as BaseEvent;
    }
    yield { type: 'RUN_FINISHED', threadId, runId } as BaseEvent;
  }
}

/** The official client of a thread at one of the routes. */
export function clientAt(
  { url }: Pick<TestApp, 'url'>,
  { path = '/agui/run' }: PostOptions = {},
  said: RunAgentInput['messages'] = [],
): HttpAgent {
  return new HttpAgent({
    url: url + path,
    threadId: 't1',
    initialMessages: said,
  });
}

/** What a client of the thread holds when it has heard everything. */
export async function heldBy(client: HttpAgent) {
  await client.runAgent();
  return { messages: client.messages, state: client.state as unknown };
}

/** The first run of a thread, to its end. */
export function firstRun(
  app: Pick<TestApp, 'url'>,
  changes: Record<string, unknown> = {},
  options?: PostOptions,
): Promise<Received[]> {
  return run(app, inputOf(changes), options);
}
