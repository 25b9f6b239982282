import { randomUUID } from 'node:crypto';
import {
  setImmediate as nextTurn,
  setTimeout as sleep,
} from 'node:timers/promises';
import type {
  LanguageModelV3,
  LanguageModelV3CallOptions,
  LanguageModelV3GenerateResult,
  LanguageModelV3StreamPart,
  LanguageModelV3StreamResult,
} from '@ai-sdk/provider';
import { Conversation } from './conversation.js';
import { planTurn } from './plan-turn.js';
import type { Turn } from './turn.js';

/**
 * A language model that needs none: it thinks, calls tools and answers by rules, word by word.
 * `SAMPLE_TOKEN_DELAY` is its pace in milliseconds per word.
 */
export class OfflineModel implements LanguageModelV3 {
  readonly specificationVersion = 'v3';
  readonly provider = 'sample';
  readonly modelId = 'offline';
  readonly supportedUrls = { '*/*': [/.*/] };

  async doStream(
    options: LanguageModelV3CallOptions,
  ): Promise<LanguageModelV3StreamResult> {
    const parts = partsOf(planTurn(new Conversation(options)), options);
    return { stream: ReadableStream.from(parts) };
  }

  doGenerate(): PromiseLike<LanguageModelV3GenerateResult> {
    return Promise.reject(new Error('The offline model only streams.'));
  }
}

async function* partsOf(
  turn: Turn,
  options: LanguageModelV3CallOptions,
): AsyncGenerator<LanguageModelV3StreamPart> {
  yield { type: 'stream-start', warnings: [] };
  yield* block('reasoning', turn.thinking, options.abortSignal);
  yield* block('text', turn.text, options.abortSignal);
  const calls = turn.calls ?? [];
  for (const { name: toolName, args } of calls) {
    const id = `call-${randomUUID()}`;
    const input = JSON.stringify(args);
    yield { type: 'tool-input-start', id, toolName };
    for await (const delta of words(input, options.abortSignal))
      yield { type: 'tool-input-delta', id, delta };
    yield { type: 'tool-input-end', id };
    yield { type: 'tool-call', toolCallId: id, toolName, input };
  }
  if (turn.failure !== undefined) throw new Error(turn.failure);
  yield {
    type: 'finish',
    finishReason: {
      unified: calls.length > 0 ? 'tool-calls' : 'stop',
      raw: undefined,
    },
    usage: usageOf(turn, options),
  };
}

async function* block(
  kind: 'reasoning' | 'text',
  said: string | undefined,
  signal: AbortSignal | undefined,
): AsyncGenerator<LanguageModelV3StreamPart> {
  if (said === undefined) return;
  yield { type: `${kind}-start`, id: kind };
  for await (const delta of words(said, signal))
    yield { type: `${kind}-delta`, id: kind, delta };
  yield { type: `${kind}-end`, id: kind };
}

/** The words of a text at the sample's pace, until the run is stopped. */
async function* words(
  text: string,
  signal: AbortSignal | undefined,
): AsyncGenerator<string> {
  for (const word of text.match(/\s*\S+\s*$|\s*\S+/g) ?? []) {
    const delay = Number(process.env['SAMPLE_TOKEN_DELAY'] ?? 20);
    if (delay > 0) await sleep(delay, undefined, { signal });
    else await nextTurn(undefined, { signal });
    yield word;
  }
}

function usageOf(
  { thinking = '', text = '', calls = [] }: Turn,
  { prompt }: LanguageModelV3CallOptions,
) {
  const count = (said: string) => said.split(/\s+/).filter(Boolean).length;
  const reasoning = count(thinking);
  const spoken = count(text) + calls.length;
  return {
    inputTokens: {
      total: count(JSON.stringify(prompt)),
      noCache: undefined,
      cacheRead: undefined,
      cacheWrite: undefined,
    },
    outputTokens: { total: spoken + reasoning, text: spoken, reasoning },
  };
}
