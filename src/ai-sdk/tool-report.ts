import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import type { ContentBlock, ToolResultState } from '../agent/msg.js';
import { AguiError } from '../protocol/agui-error.js';
import { ToolDenied } from './tool-denied.js';

interface NamedCall {
  replyId: string;
  toolCallId: string;
  toolCallName: string;
}

const logger = new Logger('AiSdkAgent');

/** The events of a tool's result. */
export function reportedOutput(
  call: NamedCall,
  output: unknown,
): Generator<AgentEvent> {
  return reported(call, blocksOf(output), 'success');
}

/**
 * The events of a tool that failed. The model is told what happened; the client only if it was
 * written for it, since errors tell of hosts and files.
 */
export function* reportedError(
  call: NamedCall,
  error: unknown,
): Generator<AgentEvent> {
  if (error instanceof ToolDenied)
    return yield* reported(call, textBlocks(error.message), 'denied');
  logger.warn(`The tool "${call.toolCallName}" failed: ${String(error)}`);
  yield* reported(call, textBlocks(publicText(call, error)), 'error');
}

/** The events of a result that is there already. */
export function* reported(
  call: NamedCall,
  output: readonly ContentBlock[],
  state: ToolResultState,
): Generator<AgentEvent> {
  yield { type: 'TOOL_RESULT_START', ...call };
  for (const data of output)
    yield { type: 'TOOL_RESULT_DATA_DELTA', ...call, data };
  yield { type: 'TOOL_RESULT_END', ...call, state };
}

/** A tool's result as blocks: text as it is, anything else as JSON. */
export function blocksOf(output: unknown): ContentBlock[] {
  if (output === undefined || output === null) return [];
  return textBlocks(
    typeof output === 'string' ? output : JSON.stringify(output),
  );
}

/** What a client may read of a failed tool. */
export function publicText(
  { toolCallName }: Pick<NamedCall, 'toolCallName'>,
  error: unknown,
): string {
  const written =
    error instanceof AguiError ||
    typeof (error as { getStatus?: unknown })?.getStatus === 'function' ||
    // The AI SDK's own words about arguments that do not fit.
    /^AI_(InvalidToolInput|NoSuchTool)Error$/.test((error as Error)?.name);
  return written
    ? (error as Error).message
    : `The tool "${toolCallName}" failed.`;
}

function textBlocks(text: string): ContentBlock[] {
  return [{ type: 'text', text }];
}
