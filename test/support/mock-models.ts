import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { LLMock } from '@copilotkit/aimock';
import type { LanguageModel } from 'ai';
import { afterAll, afterEach, beforeAll } from 'vitest';
import { aborted } from './agents.js';

/** A message as the model's provider got it. */
export interface TalkMessage {
  role: string;
  content?: string | null;
  tool_call_id?: string;
  tool_calls?: {
    id: string;
    function: { name: string; arguments: string };
  }[];
}

/** What a model was asked. */
export interface ModelRequest {
  messages: TalkMessage[];
  tools?: {
    function: { name: string; description?: string; parameters?: unknown };
  }[];
  [setting: string]: unknown;
}

/** What a model answers: text, calls, or an error of its provider. */
export type ModelTurn =
  | string
  | {
      content?: string;
      toolCalls?: { id: string; name: string; arguments: string }[];
      usage?: Record<string, number>;
    }
  | { error: { message: string }; status: number };

type Answer =
  | ModelTurn
  | Promise<ModelTurn>
  | ((request: ModelRequest) => ModelTurn | Promise<ModelTurn>);

/** A turn that calls a tool. */
export function calls(name: string, args: object = {}, id = `call-${name}`) {
  return { toolCalls: [{ id, name, arguments: JSON.stringify(args) }] };
}

/** A turn that makes the calls of several turns. */
export function together(...turns: ReturnType<typeof calls>[]) {
  return { toolCalls: turns.flatMap(({ toolCalls }) => toolCalls) };
}

/** Language models at one OpenAI-compatible server, each of which says what a test has written for it. */
export class MockModels {
  private readonly mock = new LLMock({ port: 0, logLevel: 'silent' });
  private readonly scripts = new Map<string, Answer[]>();
  private readonly asked = new Map<string, ModelRequest[]>();
  private readonly signals = new Map<string, AbortSignal>();

  /** A model that is asked for answers over HTTP. */
  model(name = 'main'): LanguageModel {
    const provider = createOpenAICompatible({
      name: 'mock',
      baseURL: `${this.mock.url}/v1`,
      apiKey: 'key',
      includeUsage: true,
      fetch: (url, init) => {
        if (init?.signal) this.signals.set(name, init.signal);
        return fetch(url, init);
      },
    });
    return provider(name);
  }

  /** What the main model answers, one turn after the other. */
  script(...answers: Answer[]): void {
    this.scriptOf('main', ...answers);
  }

  scriptOf(name: string, ...answers: Answer[]): void {
    this.scripts.set(name, [...(this.scripts.get(name) ?? []), ...answers]);
  }

  /** What a model was asked so far. */
  requests(name = 'main'): ModelRequest[] {
    return this.asked.get(name) ?? [];
  }

  /** The conversation that a model was asked about last. */
  lastTalk(name = 'main'): TalkMessage[] {
    return this.requests(name).at(-1)?.messages ?? [];
  }

  /** Resolves when nobody waits any more for what a model was asked last. */
  async left(name = 'main'): Promise<void> {
    await aborted(this.signals.get(name)!);
  }

  async start(): Promise<void> {
    this.mock.on({}, (request) =>
      this.answer(request as unknown as ModelRequest & { model: string }),
    );
    await this.mock.start();
  }

  stop(): Promise<void> {
    return this.mock.stop();
  }

  reset(): void {
    this.scripts.clear();
    this.asked.clear();
  }

  private async answer(request: ModelRequest & { model: string }) {
    const { model } = request;
    this.asked.set(model, [...this.requests(model), request]);
    const next = this.scripts.get(model)?.shift();
    if (next === undefined)
      return {
        error: { message: `Nothing is written for the model "${model}".` },
        status: 400,
      };
    const turn = await (typeof next === 'function' ? next(request) : next);
    return typeof turn === 'string'
      ? { content: turn }
      : (turn as { content: string });
  }
}

/** Mock models for a file's tests; each test begins with nothing written. */
export function useMockModels(): MockModels {
  const models = new MockModels();
  beforeAll(() => models.start());
  afterEach(() => models.reset());
  afterAll(() => models.stop());
  return models;
}
