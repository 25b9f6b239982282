import { EventType } from '@ag-ui/core';
import type { AgentEvent } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import { passthroughConverter, rawConverter } from './passthrough.converter.js';

/**
 * The default form of subagents' events: `CUSTOM` under `subagent.*`, apart from the agent's own
 * messages and lifecycle (AgentScope: "Subagent events").
 */
export const subagentCustomConverter: AgentEventConverter = {
  convert(event, context) {
    // The state is the run's, whoever changes it.
    if (event.type === 'STATE_UPDATE')
      return passthroughConverter.convert(event, context);
    // A subagent's model calls are the run's, whoever hears of them.
    if (event.type === 'MODEL_CALL_END') context.usage.add(event);
    if (event.type === 'TOOL_CALL_DELTA' && !context.config.emitToolCallArgs)
      return;
    const custom = customOf(event);
    if (custom === undefined) return rawConverter.convert(event, context);
    const { source, type } = event;
    context.emit({
      type: EventType.CUSTOM,
      name: `subagent.${custom.name}`,
      value: { source, type, ...custom.fields },
    });
  },
};

function customOf(
  event: AgentEvent,
): { name: string; fields: object } | undefined {
  switch (event.type) {
    case 'AGENT_START':
      return { name: 'lifecycle', fields: { name: event.name } };
    case 'AGENT_END':
      return { name: 'lifecycle', fields: { error: event.error } };
    case 'TEXT_BLOCK_DELTA':
      return { name: 'text', fields: { delta: event.delta } };
    case 'THINKING_BLOCK_DELTA':
      return { name: 'thinking', fields: { delta: event.delta } };
    case 'TOOL_CALL_START':
    case 'TOOL_CALL_END':
      return {
        name: 'tool_call',
        fields: { toolCallId: event.toolCallId, toolName: event.toolCallName },
      };
    case 'TOOL_RESULT_END':
      return {
        name: 'tool_result',
        fields: {
          toolCallId: event.toolCallId,
          toolName: event.toolCallName,
          state: event.state,
        },
      };
    case 'REQUIRE_USER_CONFIRM':
      return {
        name: 'require_confirm',
        fields: { toolCallCount: event.toolCalls?.length ?? 0 },
      };
    default:
      return undefined;
  }
}
