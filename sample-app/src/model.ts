import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import type { LanguageModel } from 'ai';
import { OfflineModel } from './offline/offline-model.js';

/**
 * The model of all agents: one that answers by rules, without any key, until `OPENAI_API_KEY` is set;
 * then `OPENAI_MODEL` of the server at `OPENAI_BASE_URL`.
 */
export function sampleModel(): LanguageModel {
  const {
    OPENAI_API_KEY: apiKey,
    OPENAI_BASE_URL: baseURL = 'https://api.openai.com/v1',
    OPENAI_MODEL: model = 'gpt-4.1-mini',
  } = process.env;
  if (!apiKey) return new OfflineModel();
  const provider = createOpenAICompatible({
    name: 'openai',
    apiKey,
    baseURL,
    includeUsage: true,
  });
  return provider(model);
}

/** The name of the model; undefined for the one that answers by rules. */
export function modelName(): string | undefined {
  const model = sampleModel();
  return model instanceof OfflineModel || typeof model === 'string'
    ? undefined
    : model.modelId;
}
