import type { Agent, AgentEvent, Msg, RuntimeContext } from 'nestjs-agui';

type Script = (
  messages: Msg[],
  context: RuntimeContext,
) => ReturnType<Agent['streamEvents']>;

/** An agent that does what a function says. */
export function agentOf(
  streamEvents: Script,
  rest: Omit<Agent, 'streamEvents'> = {},
): Agent {
  return { streamEvents, ...rest };
}

/** The events of an agent's reply, `replyId` filled in. */
export const reply = {
  start: (replyId = 'r'): AgentEvent => ({ type: 'AGENT_START', replyId }),
  end: (replyId = 'r'): AgentEvent => ({ type: 'AGENT_END', replyId }),
  text: (delta: string, replyId = 'r'): AgentEvent => ({
    type: 'TEXT_BLOCK_DELTA',
    replyId,
    delta,
  }),
  thought: (delta: string, replyId = 'r'): AgentEvent => ({
    type: 'THINKING_BLOCK_DELTA',
    replyId,
    delta,
  }),
};

/** An agent that says some pieces of text. */
export function sayer(...pieces: string[]): Agent {
  return agentOf(async function* () {
    yield reply.start();
    for (const piece of pieces) yield reply.text(piece);
    yield reply.end();
  });
}

/** An agent that says one thing and then nothing until it is stopped. */
export function silentAgent(events: AgentEvent[] = []): Agent & Observed {
  const observed: Observed = { started: deferred(), stopped: deferred() };
  return {
    ...observed,
    async *streamEvents(_messages, { signal }) {
      try {
        observed.started.resolve();
        yield* events;
        await aborted(signal);
      } finally {
        observed.stopped.resolve();
      }
    },
  };
}

/** When an agent began and when its `finally` ran. */
export interface Observed {
  started: Deferred;
  stopped: Deferred;
}

/** Resolves when a signal fires. */
export function aborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    signal.addEventListener('abort', () => resolve(), { once: true });
  });
}

export interface Deferred<T = void> {
  promise: Promise<T>;
  resolve: (value: T) => void;
  reject: (error: unknown) => void;
}

/** A promise to be settled by hand. */
export function deferred<T = void>(): Deferred<T> {
  let resolve!: (value: T) => void;
  let reject!: (error: unknown) => void;
  const promise = new Promise<T>((one, other) => {
    resolve = one;
    reject = other;
  });
  return { promise, resolve, reject };
}
