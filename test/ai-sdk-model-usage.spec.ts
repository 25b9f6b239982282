import { jsonSchema, type Tool } from 'ai';
import { agentTool, type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { describe, expect, it } from 'vitest';
import {
  anthropicModel,
  message,
  textBlock,
  toolBlock,
} from './support/anthropic-wire.js';
import { muteLogs } from './support/logs.js';
import { lastOf, runAgent } from './support/model-run.js';
import { CUT, useModelServer } from './support/model-server.js';
import {
  call,
  calls,
  DONE,
  finish,
  openAiModel,
  say,
  texts,
  usage,
} from './support/openai-wire.js';

const server = useModelServer();
const f = agentTool({
  inputSchema: jsonSchema<object>({ type: 'object' }),
  execute: () => 'ok',
}) as Tool;

/** What the terminal event of a run says of tokens. */
async function usageOf(agent: Partial<AiSdkAgentOptions> = {}) {
  const events = await runAgent({
    agent: { model: openAiModel(server), tools: { f }, ...agent },
    config: { emitTokenUsage: true },
  });
  return lastOf(events).usage;
}

const served = { provider: 'acme', model: 'served-model' };
const tokens = (
  prompt_tokens: number,
  completion_tokens: number,
  more: object = {},
) => usage({ prompt_tokens, completion_tokens, ...more });

describe('usage', () => {
  muteLogs();

  it('should be taken from a last chunk without choices', async () => {
    server.answer([say('Hi'), finish('stop'), tokens(7, 3), DONE]);

    expect(await usageOf()).toEqual([
      { ...served, inputTokens: 7, outputTokens: 3, totalTokens: 10 },
    ]);
  });

  it('should be taken from the chunk before the last', async () => {
    const last = { ...(finish('stop') as object), ...{ usage: undefined } };
    server.answer([say('Hi'), tokens(7, 3), last, DONE]);

    expect(await usageOf()).toMatchObject([{ inputTokens: 7 }]);
  });

  it('should be the sum of all calls, with cached and reasoning tokens as parts', async () => {
    const details = (cached_tokens: number, reasoning_tokens: number) => ({
      prompt_tokens_details: { cached_tokens },
      completion_tokens_details: { reasoning_tokens },
    });
    server.answer(
      [call('c1', 'f'), finish('tool_calls'), tokens(10, 5, details(4, 2))],
      [...texts('done').slice(0, -1), tokens(20, 6, details(8, 3)), DONE],
    );

    expect(await usageOf()).toEqual([
      {
        ...served,
        inputTokens: 30,
        outputTokens: 11,
        totalTokens: 41,
        cachedInputTokens: 12,
        reasoningTokens: 5,
      },
    ]);
  });

  it('should say nothing where the provider says nothing', async () => {
    server.answer(texts('Hi'));
    expect(await usageOf()).toBeUndefined();

    server.answer([say('Hi'), finish('stop'), usage({ prompt_tokens: 7 })]);
    expect(await usageOf()).toEqual([{ ...served, inputTokens: 7 }]);

    server.answer([say('Hi'), finish('stop'), usage({})]);
    expect(await usageOf()).toBeUndefined();
  });

  it('should count what is written to a cache and read from it', async () => {
    server.answer(
      message([toolBlock('t1', 'f', '{}')], 'tool_use', {
        input_tokens: 10,
        cache_creation_input_tokens: 100,
        cache_read_input_tokens: 1000,
      }),
      message([textBlock('done')]),
    );

    expect(await usageOf({ model: anthropicModel(server) })).toEqual([
      {
        provider: 'anthropic',
        model: 'served-claude',
        inputTokens: 1120,
        outputTokens: 10,
        totalTokens: 1130,
        cachedInputTokens: 1000,
        cacheWriteInputTokens: 100,
      },
    ]);
  });

  it('should be told apart by provider and model', async () => {
    server.answer(
      calls(call('c1', 'f'), tokens(10, 1)),
      message([textBlock('done')]),
    );

    expect(
      await usageOf({
        settings: {
          prepareStep: ({ stepNumber }) =>
            stepNumber === 0 ? {} : { model: anthropicModel(server) },
        },
      }),
    ).toEqual([
      { ...served, inputTokens: 10, outputTokens: 1, totalTokens: 11 },
      {
        provider: 'anthropic',
        model: 'served-claude',
        inputTokens: 10,
        outputTokens: 5,
        totalTokens: 15,
      },
    ]);
  });

  it('should be told of a run that fails', async () => {
    server.answer(calls(call('c1', 'f'), tokens(10, 1)), [say('Well'), CUT]);

    const events = await runAgent({
      agent: { model: openAiModel(server), tools: { f } },
      config: { emitTokenUsage: true },
    });

    expect(lastOf(events)).toMatchObject({
      type: 'RUN_ERROR',
      usage: [{ inputTokens: 10, outputTokens: 1 }],
    });
  });
});
