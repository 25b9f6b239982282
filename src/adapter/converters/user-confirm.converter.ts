import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import { confirmInterrupt } from '../interrupts.js';
import { emitArguments, startToolCall } from './tool-call.converter.js';

type ConfirmEvent = AgentEventOf<
  | 'REQUIRE_USER_CONFIRM'
  | 'USER_CONFIRM_RESULT'
  | 'REQUIRE_EXTERNAL_EXECUTION'
  | 'EXTERNAL_EXECUTION_RESULT'
>;

/** Calls that need the user's consent become interrupts; the answers and external executions say nothing to the client. */
export const userConfirmConverter: AgentEventConverter<ConfirmEvent> = {
  eventTypes: () => [
    'REQUIRE_USER_CONFIRM',
    'USER_CONFIRM_RESULT',
    'REQUIRE_EXTERNAL_EXECUTION',
    'EXTERNAL_EXECUTION_RESULT',
  ],
  convert(event, context) {
    if (event.type !== 'REQUIRE_USER_CONFIRM') return;
    const { replyId } = event;
    for (const call of event.toolCalls) {
      const { id: toolCallId, name: toolCallName } = call;
      // The client must know the call that it is asked about.
      if (!context.toolCalls.wasStarted(toolCallId)) {
        startToolCall({ replyId, toolCallId, toolCallName }, context);
        emitArguments(toolCallId, call.content, context);
      }
      context.endCall(toolCallId);
      context.interrupts.push(confirmInterrupt(replyId, call, context));
    }
  },
};
