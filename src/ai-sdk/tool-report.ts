import { inspect } from 'node:util';
import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import type { ContentBlock, ToolResultState } from '../agent/msg.js';
import { AguiError } from '../protocol/agui-error.js';
import { quoted } from '../log-text.js';
import { loggedMessageOf } from '../thrown.js';
import { isMedia } from './media-parts.js';
import { isMcpResult, mcpBlocks } from './mcp-result.js';
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
  logger.warn(
    `The tool ${quoted(call.toolCallName)} failed: ${loggedMessageOf(error)}`,
  );
  yield* reported(call, textBlocks(publicText(call, error)), 'error');
}

/** The events of a result that is there already. */
export function* reported(
  call: NamedCall,
  output: readonly ContentBlock[],
  state: ToolResultState,
): Generator<AgentEvent> {
  yield { type: 'TOOL_RESULT_START', ...call };
  if (output.some(isMedia))
    return yield { type: 'TOOL_RESULT_END', ...call, state, output };
  for (const data of output)
    yield { type: 'TOOL_RESULT_DATA_DELTA', ...call, data };
  yield { type: 'TOOL_RESULT_END', ...call, state };
}

/** A tool's result as blocks: text and what MCP servers give as it is, anything else as JSON. */
export function blocksOf(output: unknown): ContentBlock[] {
  if (output === undefined || output === null) return [];
  if (isMcpResult(output)) return mcpBlocks(output);
  return textBlocks(typeof output === 'string' ? output : jsonOf(output));
}

/** A value as JSON, whatever it is: with its big numbers as text, and without its circles. */
export function jsonOf(value: unknown): string {
  try {
    return stringified(value, bigintAsText);
  } catch {
    try {
      return stringified(value, withoutCircles());
    } catch {
      return JSON.stringify(inspect(value));
    }
  }
}

/** What was thrown, as an Error with a message; tools may throw anything. */
export function asError(thrown: unknown): Error {
  if (thrown instanceof Error) return thrown;
  return new Error(typeof thrown === 'string' ? thrown : inspect(thrown), {
    cause: thrown,
  });
}

/** What a client may read of a failed tool. */
export function publicText(
  { toolCallName }: Pick<NamedCall, 'toolCallName'>,
  error: unknown,
): string {
  const written =
    error instanceof AguiError ||
    typeof (error as { getStatus?: unknown })?.getStatus === 'function' ||
    // The AI SDK's own words about calls that cannot be.
    /^AI_(InvalidToolInput|NoSuchTool)Error$/.test((error as Error)?.name);
  return written
    ? (error as Error).message
    : `The tool "${toolCallName}" failed.`;
}

function textBlocks(text: string): ContentBlock[] {
  return [{ type: 'text', text }];
}

type Replacer = (this: unknown, key: string, value: unknown) => unknown;

/** What JSON has no word for (a function, say) is `null`. */
function stringified(value: unknown, replacer: Replacer): string {
  return (JSON.stringify(value, replacer) as string | undefined) ?? 'null';
}

function bigintAsText(_key: string, value: unknown): unknown {
  return typeof value === 'bigint' ? value.toString() : value;
}

function withoutCircles(): Replacer {
  const around: unknown[] = [];
  return function (key, value) {
    if (typeof value !== 'object' || value === null)
      return bigintAsText(key, value);
    while (around.length > 0 && around.at(-1) !== this) around.pop();
    if (around.includes(value)) return '[Circular]';
    around.push(value);
    return value;
  };
}
