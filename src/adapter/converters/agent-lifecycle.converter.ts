import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AguiEvent } from '../../protocol/agui-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';
import type { ConversionLane } from '../conversion-lane.js';
import { suspendedCalls } from '../interrupts.js';
import { announceCall } from './tool-call.converter.js';

type LifecycleEvent = AgentEventOf<
  'AGENT_START' | 'AGENT_END' | 'AGENT_RESULT'
>;

/**
 * The run's end, and what it waits for. Its start was announced before the agent was asked. A
 * subagent's start and end never touch the run's.
 */
export const agentLifecycleConverter: AgentEventConverter<LifecycleEvent> = {
  eventTypes: () => ['AGENT_START', 'AGENT_END', 'AGENT_RESULT'],
  convert(event, context) {
    if (event.type === 'AGENT_RESULT') return suspend(event, context);
    const isSubagent = event.source !== undefined;
    if (event.type === 'AGENT_START') {
      if (event.messagesSnapshot && !isSubagent) context.recordMessages();
    } else if (isSubagent) endSubagent(event, context);
    else finish(context);
  },
};

function suspend(
  { result }: AgentEventOf<'AGENT_RESULT'>,
  context: AguiStreamContext,
): void {
  for (const { call, interrupt } of suspendedCalls(result, context)) {
    announceCall(result.id, call, context);
    context.suspend(interrupt);
  }
}

function finish(context: AguiStreamContext): void {
  const { threadId, runId, interrupts, subagents } = context;
  const interrupted = interrupts.length > 0;
  context.closeAll();
  // Subagents that did not end by themselves end with the run, or wait with it.
  for (const lane of subagents.active())
    closeSubagent(lane, context, () => finished(lane, interrupted));
  const snapshot = context.messagesSnapshot();
  if (snapshot !== undefined) context.emit(snapshot);
  context.emit({
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    ...(interrupted && {
      outcome: { type: 'interrupt', interrupts: [...interrupts] },
    }),
    ...context.usageSoFar(),
  });
}

function endSubagent(
  { error }: AgentEventOf<'AGENT_END'>,
  context: AguiStreamContext,
): void {
  const { lane } = context;
  closeSubagent(lane, context, (subagentRunId) =>
    error === undefined
      ? finished(lane, lane.suspended)
      : { type: EventType.SUBAGENT_ERROR, subagentRunId, message: error },
  );
}

function closeSubagent(
  lane: ConversionLane,
  context: AguiStreamContext,
  last: (subagentRunId: string) => AguiEvent,
): void {
  context.within(lane, () => context.emitAll(lane.endMessages()));
  const { subagentRunId } = lane;
  const wasOver = lane.ended;
  lane.ended = true;
  if (subagentRunId !== undefined && !wasOver)
    context.emit(last(subagentRunId));
}

function finished(lane: ConversionLane, suspended: boolean): AguiEvent {
  const { subagentRunId, interruptIds } = lane;
  return {
    type: EventType.SUBAGENT_FINISHED,
    subagentRunId: subagentRunId!,
    ...(suspended && {
      outcome: {
        type: 'suspended',
        ...(interruptIds.size > 0 && { interruptIds: [...interruptIds] }),
      },
    }),
  };
}
