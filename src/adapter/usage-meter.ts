import { aggregateTokenUsage, type TokenUsage } from '@ag-ui/core';
import type { AgentEventOf, ModelUsage } from '../agent/agent-event.js';

/** The numbers of a `token_usage` event (seed: "Token Usage"). `time` is in seconds. */
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
    if (usage === undefined) return;
    const figures = figuresOf(usage);
    for (const name of Object.keys(figures) as (keyof UsageFigures)[])
      this.sum[name] += figures[name];
    this.calls.push(
      defined({
        provider,
        model,
        inputTokens: usage.inputTokens,
        outputTokens: usage.outputTokens,
        totalTokens: figures.totalTokens,
        cachedInputTokens: usage.cachedTokens,
        cacheWriteInputTokens: usage.cacheWriteTokens,
        reasoningTokens: usage.reasoningTokens,
      }),
    );
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

/** One model call, as a `token_usage` event has it. */
export function figuresOf(usage: ModelUsage): UsageFigures {
  return {
    inputTokens: usage.inputTokens,
    outputTokens: usage.outputTokens,
    cachedTokens: usage.cachedTokens ?? 0,
    totalTokens: usage.inputTokens + usage.outputTokens,
    time: usage.time ?? 0,
  };
}

function defined<T extends object>(value: T): T {
  return Object.fromEntries(
    Object.entries(value).filter(([, member]) => member !== undefined),
  ) as T;
}
