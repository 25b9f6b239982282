import type { Message, RunAgentInput } from '@ag-ui/core';
import type { ProtocolAgent } from '../agent/agent.js';
import type { RunSource } from './run-source.js';
import { steadyFetch, type AgentFetch } from './steady-fetch.js';

/** What the agents of `@ag-ui/client` have besides `run`, and some of them go by. */
interface ClientAgent extends ProtocolAgent {
  threadId: string;
  messages: Message[];
  state: unknown;
  /** Of one that asks a server. */
  fetch?: AgentFetch;
  /** What `use()` has added. The client applies it in `runAgent()` only. */
  middlewares?: unknown;
}

/** A middleware of `@ag-ui/client`: it may change what the agent is given, and what it says. */
interface ClientMiddleware {
  run(
    input: RunAgentInput,
    next: Pick<ClientAgent, 'run' | 'messages' | 'state'>,
  ): ReturnType<ProtocolAgent['run']>;
}

/**
 * One run of an agent that speaks AG-UI itself: on a clone, if it can be cloned, since such agents keep
 * the thread that they run; and through the middlewares of its `use()`.
 */
export function protocolAgentSource(
  agent: ProtocolAgent,
  input: RunAgentInput,
): RunSource {
  const own = (agent.clone?.() as ProtocolAgent | undefined) ?? agent;
  return {
    speaks: 'agui',
    open: () => {
      const given = { ...input, messages: [...input.messages] };
      if (!isClientAgent(agent)) return own.run(given);
      const clone = own as ClientAgent;
      if (own !== agent) prepare(clone, given);
      return through(middlewaresOf(agent), clone).run(given);
    },
    interrupt: () => own.abortRun?.(),
  };
}

/** Makes a clone the run's own; some agents look at their thread and not at the input. */
function prepare(
  agent: ClientAgent,
  { threadId, messages, state }: RunAgentInput,
): void {
  Object.assign(agent, { threadId, messages: [...messages], state });
  if (typeof agent.fetch === 'function') agent.fetch = steadyFetch(agent.fetch);
}

/** The agent behind its middlewares; the first that was added is the first to see the input. */
function through(
  middlewares: readonly ClientMiddleware[],
  agent: ClientAgent,
): Pick<ClientAgent, 'run'> {
  return middlewares.reduceRight<
    Pick<ClientAgent, 'run' | 'messages' | 'state'>
  >(
    (next, middleware) => ({
      run: (input) => middleware.run(input, next),
      get messages() {
        return agent.messages;
      },
      get state() {
        return agent.state;
      },
    }),
    agent,
  );
}

/** Of the agent itself: not every clone has them. */
function middlewaresOf({ middlewares }: ClientAgent): ClientMiddleware[] {
  return Array.isArray(middlewares) ? (middlewares as ClientMiddleware[]) : [];
}

function isClientAgent(agent: ProtocolAgent): agent is ClientAgent {
  return 'runAgent' in agent && typeof agent.runAgent === 'function';
}
