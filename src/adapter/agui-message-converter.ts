import type { Message, ToolCall, ToolMessage } from '@ag-ui/core';
import {
  textOf,
  type ContentBlock,
  type Msg,
  type ToolResultBlock,
  type ToolResultState,
  type ToolUseBlock,
} from '../agent/msg.js';
import { withoutAnswers } from './answer-metadata.js';
import { blocksOf, contentOf } from './content-parts.js';
import { defined } from './defined.js';
import { argumentsOf } from './tool-arguments.js';
import { TOOL_RESULT_ERROR, TOOL_RESULT_STATE } from './tool-result-state.js';

/** Turns AG-UI messages into the agent's and back; text, media, calls, results and reasoning survive both ways. */
export class AguiMessageConverter {
  /**
   * The agent's messages of a conversation. `developer` counts as system, `reasoning` is the
   * assistant's thinking, `activity` is the client's own and is left out.
   */
  toMsgs(messages: readonly Message[]): Msg[] {
    const toolNames = toolNamesOf(messages);
    const msgs: Msg[] = [];
    for (const message of messages) {
      const msg = this.toMsg(withoutAnswers(message), toolNames);
      if (msg === undefined) continue;
      const before = msgs.at(-1);
      // Some clients make a message of each call of one turn; models want them in one.
      if (before !== undefined && hasCalls(before) && isCallsOnly(msg))
        before.content.push(...msg.content);
      else msgs.push(msg);
    }
    return msgs;
  }

  /** The AG-UI messages of the agent's; a message with calls and results becomes several. */
  toAguiMessages(msgs: readonly Msg[]): Message[] {
    return msgs.flatMap((msg) => this.toAguiMessage(msg));
  }

  /** The AG-UI messages of one message. */
  toAguiMessage(msg: Msg): Message[] {
    const { id, name, encryptedValue, metadata } = msg;
    const base = { id, ...defined({ name, encryptedValue, metadata }) };
    switch (msg.role) {
      case 'user':
        return [{ ...base, role: 'user', content: contentOf(msg.content) }];
      case 'system':
        return [{ ...base, role: 'system', content: textOf(msg) }];
      case 'assistant':
        return [
          ...this.reasoningOf(msg),
          ...this.assistantOf(msg, base),
          ...this.resultsOf(msg),
        ];
      case 'tool':
        return this.resultsOf(msg);
    }
  }

  private toMsg(
    message: Message,
    toolNames: ReadonlyMap<string, string>,
  ): Msg | undefined {
    const { id, metadata } = message;
    const name = 'name' in message ? message.name : undefined;
    const base = { id, ...defined({ name, metadata }) };
    switch (message.role) {
      case 'user':
        return { ...base, role: 'user', content: blocksOf(message.content) };
      case 'system':
      case 'developer':
        return { ...base, role: 'system', content: blocksOf(message.content) };
      case 'assistant':
        return {
          ...base,
          ...defined({ encryptedValue: message.encryptedValue }),
          role: 'assistant',
          content: [
            ...blocksOf(message.content),
            ...(message.toolCalls ?? []).map(toolUseOf),
          ],
        };
      case 'tool':
        return {
          ...base,
          role: 'tool',
          content: [toolResultOf(message, toolNames)],
        };
      case 'reasoning':
        return {
          ...base,
          role: 'assistant',
          content: [
            {
              type: 'thinking',
              thinking: message.content,
              ...defined({ encryptedValue: message.encryptedValue }),
            },
          ],
        };
      case 'activity':
        return undefined;
    }
  }

  private reasoningOf(msg: Msg): Message[] {
    const others = msg.content.some(({ type }) => type !== 'thinking');
    return msg.content
      .filter((block) => block.type === 'thinking')
      .map((block, index) => ({
        id: numbered(others ? `${msg.id}-reasoning` : msg.id, index),
        role: 'reasoning',
        content: block.thinking,
        ...defined({ encryptedValue: block.encryptedValue }),
        ...(others ? {} : defined({ metadata: msg.metadata })),
      }));
  }

  private assistantOf(msg: Msg, base: { id: string }): Message[] {
    const content = textOf(msg);
    const toolCalls = msg.content
      .filter((block) => block.type === 'tool_use')
      .map(toolCallOf);
    if (content === '' && toolCalls.length === 0) return [];
    return [
      {
        ...base,
        role: 'assistant',
        ...(content !== '' && { content }),
        ...(toolCalls.length > 0 && { toolCalls }),
      },
    ];
  }

  private resultsOf(msg: Msg): Message[] {
    return (
      msg.content
        .filter((block) => block.type === 'tool_result')
        // A suspended call has no result yet: somebody else brings it.
        .filter(({ state }) => state !== 'running')
        .map((block, index) => ({
          id:
            msg.role === 'tool'
              ? numbered(msg.id, index)
              : `${block.id}-result`,
          role: 'tool',
          toolCallId: block.id,
          content: contentOf(block.output),
          ...outcomeOf(block),
        }))
    );
  }
}

function hasCalls({ role, content }: Msg): boolean {
  return role === 'assistant' && content.some(isCall);
}

function isCallsOnly({ role, content }: Msg): boolean {
  return role === 'assistant' && content.length > 0 && content.every(isCall);
}

function isCall({ type }: ContentBlock): boolean {
  return type === 'tool_use';
}

function toolNamesOf(messages: readonly Message[]): Map<string, string> {
  const names = new Map<string, string>();
  for (const message of messages)
    if (message.role === 'assistant')
      for (const call of message.toolCalls ?? [])
        names.set(call.id, call.function.name);
  return names;
}

function toolUseOf(call: ToolCall): ToolUseBlock {
  return {
    type: 'tool_use',
    id: call.id,
    name: call.function.name,
    ...argumentsOf(call.function.arguments),
    ...defined({
      encryptedValue: call.encryptedValue,
      metadata: call.metadata,
    }),
  };
}

function toolCallOf(block: ToolUseBlock): ToolCall {
  return {
    id: block.id,
    type: 'function',
    function: {
      name: block.name,
      arguments: argumentsOf(block.content, block.input).content,
    },
    ...defined({
      encryptedValue: block.encryptedValue,
      metadata: block.metadata,
    }),
  };
}

function toolResultOf(
  message: ToolMessage,
  toolNames: ReadonlyMap<string, string>,
): ToolResultBlock {
  const { toolCallId, error } = message;
  const content = blocksOf(message.content);
  const onlyError = content.length === 0 && error;
  const metadata =
    error && !onlyError
      ? { ...message.metadata, [TOOL_RESULT_ERROR]: error }
      : message.metadata;
  return {
    type: 'tool_result',
    id: toolCallId,
    name: toolNames.get(toolCallId) ?? 'unknown',
    output: onlyError ? [{ type: 'text', text: error }] : content,
    state: stateOf(message),
    ...defined({ metadata }),
  };
}

function stateOf({ error, metadata }: ToolMessage): ToolResultState {
  const state: unknown = metadata?.[TOOL_RESULT_STATE];
  if (state === 'error' || state === 'interrupted' || state === 'denied')
    return state;
  return error === undefined ? 'success' : 'error';
}

/** How a call ended, as its tool message says it. */
function outcomeOf({ state, output, metadata: own }: ToolResultBlock) {
  const { [TOOL_RESULT_ERROR]: error, ...metadata } = own ?? {};
  if (state !== 'success')
    return {
      error: typeof error === 'string' ? error : textOf(output) || state,
      metadata: { ...metadata, [TOOL_RESULT_STATE]: state },
    };
  return Object.keys(metadata).length === 0 ? {} : { metadata };
}

function numbered(id: string, index: number): string {
  return index === 0 ? id : `${id}-${index + 1}`;
}
