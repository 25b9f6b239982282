import type {
  AssistantContent,
  ModelMessage,
  ToolResultPart,
  UserContent,
} from 'ai';
import {
  textOf,
  type ContentBlock,
  type Msg,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agent/msg.js';
import { openArtefact } from './artefact.js';
import { isMedia, mediaOutput, mediaPart } from './media-parts.js';

type AssistantPart = Exclude<AssistantContent, string>[number];
type CallPart = Extract<AssistantPart, { type: 'tool-call' }>;

/** A part of what a user says. */
export type UserPart = Exclude<UserContent, string>[number];

/**
 * How reasoning goes back to the model when the provider left no artefact with it: in `<think>`
 * tags, as native reasoning, or not at all.
 */
export type ReasoningHistory = 'tags' | 'native' | 'none';

/** What the conversion left out or put right. */
export type OnRepair = (what: string) => void;

/** What the model reads in place of a message in which there was nothing that it can read. */
export const UNREADABLE: UserPart = {
  type: 'text',
  text: '(The user sent a file that cannot be read.)',
};

/**
 * The conversation as the model gets it, well-formed whatever the client sent: every tool call is
 * there once, with exactly one result right behind it; results without a call are left out, and so
 * is what says nothing; what the assistant says in one turn is one message.
 */
export function toModelMessages(
  msgs: readonly Msg[],
  reasoning: ReasoningHistory,
  onRepair: OnRepair,
): ModelMessage[] {
  const results = resultsByCall(msgs);
  const messages: ModelMessage[] = [];
  let assistant: AssistantPart[] = [];
  const endTurn = () => {
    if (assistant.length === 0) return;
    messages.push({ role: 'assistant', content: assistant });
    const answers = answersTo(assistant, results, onRepair);
    if (answers.length > 0) messages.push({ role: 'tool', content: answers });
    assistant = [];
  };
  for (const { role, content } of withoutRepeatedCalls(msgs, onRepair)) {
    if (role === 'assistant') {
      // A new word after calls begins a new turn; the calls are answered first.
      if (assistant.some(isCall) && !content.every(isToolUse)) endTurn();
      assistant.push(...content.flatMap((b) => assistantParts(b, reasoning)));
    } else if (role !== 'system') endTurn();
    if (role !== 'user') continue;
    const parts = userParts(content, onRepair);
    if (parts.length > 0) messages.push({ role, content: parts });
  }
  endTurn();
  for (const id of results.keys())
    onRepair(`a result for "${id}", which no message calls`);
  return messages;
}

/** The first of the calls that have one id is the call. */
function withoutRepeatedCalls(msgs: readonly Msg[], onRepair: OnRepair): Msg[] {
  const ids = new Set<string>();
  const isFirst = (block: ContentBlock): boolean => {
    if (block.type !== 'tool_use') return true;
    if (ids.has(block.id))
      onRepair(`the call "${block.id}", which is there more than once`);
    return ids.size < ids.add(block.id).size;
  };
  return msgs.map((msg) => ({ ...msg, content: msg.content.filter(isFirst) }));
}

/** The first result of each call, wherever the client put it. */
function resultsByCall(msgs: readonly Msg[]): Map<string, ToolResultBlock> {
  const results = new Map<string, ToolResultBlock>();
  for (const { content } of msgs)
    for (const block of content)
      if (block.type === 'tool_result' && !results.has(block.id))
        results.set(block.id, block);
  return results;
}

function answersTo(
  parts: readonly AssistantPart[],
  results: Map<string, ToolResultBlock>,
  onRepair: OnRepair,
): ToolResultPart[] {
  return parts.filter(isCall).map(({ toolCallId, toolName }) => {
    const result = results.get(toolCallId);
    results.delete(toolCallId);
    if (result === undefined)
      onRepair(`the call "${toolCallId}", which has no result`);
    return {
      type: 'tool-result',
      toolCallId,
      toolName,
      output:
        result === undefined
          ? { type: 'error-text', value: 'This call was not answered.' }
          : outputOf(result),
    };
  });
}

function outputOf({
  output,
  state,
}: ToolResultBlock): ToolResultPart['output'] {
  const value = textOf(output);
  if (state !== 'success') return { type: 'error-text', value: value || state };
  const media = mediaOutput(output);
  if (media.length === 0) return { type: 'text', value };
  return {
    type: 'content',
    value: [...textParts(value), ...media],
  };
}

function assistantParts(
  block: ContentBlock,
  reasoning: ReasoningHistory,
): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return textParts(block.text);
    case 'thinking':
      return thinkingParts(block, reasoning);
    case 'tool_use':
      return [callPart(block)];
    default:
      return [];
  }
}

function thinkingParts(
  { thinking, encryptedValue }: ThinkingBlock,
  reasoning: ReasoningHistory,
): AssistantPart[] {
  const providerOptions = openArtefact(encryptedValue);
  if (providerOptions !== undefined)
    return [{ type: 'reasoning', text: thinking, providerOptions }];
  if (thinking.trim() === '' || reasoning === 'none') return [];
  return reasoning === 'native'
    ? [{ type: 'reasoning', text: thinking }]
    : [{ type: 'text', text: `<think>${thinking}</think>` }];
}

function callPart(block: ToolUseBlock): CallPart {
  const providerOptions = openArtefact(block.encryptedValue);
  return {
    type: 'tool-call',
    toolCallId: block.id,
    toolName: block.name,
    input: block.input,
    ...(providerOptions !== undefined && { providerOptions }),
  };
}

function userParts(
  content: readonly ContentBlock[],
  onRepair: OnRepair,
): UserPart[] {
  let leftOut = false;
  const parts = content.flatMap((block): UserPart[] => {
    if (block.type === 'text') return textParts(block.text);
    if (!isMedia(block)) return [];
    const part = mediaPart(block);
    if (part !== undefined) return [part];
    leftOut = true;
    onRepair(`a ${block.type} part that no model can read`);
    return [];
  });
  return leftOut && parts.length === 0 ? [UNREADABLE] : parts;
}

/** Some providers refuse a text that is blank. */
function textParts(text: string): { type: 'text'; text: string }[] {
  return text.trim() === '' ? [] : [{ type: 'text', text }];
}

function isCall(part: AssistantPart): part is CallPart {
  return part.type === 'tool-call';
}

function isToolUse({ type }: ContentBlock): boolean {
  return type === 'tool_use';
}
