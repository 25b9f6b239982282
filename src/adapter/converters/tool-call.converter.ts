import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';

type ToolCallEvent = AgentEventOf<
  'TOOL_CALL_START' | 'TOOL_CALL_DELTA' | 'TOOL_CALL_END'
>;

/** Tool calls: announced once, their arguments if wanted, ended once. */
export const toolCallConverter: AgentEventConverter<ToolCallEvent> = {
  eventTypes: () => ['TOOL_CALL_START', 'TOOL_CALL_DELTA', 'TOOL_CALL_END'],
  convert(event, context) {
    const { toolCallId } = event;
    if (!toolCallId?.trim())
      return context.warnOnce('has no tool call id', event);
    if (event.type === 'TOOL_CALL_START') startToolCall(event, context);
    else if (event.type === 'TOOL_CALL_END') context.endCall(toolCallId);
    else if (context.toolCalls.isOpen(toolCallId))
      emitArguments(toolCallId, event.delta, context);
  },
};

/** Announces a call, unless it has been. Clients understand it best when no text is open. */
export function startToolCall(
  call: { replyId?: string; toolCallId: string; toolCallName?: string },
  context: AguiStreamContext,
): void {
  const { toolCallId } = call;
  if (!context.toolCalls.start(toolCallId)) return;
  const reply = context.lane.reply(call.replyId ?? context.runId);
  context.emitAll(context.lane.endTexts(reply));
  context.emitAll(context.lane.endThoughts(reply));
  context.emit({
    type: EventType.TOOL_CALL_START,
    toolCallId,
    toolCallName: call.toolCallName?.trim() ? call.toolCallName : 'unknown',
    parentMessageId: reply.callParent(),
  });
}

/** Sends a piece of a call's arguments, if they are wanted. */
export function emitArguments(
  toolCallId: string,
  delta: string | undefined,
  context: AguiStreamContext,
): void {
  if (!delta || !context.config.emitToolCallArgs) return;
  context.emit({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta });
}
