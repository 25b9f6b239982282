import type { RunAgentInput } from '@ag-ui/core';
import type { RunTotals } from '../adapter/run-totals.js';
import type { AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { ExecutedCall } from '../agent/tool-surroundings.js';
import { markExtension } from '../extension.decorator.js';
import type { AguiEvent } from '../protocol/agui-event.js';

/** What came along with a request, by names in lower case. */
export type RequestHeaders = Readonly<
  Record<string, string | string[] | undefined>
>;

/** A run whose agent is known, and which is about to be prepared. */
export interface ObservedRun {
  readonly agentId: string;
  readonly input: RunAgentInput;
  /** What the request knows: the user, and whatever resolvers found. */
  readonly context: RuntimeContext;
  /** The headers of the request, such as those of a trace; none if the transport has none. */
  readonly headers: RequestHeaders;
}

/** How a run ended, how much it said, and how long it took. */
export interface RunSummary extends RunTotals {
  /** Milliseconds from the beginning of its preparation until its agent was done, or left to itself. */
  duration: number;
}

/**
 * What an observer does about one run. All of it may be left out, and nothing is paid for what is.
 * Nobody waits for what is asynchronous. The first fault of an observer in a run, thrown or rejected, is
 * logged, and the run goes on.
 */
export interface RunObservation {
  /** Surrounds the preparation of the run, and the run: calls `act` before it returns, and returns what it returns. */
  around?<T>(act: () => T): T;
  /** Surrounds the execution of a tool, for agents that tell of it as `AiSdkAgent` does; likewise. */
  aroundTool?<T>(call: ExecutedCall, act: () => T): T;
  /** Is told of each agent event, before it is converted; of none if the agent speaks AG-UI itself. */
  agentEvent?(event: AgentEvent): void;
  /** Is told of each AG-UI event, before it is sent. */
  event?(event: AguiEvent): void;
  /** Is told once how the run ended; also of one that could not start. */
  end?(summary: RunSummary): void;
}

/** Is told of runs: to count, measure, trace or report them. It changes nothing of what is sent. */
export interface AguiRunObserver {
  /** @returns what it does about this run; undefined for nothing. */
  begin(run: ObservedRun): RunObservation | undefined;
}

/** Marks a provider as an {@link AguiRunObserver}. */
export const AguiRunObserver = (): ClassDecorator =>
  markExtension('run-observer');
