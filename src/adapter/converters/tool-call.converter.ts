import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { ToolUseBlock } from '../../agent/msg.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';
import { argumentsOf } from '../tool-arguments.js';
import { toolNameOf } from '../tool-calls.js';

type ToolCallEvent = AgentEventOf<
  'TOOL_CALL_START' | 'TOOL_CALL_DELTA' | 'TOOL_CALL_END'
>;

/** Tool calls: announced once, their arguments if wanted, ended once. */
export const toolCallConverter: AgentEventConverter<ToolCallEvent> = {
  eventTypes: () => ['TOOL_CALL_START', 'TOOL_CALL_DELTA', 'TOOL_CALL_END'],
  convert(event, context) {
    const { replyId, toolCallId, toolCallName } = event;
    if (!toolCallId?.trim())
      return context.warnOnce('has no tool call id and was left out', event);
    if (event.type === 'TOOL_CALL_START')
      startCall(replyId, toolCallId, toolCallName, context);
    else if (event.type === 'TOOL_CALL_END') context.endCall(toolCallId);
    else emitArguments(toolCallId, event.delta, context);
  },
};

/** Tells the client of a whole call, unless it knows it. */
export function announceCall(
  replyId: string | undefined,
  call: ToolUseBlock,
  context: AguiStreamContext,
): void {
  const { content } = argumentsOf(call.content, call.input);
  if (startCall(replyId, call.id, call.name, context))
    emitArguments(call.id, content, context);
  context.endCall(call.id);
}

/** False if the call was announced before. Clients understand a call best when no text is open. */
function startCall(
  replyId: string | undefined,
  toolCallId: string,
  name: string | undefined,
  context: AguiStreamContext,
): boolean {
  const { config, lane, runtimeContext, toolCalls } = context;
  const toolCallName = toolNameOf(name);
  // The front end cannot execute its own tools without the arguments.
  const wantsArguments =
    config.emitToolCallArgs ||
    runtimeContext.toolkit.get(toolCallName)?.frontend === true;
  if (!toolCalls.start(toolCallId, wantsArguments)) return false;
  const reply = context.reply(replyId);
  context.emitAll(lane.endTexts(reply));
  context.emitAll(lane.endThoughts(reply));
  context.emit({
    type: EventType.TOOL_CALL_START,
    toolCallId,
    toolCallName,
    parentMessageId: reply.callParent(),
  });
  return true;
}

function emitArguments(
  toolCallId: string,
  delta: string | undefined,
  context: AguiStreamContext,
): void {
  if (delta && context.toolCalls.takesArguments(toolCallId))
    context.emit({ type: EventType.TOOL_CALL_ARGS, toolCallId, delta });
}
