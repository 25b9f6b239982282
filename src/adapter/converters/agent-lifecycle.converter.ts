import { EventType, type Interrupt } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';
import { suspendedToolInterrupts } from '../interrupts.js';

type LifecycleEvent = AgentEventOf<
  'AGENT_START' | 'AGENT_END' | 'AGENT_RESULT'
>;

/** The run's start and end. A subagent's start and end never touch the run's. */
export const agentLifecycleConverter: AgentEventConverter<LifecycleEvent> = {
  eventTypes: () => ['AGENT_START', 'AGENT_END', 'AGENT_RESULT'],
  convert(event, context) {
    if (event.type === 'AGENT_RESULT')
      context.interrupts.push(...suspendedToolInterrupts(event, context));
    else if (event.source !== undefined) convertSubagent(event, context);
    else if (event.type === 'AGENT_START') start(context);
    else finish(context);
  },
};

function start(context: AguiStreamContext): void {
  const { threadId, runId } = context;
  context.emit({ type: EventType.RUN_STARTED, threadId, runId });
}

function finish(context: AguiStreamContext): void {
  const { threadId, runId, interrupts } = context;
  const usage = context.config.emitTokenUsage
    ? context.usage.entries()
    : undefined;
  context.closeAll();
  context.emit({
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    ...(interrupts.length > 0 && {
      outcome: { type: 'interrupt', interrupts: [...interrupts] },
    }),
    ...(usage !== undefined && { usage }),
  });
}

function convertSubagent(
  event: LifecycleEvent,
  context: AguiStreamContext,
): void {
  if (event.type !== 'AGENT_END') return;
  context.emitAll(context.lane.endMessages());
  const { subagentRunId } = context.lane;
  if (subagentRunId === undefined || !context.subagents.end(context.lane))
    return;
  const own = context.interrupts.filter(
    (i) => i.subagentRunId === subagentRunId,
  );
  context.emit({
    type: EventType.SUBAGENT_FINISHED,
    subagentRunId,
    ...(own.length > 0 && {
      outcome: { type: 'suspended', interruptIds: own.map(idOf) },
    }),
  });
}

function idOf({ id }: Interrupt): string {
  return id;
}
