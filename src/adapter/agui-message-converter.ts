import type { Message, ToolCall, ToolMessage } from '@ag-ui/core';
import {
  textOf,
  type ContentBlock,
  type Msg,
  type ToolResultState,
  type ToolUseBlock,
} from '../agent/msg.js';
import { blocksOf, contentOf } from './content-parts.js';
import { argumentsOf } from './tool-arguments.js';
import { TOOL_RESULT_STATE } from './tool-result-state.js';

/** Turns AG-UI messages into the agent's and back; text, media, calls, results and reasoning survive both ways. */
export class AguiMessageConverter {
  /**
   * The agent's messages of a conversation. `developer` counts as system, `reasoning` is the
   * assistant's thinking, `activity` is the client's own and is left out.
   */
  toMsgs(messages: readonly Message[]): Msg[] {
    const toolNames = toolNamesOf(messages);
    return messages.flatMap((message) => {
      const msg = this.toMsg(message, toolNames);
      return msg === undefined ? [] : [msg];
    });
  }

  /** The AG-UI messages of the agent's; a message with calls and results becomes several. */
  toAguiMessages(msgs: readonly Msg[]): Message[] {
    return msgs.flatMap((msg) => this.toAguiMessage(msg));
  }

  /** The AG-UI messages of one message. */
  toAguiMessage(msg: Msg): Message[] {
    const base = {
      id: msg.id,
      ...(msg.name !== undefined && { name: msg.name }),
    };
    if (msg.role === 'user')
      return [{ ...base, role: 'user', content: contentOf(msg.content) }];
    if (msg.role === 'system')
      return [{ ...base, role: 'system', content: textOf(msg) }];
    return [
      ...this.reasoningOf(msg),
      ...this.assistantOf(msg, base),
      ...this.resultsOf(msg),
    ];
  }

  private toMsg(
    message: Message,
    toolNames: ReadonlyMap<string, string>,
  ): Msg | undefined {
    const base = {
      id: message.id,
      ...('name' in message &&
        message.name !== undefined && { name: message.name }),
      ...(message.metadata !== undefined && { metadata: message.metadata }),
    };
    switch (message.role) {
      case 'user':
        return { ...base, role: 'user', content: blocksOf(message.content) };
      case 'system':
      case 'developer':
        return { ...base, role: 'system', content: blocksOf(message.content) };
      case 'assistant':
        return {
          ...base,
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
              ...(message.encryptedValue !== undefined && {
                encryptedValue: message.encryptedValue,
              }),
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
        ...(block.encryptedValue !== undefined && {
          encryptedValue: block.encryptedValue,
        }),
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
    return msg.content
      .filter((block) => block.type === 'tool_result')
      .map((block, index) => ({
        id:
          msg.role === 'tool' ? numbered(msg.id, index) : `${block.id}-result`,
        role: 'tool',
        toolCallId: block.id,
        content: contentOf(block.output),
        ...failureOf(block.state, block.output),
      }));
  }
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
    ...(call.metadata !== undefined && { metadata: call.metadata }),
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
    ...(block.metadata !== undefined && { metadata: block.metadata }),
  };
}

function toolResultOf(
  message: ToolMessage,
  toolNames: ReadonlyMap<string, string>,
): ContentBlock {
  const output = blocksOf(message.content);
  const { error } = message;
  return {
    type: 'tool_result',
    id: message.toolCallId,
    name: toolNames.get(message.toolCallId) ?? 'unknown',
    output:
      output.length === 0 && error ? [{ type: 'text', text: error }] : output,
    state: stateOf(message),
    ...(message.metadata !== undefined && { metadata: message.metadata }),
  };
}

function stateOf({ error, metadata }: ToolMessage): ToolResultState {
  const state: unknown = metadata?.[TOOL_RESULT_STATE];
  if (state === 'error' || state === 'interrupted' || state === 'denied')
    return state;
  return error === undefined ? 'success' : 'error';
}

function failureOf(state: ToolResultState, output: readonly ContentBlock[]) {
  if (state === 'success' || state === 'running') return {};
  return {
    error: textOf(output) || state,
    metadata: { [TOOL_RESULT_STATE]: state },
  };
}

function numbered(id: string, index: number): string {
  return index === 0 ? id : `${id}-${index + 1}`;
}
