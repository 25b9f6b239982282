import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import { figuresOf } from '../usage-meter.js';

type ModelCallEvent = AgentEventOf<'MODEL_CALL_START' | 'MODEL_CALL_END'>;

/** Model calls: each begins a turn, and says at its end what it cost. */
export const modelCallConverter: AgentEventConverter<ModelCallEvent> = {
  eventTypes: () => ['MODEL_CALL_START', 'MODEL_CALL_END'],
  convert(event, context) {
    const { replyId } = event;
    if (event.type === 'MODEL_CALL_START')
      return context.reply(replyId).beginTurn();
    if (!event.usage) return;
    context.usage.add(event);
    if (!context.config.emitTokenUsage) return;
    context.emit({
      type: EventType.CUSTOM,
      name: 'token_usage',
      value: {
        delta: figuresOf(event.usage),
        cumulative: context.usage.cumulative(),
        modelCall: { replyId },
      },
    });
  },
};
