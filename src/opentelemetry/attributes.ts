import type { Attributes } from '@opentelemetry/api';
import type { ModelUsage } from '../agent/agent-event.js';

/** What traces and metrics call things. `gen_ai.*` and `error.type` are OpenTelemetry's semantic conventions for generative AI. */
export const ATTRIBUTE = {
  OPERATION: 'gen_ai.operation.name',
  AGENT_ID: 'gen_ai.agent.id',
  AGENT_NAME: 'gen_ai.agent.name',
  CONVERSATION: 'gen_ai.conversation.id',
  PROVIDER: 'gen_ai.provider.name',
  REQUEST_MODEL: 'gen_ai.request.model',
  RESPONSE_MODEL: 'gen_ai.response.model',
  RESPONSE_ID: 'gen_ai.response.id',
  FINISH_REASONS: 'gen_ai.response.finish_reasons',
  INPUT_TOKENS: 'gen_ai.usage.input_tokens',
  OUTPUT_TOKENS: 'gen_ai.usage.output_tokens',
  CACHE_READ_TOKENS: 'gen_ai.usage.cache_read.input_tokens',
  CACHE_WRITE_TOKENS: 'gen_ai.usage.cache_creation.input_tokens',
  REASONING_TOKENS: 'gen_ai.usage.reasoning.output_tokens',
  TOKEN_TYPE: 'gen_ai.token.type',
  TOOL_NAME: 'gen_ai.tool.name',
  TOOL_CALL_ID: 'gen_ai.tool.call.id',
  TOOL_TYPE: 'gen_ai.tool.type',
  ERROR: 'error.type',
  RUN_ID: 'agui.run.id',
  OUTCOME: 'agui.run.outcome',
  EVENTS: 'agui.run.events',
  BYTES: 'agui.run.bytes',
} as const;

/** The values of {@link ATTRIBUTE}`.OPERATION`. */
export const OPERATION = {
  RUN: 'invoke_agent',
  MODEL_CALL: 'chat',
  TOOL: 'execute_tool',
} as const;

const USAGE: readonly [keyof ModelUsage, string][] = [
  ['inputTokens', ATTRIBUTE.INPUT_TOKENS],
  ['outputTokens', ATTRIBUTE.OUTPUT_TOKENS],
  ['cachedTokens', ATTRIBUTE.CACHE_READ_TOKENS],
  ['cacheWriteTokens', ATTRIBUTE.CACHE_WRITE_TOKENS],
  ['reasoningTokens', ATTRIBUTE.REASONING_TOKENS],
];

/** The tokens that are known. */
export function usageAttributes(usage: ModelUsage | undefined): Attributes {
  return Object.fromEntries(
    USAGE.flatMap(([name, attribute]) => {
      const count = usage?.[name];
      return Number.isFinite(count) ? [[attribute, count]] : [];
    }),
  );
}

/** What a failure is called: few names, and no text that somebody wrote. */
export function errorTypeOf(error: unknown): string {
  const { code, name } = (error ?? {}) as { code?: unknown; name?: unknown };
  if (typeof code === 'string' && code !== '') return code;
  return typeof name === 'string' && name !== '' ? name : '_OTHER';
}
