import type { RunAgentInput } from '@ag-ui/core';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  completeConfig,
  type AguiAdapterConfig,
} from './agui-adapter-config.js';
import type { RunsAgent } from './agui-agent-adapter-factory.js';
import { AguiRun } from './agui-run.js';

/** The run of an adapter of the application's: the guard has the last word on it, too. */
export function adapterRun(
  adapter: RunsAgent,
  input: RunAgentInput,
  context: RuntimeContext,
  config: AguiAdapterConfig,
): AguiRun {
  return runOf((own) => adapter.run(input, own), input, context, config);
}

/** A run that somebody else has made, and that is only handed on. */
export function relayedRun(
  open: () => AsyncIterable<AguiEvent>,
  input: RunAgentInput,
  context: RuntimeContext,
): AguiRun {
  return runOf(open, input, context, { runTimeout: 0 });
}

/** A run that is refused in its stream. */
export function refusedRun(
  error: unknown,
  input: RunAgentInput,
  context: RuntimeContext,
  config: AguiAdapterConfig,
): AguiRun {
  return runOf(() => Promise.reject(error), input, context, config);
}

/** A run of events that need no conversion. */
function runOf(
  open: (context: RuntimeContext) => unknown,
  input: RunAgentInput,
  context: RuntimeContext,
  config: AguiAdapterConfig,
): AguiRun {
  const source = { speaks: 'converted-agui', open } as const;
  return new AguiRun(input, context, source, completeConfig(config));
}
