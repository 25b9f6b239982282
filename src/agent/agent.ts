import type { AgentCapabilities, BaseEvent, RunAgentInput } from '@ag-ui/core';
import type { Subscribable } from 'rxjs';
import type { AgentEvent } from './agent-event.js';
import type { Msg } from './msg.js';
import type { RuntimeContext } from './runtime-context.js';
import type { Toolkit } from './toolkit.js';

/**
 * What an agent returns from `streamEvents`. An async iterable is paused while the client is slow;
 * an Observable cannot be.
 */
export type AgentStream = AsyncIterable<AgentEvent> | Subscribable<AgentEvent>;

/**
 * Something that answers messages with a stream of {@link AgentEvent}s (AgentScope: `Agent`).
 * One instance serves all runs unless it is registered otherwise, so it keeps no data of a run.
 */
export interface Agent {
  /**
   * Answers. The stream begins with `AGENT_START` and ends with `AGENT_END`; whatever it throws
   * becomes the run's error.
   */
  streamEvents(messages: Msg[], context: RuntimeContext): AgentStream;
  /** The agent's own tools; each run sees a view of them in `context.toolkit`. */
  readonly toolkit?: Toolkit;
  /** Called when a run must stop, right after `context.signal` fired. */
  interrupt?(context: RuntimeContext): void | Promise<void>;
  /** What the agent can do, in AG-UI's shape. */
  getCapabilities?(): AgentCapabilities | Promise<AgentCapabilities>;
}

/**
 * An agent that speaks AG-UI itself, such as `@ag-ui/client`'s `AbstractAgent` and everything
 * derived from it. Its events skip the converters; enrichers and the protocol guard see them.
 */
export interface ProtocolAgent {
  run(input: RunAgentInput): Subscribable<BaseEvent> | AsyncIterable<BaseEvent>;
  /** Each run works on a clone, if the agent can make one. */
  clone?(): unknown;
  /** Called when a run must stop. */
  abortRun?(): void;
  getCapabilities?(): AgentCapabilities | Promise<AgentCapabilities>;
}

/** Either kind of agent. */
export type AnyAgent = Agent | ProtocolAgent;

export function isAgent(value: unknown): value is Agent {
  return hasMethod(value, 'streamEvents');
}

export function isProtocolAgent(value: unknown): value is ProtocolAgent {
  return hasMethod(value, 'run');
}

export function isAnyAgent(value: unknown): value is AnyAgent {
  return isAgent(value) || isProtocolAgent(value);
}

/**
 * Whether something is plainly meant as an agent, though nobody said so. `run` alone is too common
 * a method, and LangChain's runnables have a `streamEvents` of their own.
 */
export function isUnmistakablyAgent(value: unknown): value is AnyAgent {
  if (isProtocolAgent(value) && hasMethod(value, 'runAgent')) return true;
  return isAgent(value) && !('lc_runnable' in value && value.lc_runnable);
}

function hasMethod(value: unknown, name: string): boolean {
  return (
    typeof value === 'object' &&
    value !== null &&
    typeof (value as Record<string, unknown>)[name] === 'function'
  );
}
