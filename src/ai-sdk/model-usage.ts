import type { LanguageModelUsage, TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent, ModelUsage } from '../agent/agent-event.js';

/** The end of a model call with what it cost, by the protocol's accounting: parts of totals, nothing where the provider said nothing. */
export function modelCallEnd(
  {
    usage,
    response,
  }: Extract<TextStreamPart<ToolSet>, { type: 'finish-step' }>,
  replyId: string,
  provider: string | undefined,
): AgentEvent {
  return {
    type: 'MODEL_CALL_END',
    replyId,
    usage: usageOf(usage),
    ...(provider !== undefined && { provider }),
    model: response.modelId,
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
    Number.isFinite(count),
  );
  return known.length === 0
    ? undefined
    : (Object.fromEntries(known) as unknown as ModelUsage);
}
