import type { AgentEventOf } from '../../agent/agent-event.js';
import { AnswerClaims } from '../../agent/answer-claims.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';
import { confirmInterrupt } from '../interrupts.js';
import { announceCall } from './tool-call.converter.js';

type ConfirmEvent = AgentEventOf<
  | 'REQUIRE_USER_CONFIRM'
  | 'USER_CONFIRM_RESULT'
  | 'REQUIRE_EXTERNAL_EXECUTION'
  | 'EXTERNAL_EXECUTION_RESULT'
>;

/**
 * Calls that need the user's consent become interrupts; the answers and external executions say
 * nothing to the client.
 */
export const userConfirmConverter: AgentEventConverter<ConfirmEvent> = {
  eventTypes: () => [
    'REQUIRE_USER_CONFIRM',
    'USER_CONFIRM_RESULT',
    'REQUIRE_EXTERNAL_EXECUTION',
    'EXTERNAL_EXECUTION_RESULT',
  ],
  convert(event, context) {
    if (event.type === 'USER_CONFIRM_RESULT') return claim(event, context);
    if (event.type !== 'REQUIRE_USER_CONFIRM') return;
    const { replyId, toolCalls } = event;
    for (const call of toolCalls) {
      const interrupt = confirmInterrupt(replyId, call);
      // The client must know the call that it is asked about.
      announceCall(replyId, call, context);
      context.suspend(interrupt);
    }
  },
};

/** The agent says that it acts upon these answers; they count as given from now on. */
function claim(
  { confirmResults }: AgentEventOf<'USER_CONFIRM_RESULT'>,
  { runtimeContext }: AguiStreamContext,
): void {
  const claims = runtimeContext.get(AnswerClaims);
  for (const { toolCall } of confirmResults ?? [])
    void claims?.claim(toolCall.id);
}
