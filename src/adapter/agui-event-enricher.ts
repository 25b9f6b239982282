import type { AgentEvent } from '../agent/agent-event.js';
import { markExtension } from '../extension.decorator.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiStreamContext } from './agui-stream-context.js';

/**
 * Decorates what the converters made (AgentScope: "Custom Converters And Enrichers"): it may change, add
 * or leave out events. Enrichers run in `@Order`, each on what the one before returned.
 */
export interface AguiEventEnricher {
  /**
   * @param source the agent event; null for events that the module made itself.
   * @param events what one agent event became.
   * @returns what is to leave instead. What it throws fails the run, and so does a promise.
   */
  enrich(
    source: AgentEvent | null,
    events: AguiEvent[],
    context: AguiStreamContext,
  ): AguiEvent[];
}

/** Marks a provider as an {@link AguiEventEnricher}. */
export const AguiEventEnricher = (): ClassDecorator =>
  markExtension('enricher');

/**
 * Gives each event that has none a `timestamp`, in milliseconds since 1970 (AgentScope: "AG-UI Base Event
 * Properties"). It keeps timestamps that are there, and never writes `rawEvent`.
 */
@AguiEventEnricher()
export class BaseEventPropertiesEnricher implements AguiEventEnricher {
  enrich(_source: AgentEvent | null, events: AguiEvent[]): AguiEvent[] {
    const timestamp = Date.now();
    return events.map((event) =>
      typeof event.timestamp === 'number' ? event : { ...event, timestamp },
    );
  }
}
