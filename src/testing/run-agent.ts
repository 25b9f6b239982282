import { randomUUID } from 'node:crypto';
import { HttpAgent } from '@ag-ui/client';
import {
  EventType,
  PROTOCOL_VERSION,
  type BaseEvent,
  type Interrupt,
  type Message,
  type RunAgentInput,
} from '@ag-ui/core';
import type { INestApplication } from '@nestjs/common';
import { tap } from 'rxjs';
import type { AguiEvent } from '../protocol/agui-event.js';
import { fetchOnce } from './fetch-once.js';
import { routeOf } from './route-of.js';

/** What the user says, or a run input; what it leaves out is filled in. */
export type RunAgentInputSource = string | Partial<RunAgentInput>;

/** How {@link runAgent} asks. */
export interface RunAgentOptions {
  /** The agent, by its own path. Default: the application's default agent. */
  agentId?: string;
  /** The whole path of the route, for what is not the run route of the first `AguiModule`. */
  path?: string;
  /** Headers of the request, such as `authorization`. */
  headers?: Record<string, string>;
  /** Makes the client leave when it fires; what has come until then is returned. */
  signal?: AbortSignal;
  /** Told of each event when it arrives. */
  onEvent?: (event: AguiEvent) => void;
}

/** What a client has of a run. */
export interface AgentRun {
  /** What was sent. */
  input: RunAgentInput;
  /** The events as they came. */
  events: AguiEvent[];
  /** The conversation as the client holds it now. */
  messages: Message[];
  /** What this run added to it. */
  newMessages: Message[];
  /** The text of the last message that the run added; empty if there is none. */
  text: string;
  /** The shared state as the client holds it now. */
  state: unknown;
  /** How it ended; undefined if the client left before. */
  outcome: 'success' | 'interrupt' | 'cancelled' | 'error' | undefined;
  /** What the run waits for. */
  interrupts: Interrupt[];
  /** What `RUN_ERROR` said. */
  error?: { message: string; code?: string };
}

/**
 * Runs an agent of an application as a front end does: over HTTP, with the official client
 * (`@ag-ui/client`). An application that does not listen yet is made to, at a free port of this
 * machine; closing it stays the test's business.
 *
 * @throws an error with `status` and `payload` if the request is refused; what `@ag-ui/client` throws
 * at a stream that breaks off, or that it does not accept.
 */
export async function runAgent(
  app: INestApplication,
  input: RunAgentInputSource = {},
  { headers, signal, onEvent, ...where }: RunAgentOptions = {},
): Promise<AgentRun> {
  const client = new RecordingAgent(
    { url: await routeOf(app, where), headers },
    completed(input),
    onEvent,
  );
  signal?.throwIfAborted();
  const leave = () => client.abortRun();
  signal?.addEventListener('abort', leave, { once: true });
  try {
    return await client.record();
  } finally {
    signal?.removeEventListener('abort', leave);
  }
}

/** The official client, sending an input as it is and taking down what comes. */
class RecordingAgent extends HttpAgent {
  private readonly events: AguiEvent[] = [];
  private failure: Error | undefined;

  constructor(
    config: ConstructorParameters<typeof HttpAgent>[0],
    private readonly input: RunAgentInput,
    private readonly onEvent: RunAgentOptions['onEvent'],
  ) {
    super({
      ...config,
      threadId: input.threadId,
      initialMessages: input.messages,
      initialState: input.state as object,
    });
    this.fetch = (url, init) =>
      fetchOnce(url, init, (error) => (this.failure = error));
  }

  /** The whole run. */
  async record(): Promise<AgentRun> {
    const { newMessages } = await this.runAgent(undefined, {
      onRunFailed: ({ error }) => {
        this.failure = error;
        // Otherwise the client writes to the console what it throws.
        return { stopPropagation: true } as object;
      },
    });
    const { failure, abortController } = this;
    if (failure !== undefined && !abortController.signal.aborted) throw failure;
    const { input, events, messages } = this;
    const { content } = newMessages.at(-1) ?? {};
    return {
      input,
      events,
      messages,
      newMessages,
      text: typeof content === 'string' ? content : '',
      state: this.state as unknown,
      ...endOf(events),
    };
  }

  override run(input: RunAgentInput): ReturnType<HttpAgent['run']> {
    const record = tap((event: BaseEvent) => {
      this.events.push(event as AguiEvent);
      this.onEvent?.(event as AguiEvent);
    });
    // The client may have an RxJS of its own, whose types are not the same.
    return super.run(input).pipe(record as never);
  }

  protected override prepareRunAgentInput(): RunAgentInput {
    return structuredClone(this.input);
  }
}

function completed(source: RunAgentInputSource): RunAgentInput {
  const given = typeof source === 'string' ? saying(source) : source;
  return {
    threadId: randomUUID(),
    runId: randomUUID(),
    protocolVersion: PROTOCOL_VERSION,
    state: {},
    messages: [],
    tools: [],
    context: [],
    forwardedProps: {},
    ...given,
  };
}

function saying(content: string): Partial<RunAgentInput> {
  return { messages: [{ id: randomUUID(), role: 'user', content }] };
}

function endOf(
  events: readonly AguiEvent[],
): Pick<AgentRun, 'outcome' | 'interrupts' | 'error'> {
  const last = events.at(-1);
  if (last?.type === EventType.RUN_ERROR) {
    const { message, code } = last;
    return { outcome: 'error', interrupts: [], error: { message, code } };
  }
  if (last?.type !== EventType.RUN_FINISHED)
    return { outcome: undefined, interrupts: [] };
  const { outcome } = last;
  return {
    outcome: outcome?.type ?? 'success',
    interrupts: outcome?.type === 'interrupt' ? outcome.interrupts : [],
  };
}
