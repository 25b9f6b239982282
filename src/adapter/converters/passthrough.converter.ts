import { EventType } from '@ag-ui/core';
import {
  AgentEventType,
  type AgentEvent,
  type AgentEventOf,
} from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';

type PassthroughEvent = AgentEventOf<
  'CUSTOM' | 'STATE_UPDATE' | 'INTERRUPT' | 'AGUI_EVENT'
>;

/** Custom events, shared state, interrupts of any kind, and AG-UI events that the agent made itself. */
export const passthroughConverter: AgentEventConverter<PassthroughEvent> = {
  eventTypes: () => ['CUSTOM', 'STATE_UPDATE', 'INTERRUPT', 'AGUI_EVENT'],
  convert(event, context) {
    if (event.type === 'AGUI_EVENT') return context.emit(event.event);
    if (event.type === 'INTERRUPT') return context.suspend(event.interrupt);
    if (event.type === 'CUSTOM') {
      const { name, value = null } = event;
      return context.emit({ type: EventType.CUSTOM, name, value });
    }
    if (!context.config.emitStateEvents) return;
    const update = context.state.eventFor(event.state, event.mode);
    if (update !== undefined) context.emit(update);
  },
};

/** Whatever no converter knows leaves as it is, in AG-UI's `RAW`. */
export const rawConverter: AgentEventConverter<AgentEvent> = {
  convert(event, context) {
    if (!Object.hasOwn(AgentEventType, event.type))
      context.warnOnce(
        `is no type of agent event and left as RAW; text is TEXT_BLOCK_DELTA, an event of AG-UI goes into AGUI_EVENT`,
        event,
      );
    const source = event.source ?? 'agent';
    context.emit({ type: EventType.RAW, event, source });
  },
};
