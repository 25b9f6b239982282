import { createAnthropic } from '@ai-sdk/anthropic';
import type { LanguageModel } from 'ai';
import type { Frame, ModelServer } from './model-server.js';

/** Anthropic's wire format: what a message's stream consists of. */

/** A content block with its deltas. */
export type Block = [start: object, ...deltas: object[]];

export const textBlock = (...pieces: string[]): Block => [
  { type: 'text', text: '' },
  ...pieces.map((text) => ({ type: 'text_delta', text })),
];

export const thinkingBlock = (
  signature: string,
  ...pieces: string[]
): Block => [
  { type: 'thinking', thinking: '', signature: '' },
  ...pieces.map((thinking) => ({ type: 'thinking_delta', thinking })),
  { type: 'signature_delta', signature },
];

export const redactedBlock = (data: string): Block => [
  { type: 'redacted_thinking', data },
];

export const toolBlock = (
  id: string,
  name: string,
  ...pieces: string[]
): Block => [
  { type: 'tool_use', id, name, input: {} },
  ...pieces.map((partial_json) => ({ type: 'input_json_delta', partial_json })),
];

/** A whole answer. */
export function message(
  blocks: readonly Block[],
  stop_reason = 'end_turn',
  usage: object = { input_tokens: 10 },
): Frame[] {
  return [
    {
      type: 'message_start',
      message: {
        id: 'msg_1',
        type: 'message',
        role: 'assistant',
        model: 'served-claude',
        content: [],
        stop_reason: null,
        usage: { output_tokens: 1, ...usage },
      },
    },
    ...blocks.flatMap(([content_block, ...deltas], index) => [
      { type: 'content_block_start', index, content_block },
      ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
      { type: 'content_block_stop', index },
    ]),
    {
      type: 'message_delta',
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: 5 },
    },
    { type: 'message_stop' },
  ];
}

export function anthropicModel(
  { url }: Pick<ModelServer, 'url'>,
  modelId = 'claude-sonnet-4-0',
): Exclude<LanguageModel, string> {
  return createAnthropic({ baseURL: url, apiKey: 'key' })(modelId);
}
