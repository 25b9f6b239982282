import { EventType } from '@ag-ui/core';
import type { AgentEventOf } from '../../agent/agent-event.js';
import type { AgentEventConverter } from '../agent-event-converter.js';
import type { AguiStreamContext } from '../agui-stream-context.js';
import { contentOf } from '../content-parts.js';
import { TOOL_RESULT_STATE } from '../tool-result-state.js';

type ToolResultEvent = AgentEventOf<
  | 'TOOL_RESULT_START'
  | 'TOOL_RESULT_TEXT_DELTA'
  | 'TOOL_RESULT_DATA_DELTA'
  | 'TOOL_RESULT_END'
>;

/** Tool results are collected and leave whole, each as a message of its own. */
export const toolResultConverter: AgentEventConverter<ToolResultEvent> = {
  eventTypes: () => [
    'TOOL_RESULT_START',
    'TOOL_RESULT_TEXT_DELTA',
    'TOOL_RESULT_DATA_DELTA',
    'TOOL_RESULT_END',
  ],
  convert(event, context) {
    const { toolCallId } = event;
    if (!toolCallId?.trim())
      return context.warnOnce('has no tool call id and was left out', event);
    const { toolCalls } = context;
    if (event.type === 'TOOL_RESULT_TEXT_DELTA')
      toolCalls.result(toolCallId).addText(event.delta);
    else if (event.type === 'TOOL_RESULT_DATA_DELTA')
      toolCalls.result(toolCallId).addData(event.data);
    else if (event.type === 'TOOL_RESULT_END') end(event, context);
  },
};

function end(
  event: AgentEventOf<'TOOL_RESULT_END'>,
  context: AguiStreamContext,
): void {
  const { replyId, toolCallId, state, output } = event;
  // A suspended call has no result yet: somebody else brings it.
  if (state === 'running') return context.toolCalls.dropResult(toolCallId);
  const collected = context.toolCalls.takeResult(toolCallId);
  if (collected === undefined) return;
  context.endCall(toolCallId);
  context.reply(replyId).answered();
  context.emit({
    type: EventType.TOOL_CALL_RESULT,
    messageId: context.ids.mint(`${toolCallId}-result`),
    toolCallId,
    content: output === undefined ? collected : contentOf(output),
    role: 'tool',
    ...(state !== undefined &&
      state !== 'success' && { metadata: { [TOOL_RESULT_STATE]: state } }),
  });
}
