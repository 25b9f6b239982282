import type { ModelMessage, ToolResultPart } from 'ai';
import {
  textOf,
  type ContentBlock,
  type MediaBlock,
  type Msg,
  type ThinkingBlock,
  type ToolResultBlock,
  type ToolUseBlock,
} from '../agent/msg.js';

type AssistantPart = Exclude<
  Extract<ModelMessage, { role: 'assistant' }>['content'],
  string
>[number];
type UserPart = Exclude<
  Extract<ModelMessage, { role: 'user' }>['content'],
  string
>[number];

/** How reasoning goes back to the model when the provider left no artefact with it: in `<think>` tags, as native reasoning, or not at all. */
export type ReasoningHistory = 'tags' | 'native' | 'none';

/** What the conversion left out or put right. */
export type OnRepair = (what: string) => void;

/**
 * The conversation as the model gets it, well-formed whatever the client sent: every tool call has
 * exactly one result right behind it, results without a call are left out, messages of one speaker
 * are joined.
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
  for (const msg of msgs) {
    if (msg.role === 'assistant') {
      // A new word after calls begins a new turn; the calls are answered first.
      if (assistant.some(isCall) && !msg.content.every(isToolUse)) endTurn();
      assistant.push(
        ...msg.content.flatMap((b) => assistantParts(b, reasoning)),
      );
    } else if (msg.role === 'user') {
      endTurn();
      const content = msg.content.flatMap((block) =>
        userParts(block, onRepair),
      );
      if (content.length > 0) messages.push({ role: 'user', content });
    } else if (msg.role === 'tool') endTurn();
  }
  endTurn();
  for (const id of results.keys())
    onRepair(`a result for "${id}", which no message calls`);
  return messages;
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
  if (state !== 'success')
    return { type: 'error-text', value: textOf(output) || state };
  const media = output.filter(isMedia);
  const inline = media.flatMap(({ source }) =>
    source.type === 'base64'
      ? [
          {
            type: 'media' as const,
            data: source.data,
            mediaType: source.mediaType,
          },
        ]
      : [],
  );
  const text = textOf(output);
  return inline.length === 0
    ? { type: 'text', value: text }
    : { type: 'content', value: [{ type: 'text', text }, ...inline] };
}

function assistantParts(
  block: ContentBlock,
  reasoning: ReasoningHistory,
): AssistantPart[] {
  switch (block.type) {
    case 'text':
      return block.text === '' ? [] : [{ type: 'text', text: block.text }];
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

function callPart(
  block: ToolUseBlock,
): Extract<AssistantPart, { type: 'tool-call' }> {
  const providerOptions = openArtefact(block.encryptedValue);
  return {
    type: 'tool-call',
    toolCallId: block.id,
    toolName: block.name,
    input: block.input,
    ...(providerOptions !== undefined && { providerOptions }),
  };
}

function userParts(block: ContentBlock, onRepair: OnRepair): UserPart[] {
  if (block.type === 'text')
    return block.text === '' ? [] : [{ type: 'text', text: block.text }];
  if (!isMedia(block)) return [];
  const part = mediaPart(block);
  if (part === undefined)
    onRepair(`a ${block.type} part that no model can read`);
  return part === undefined ? [] : [part];
}

function mediaPart({
  type,
  source,
  metadata,
}: MediaBlock): UserPart | undefined {
  const mediaType = source.mediaType;
  const filename = (metadata as { filename?: unknown } | undefined)?.filename;
  const named = typeof filename === 'string' ? { filename } : {};
  switch (source.type) {
    case 'base64':
      return source.data === ''
        ? undefined
        : {
            type: 'file',
            data: source.data,
            mediaType: source.mediaType,
            ...named,
          };
    case 'url': {
      const url = webUrl(source.url);
      if (url === undefined) return undefined;
      if (mediaType !== undefined)
        return { type: 'file', data: url, mediaType, ...named };
      return type === 'image' ? { type: 'image', image: url } : undefined;
    }
    case 'file':
      return undefined;
  }
}

function webUrl(text: string): URL | undefined {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  return url !== undefined && /^https?:$/.test(url.protocol) ? url : undefined;
}

/** Providers' artefacts travel as JSON of their metadata; anything else was not issued here. */
export function sealArtefact(metadata: unknown): string | undefined {
  return metadata !== undefined && metadata !== null
    ? JSON.stringify(metadata)
    : undefined;
}

function openArtefact(
  sealed: string | undefined,
): ToolResultPart['providerOptions'] {
  if (sealed === undefined) return undefined;
  try {
    const opened: unknown = JSON.parse(sealed);
    return typeof opened === 'object' && opened !== null
      ? (opened as ToolResultPart['providerOptions'])
      : undefined;
  } catch {
    return undefined;
  }
}

function isCall(
  part: AssistantPart,
): part is Extract<AssistantPart, { type: 'tool-call' }> {
  return part.type === 'tool-call';
}

function isToolUse({ type }: ContentBlock): boolean {
  return type === 'tool_use';
}

function isMedia(block: ContentBlock): block is MediaBlock {
  return 'source' in block;
}
