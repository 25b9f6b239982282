import type { AgentEvent } from '../agent/agent-event.js';
import { inCurrentForm } from '../agent/current-form.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { RunPipeline } from './run-pipeline.js';

/** Where a run's events come from. */
export type RunSource = {
  /** Called once, when the run is announced. */
  open(context: RuntimeContext): unknown;
  /** Called when the run must stop, after the signal fired; not if the source was never opened, or is exhausted. */
  interrupt?(context: RuntimeContext): void | Promise<void>;
} & (
  | { speaks: 'agent-events' }
  /** AG-UI, as a protocol agent speaks it. */
  | { speaks: 'agui' }
  /** AG-UI that has been through an adapter of the application's. */
  | { speaks: 'converted-agui' }
);

/**
 * How the pipeline takes what a source says.
 *
 * @param listeners are told of each agent event first; without any, none of it is paid.
 */
export function acceptorOf(
  pipeline: RunPipeline,
  speaks: RunSource['speaks'],
  listeners: readonly ((event: AgentEvent) => void)[],
): (event: unknown) => void {
  switch (speaks) {
    case 'agent-events':
      if (listeners.length === 0)
        return (event) => pipeline.agentEvent(event as AgentEvent);
      return (event) => {
        if (!pipeline.ended && isAgentEvent(event))
          for (const listen of listeners) listen(inCurrentForm(event));
        pipeline.agentEvent(event as AgentEvent);
      };
    case 'agui':
      return (event) => pipeline.protocolEvent(event as AguiEvent);
    case 'converted-agui':
      return (event) => pipeline.finishedEvent(event as AguiEvent);
  }
}

function isAgentEvent(event: unknown): event is AgentEvent {
  return typeof (event as AgentEvent | undefined | null)?.type === 'string';
}
