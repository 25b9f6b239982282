import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { AgentEventOf, ModelUsage } from '../agent/agent-event.js';

/**
 * The end of a model call with what it cost, by the protocol's accounting: parts of totals, nothing
 * where the provider said nothing.
 */
export function modelCallEnd(
  {
    usage,
    response,
    finishReason,
  }: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>,
  replyId: string,
  provider: string | undefined,
): AgentEventOf<'MODEL_CALL_END'> {
  return {
    type: 'MODEL_CALL_END',
    replyId,
    usage: usageOf(usage),
    ...(provider !== undefined && { provider }),
    model: response.modelId,
    responseId: response.id,
    finishReason,
  };
}

function usageOf(usage: LanguageModelUsage): ModelUsage | undefined {
  const { inputTokens, outputTokens, inputTokenDetails, outputTokenDetails } =
    usage;
  const counts = {
    inputTokens,
    outputTokens,
    cachedTokens: inputTokenDetails?.cacheReadTokens,
    cacheWriteTokens: inputTokenDetails?.cacheWriteTokens,
    reasoningTokens: outputTokenDetails?.reasoningTokens,
  };
  const known = Object.entries(counts).filter(([, count]) =>
    isKnown(count, usage.raw),
  );
  return known.length === 0
    ? undefined
    : (Object.fromEntries(known) as unknown as ModelUsage);
}

/** Providers' packages put a zero where the report that they translate (`raw`) has nothing. */
function isKnown(count: number | undefined, raw: unknown): boolean {
  return Number.isFinite(count) && (count !== 0 || raw === undefined);
}
