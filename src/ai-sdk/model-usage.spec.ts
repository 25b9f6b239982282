import { describe, expect, it } from 'vitest';
import { modelCallEnd } from './model-usage.js';

type FinishStep = Parameters<typeof modelCallEnd>[0];
type Usage = FinishStep['usage'];

const unknown: Usage = {
  inputTokens: undefined,
  outputTokens: undefined,
  totalTokens: undefined,
  inputTokenDetails: {
    noCacheTokens: undefined,
    cacheReadTokens: undefined,
    cacheWriteTokens: undefined,
  },
  outputTokenDetails: { textTokens: undefined, reasoningTokens: undefined },
};

function endOf(usage: Partial<Usage>, provider?: string) {
  const part = {
    type: 'finish-step',
    finishReason: 'stop',
    usage: { ...unknown, ...usage },
    response: { id: 'x', timestamp: new Date(), modelId: 'm1' },
  } as FinishStep;
  return modelCallEnd(part, 'r1', provider);
}

const details = (
  cacheReadTokens: number | undefined,
  cacheWriteTokens: number | undefined,
  reasoningTokens: number | undefined,
): Partial<Usage> => ({
  inputTokenDetails: {
    noCacheTokens: undefined,
    cacheReadTokens,
    cacheWriteTokens,
  },
  outputTokenDetails: { textTokens: undefined, reasoningTokens },
});

describe('modelCallEnd', () => {
  it('should name the reply, the provider, the model and its answer', () => {
    expect(endOf({ inputTokens: 1, outputTokens: 2 }, 'acme')).toEqual({
      type: 'MODEL_CALL_END',
      replyId: 'r1',
      provider: 'acme',
      model: 'm1',
      responseId: 'x',
      finishReason: 'stop',
      usage: { inputTokens: 1, outputTokens: 2 },
    });
    expect(endOf({ inputTokens: 1 })).not.toHaveProperty('provider');
  });

  it('should tell of cached and reasoning tokens', () => {
    expect(
      endOf({ inputTokens: 9, outputTokens: 5, ...details(4, 3, 2) }),
    ).toMatchObject({
      usage: {
        inputTokens: 9,
        outputTokens: 5,
        cachedTokens: 4,
        cacheWriteTokens: 3,
        reasoningTokens: 2,
      },
    });
  });

  it('should say nothing where the provider said nothing', () => {
    expect(endOf({}).usage).toBeUndefined();
    expect(endOf({ inputTokens: NaN, outputTokens: 3 })).toMatchObject({
      usage: { outputTokens: 3 },
    });
    expect(
      endOf({ inputTokenDetails: undefined, outputTokenDetails: undefined })
        .usage,
    ).toBeUndefined();
  });

  it("should not believe a zero that stands in for what the provider's report has not", () => {
    const usage = { inputTokens: 7, outputTokens: 0, ...details(0, 0, 0) };

    expect(endOf({ ...usage, raw: { prompt_tokens: 7 } }).usage).toEqual({
      inputTokens: 7,
    });
  });

  it('should believe the zeros of a model that reports in no other form', () => {
    expect(endOf({ inputTokens: 7, outputTokens: 0 }).usage).toEqual({
      inputTokens: 7,
      outputTokens: 0,
    });
  });
});
