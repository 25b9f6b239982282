import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import type { Frame, ModelServer } from './model-server.js';

/** OpenAI's wire format: what a chat completion's stream consists of. */

type Provider = Parameters<typeof createOpenAICompatible>[0];

export const DONE = '[DONE]';

const HEAD = {
  id: 'chatcmpl-1',
  object: 'chat.completion.chunk',
  created: 1,
  model: 'served-model',
};

/** A call as a chunk has it, whole or in part. */
export interface CallDelta {
  index?: number;
  id?: string | null;
  function?: { name?: string | null; arguments?: string };
  [member: string]: unknown;
}

export function delta(
  delta: object,
  finish_reason: string | null = null,
): object {
  return { ...HEAD, choices: [{ index: 0, delta, finish_reason }] };
}

export const say = (content: string): object => delta({ content });

export const think = (reasoning_content: string): object =>
  delta({ reasoning_content });

export const callDelta = (...tool_calls: CallDelta[]): object =>
  delta({ tool_calls });

/** A whole call in one chunk. */
export const call = (
  id: string,
  name: string,
  args: object | string = {},
  index = 0,
): object =>
  callDelta({
    index,
    id,
    type: 'function',
    function: {
      name,
      arguments: typeof args === 'string' ? args : JSON.stringify(args),
    },
  });

export const finish = (reason: string): object => delta({}, reason);

/** The last chunk, which tells of tokens and has no choices. */
export const usage = (usage: object): object => ({
  ...HEAD,
  choices: [],
  usage,
});

/** An answer of some pieces of text. */
export const texts = (...pieces: string[]): Frame[] => [
  ...pieces.map(say),
  finish('stop'),
  DONE,
];

/** An answer that calls tools. */
export const calls = (...chunks: object[]): Frame[] => [
  ...chunks,
  finish('tool_calls'),
  DONE,
];

export function openAiModel(
  { url }: Pick<ModelServer, 'url'>,
  modelId = 'asked-model',
  provider: Partial<Provider> = {},
): Exclude<LanguageModel, string> {
  return createOpenAICompatible({
    name: 'acme',
    baseURL: url,
    apiKey: 'key',
    includeUsage: true,
    ...provider,
  }).chatModel(modelId);
}
