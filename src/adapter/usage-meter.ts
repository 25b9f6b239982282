import { aggregateTokenUsage, type TokenUsage } from '@ag-ui/core';
import type { AgentEventOf, ModelUsage } from '../agent/agent-event.js';

/** The numbers of a `token_usage` event (AgentScope: "Token Usage"). `time` is in seconds. */
export interface UsageFigures {
  inputTokens: number;
  outputTokens: number;
  cachedTokens: number;
  totalTokens: number;
  time: number;
}

/** Counts what a run's model calls cost, its subagents' included. */
export class UsageMeter {
  private readonly calls: TokenUsage[] = [];
  private readonly sum: UsageFigures = {
    inputTokens: 0,
    outputTokens: 0,
    cachedTokens: 0,
    totalTokens: 0,
    time: 0,
  };

  add({ usage, provider, model }: AgentEventOf<'MODEL_CALL_END'>): void {
    if (!usage) return;
    const figures = figuresOf(usage);
    for (const name of Object.keys(figures) as (keyof UsageFigures)[])
      this.sum[name] += figures[name];
    const inputTokens = countOf(usage.inputTokens);
    const outputTokens = countOf(usage.outputTokens);
    this.calls.push({
      provider,
      model,
      inputTokens,
      outputTokens,
      // A total of which a part is unknown is unknown itself.
      totalTokens:
        inputTokens === undefined || outputTokens === undefined
          ? undefined
          : inputTokens + outputTokens,
      cachedInputTokens: countOf(usage.cachedTokens),
      cacheWriteInputTokens: countOf(usage.cacheWriteTokens),
      reasoningTokens: countOf(usage.reasoningTokens),
    });
  }

  /** All calls so far, as a `token_usage` event has them. */
  cumulative(): UsageFigures {
    return { ...this.sum };
  }

  /** One entry per provider and model, by the protocol's accounting; undefined if no call reported. */
  entries(): TokenUsage[] | undefined {
    return this.calls.length === 0
      ? undefined
      : aggregateTokenUsage(this.calls);
  }
}

/** One model call, as a `token_usage` event has it: there, what is unknown counts as nothing. */
export function figuresOf(usage: ModelUsage): UsageFigures {
  const inputTokens = countOf(usage.inputTokens) ?? 0;
  const outputTokens = countOf(usage.outputTokens) ?? 0;
  return {
    inputTokens,
    outputTokens,
    cachedTokens: countOf(usage.cachedTokens) ?? 0,
    totalTokens: inputTokens + outputTokens,
    time: countOf(usage.time) ?? 0,
  };
}

/** A number that a provider reported; many report `null` or NaN for what they do not know. */
function countOf(value: number | null | undefined): number | undefined {
  return Number.isFinite(value) ? value! : undefined;
}
