import {
  defaultSettingsMiddleware,
  jsonSchema,
  simulateReadableStream,
  smoothStream,
  wrapLanguageModel,
  type LanguageModel,
  type Tool,
} from 'ai';
import { agentTool, type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { muteLogs } from './support/logs.js';
import { resultsOf, runAgent, toldBy } from './support/model-run.js';
import { useModelServer } from './support/model-server.js';
import { call, calls, openAiModel, texts } from './support/openai-wire.js';

const server = useModelServer();

const f = agentTool({
  inputSchema: jsonSchema<object>({ type: 'object' }),
  execute: () => 'ok',
}) as Tool;

const runOf = (agent: Partial<AiSdkAgentOptions>) =>
  runAgent({ agent: { model: openAiModel(server), ...agent } });

describe('settings', () => {
  muteLogs();

  it('should pass through to the model, at each step', async () => {
    server.answer(calls(call('c1', 'f')), texts('done'));

    await runOf({
      tools: { f },
      settings: {
        temperature: 0.5,
        maxOutputTokens: 100,
        stopSequences: ['END'],
        headers: { 'x-tenant': 'a' },
        providerOptions: { acme: { reasoning_effort: 'low' } },
      },
    });

    expect(server.requests).toHaveLength(2);
    for (const { body, headers } of server.requests) {
      expect(body).toMatchObject({
        temperature: 0.5,
        max_tokens: 100,
        stop: ['END'],
        reasoning_effort: 'low',
      });
      expect(headers['x-tenant']).toBe('a');
    }
  });

  it("should have `prepareStep`, whose words go over the agent's", async () => {
    server.answer(calls(call('c1', 'f')), texts('done'));
    const prepareStep = vi.fn<(step: { stepNumber: number }) => object>(
      ({ stepNumber }) =>
        stepNumber === 0
          ? { toolChoice: 'required' }
          : {
              model: openAiModel(server, 'other-model'),
              activeTools: [],
              system: 'Sum up.',
            },
    );

    await runOf({
      system: 'Be brief.',
      tools: { f },
      settings: { prepareStep },
    });

    expect(prepareStep).toHaveBeenCalledTimes(2);
    expect(server.body(0)).toMatchObject({
      model: 'asked-model',
      tool_choice: 'required',
      messages: [{ role: 'system', content: 'Be brief.' }, {}],
    });
    expect(server.body(1)).toMatchObject({
      model: 'other-model',
      messages: [{ role: 'system', content: 'Sum up.' }, {}, {}, {}],
    });
    expect(server.body(1).tools ?? []).toEqual([]);
  });

  it('should have the callbacks of the AI SDK', async () => {
    server.answer(texts('done'), { status: 400, body: { error: {} } });
    const settings = {
      onFinish: vi.fn<(event: { text: string }) => void>(),
      onError: vi.fn<(event: { error: unknown }) => void>(),
    };

    await runOf({ settings });
    expect(settings.onFinish.mock.calls[0]![0].text).toBe('done');
    expect(settings.onError).not.toHaveBeenCalled();
    await runOf({ settings });
    expect(settings.onError).toHaveBeenCalledOnce();
  });

  it('should have the repair of calls and the transforms of the AI SDK', async () => {
    server.answer(calls(call('c1', 'F', { a: 1 })), texts('one two'));

    const events = await runOf({
      tools: { f },
      settings: {
        experimental_repairToolCall: ({ toolCall }) =>
          Promise.resolve({ ...toolCall, toolName: 'f' }),
        experimental_transform: smoothStream({ delayInMs: null }),
      },
    });

    expect(resultsOf(events)).toEqual({ c1: 'ok' });
    expect(
      events
        .filter(({ type }) => type === 'TEXT_MESSAGE_CONTENT')
        .map(({ delta }) => delta),
    ).toEqual(['one ', 'two']);
  });
});

describe('models', () => {
  afterEach(() => {
    vi.unstubAllGlobals();
  });

  it('may be wrapped in middleware', async () => {
    server.answer(texts('done'));
    const model = wrapLanguageModel({
      model: openAiModel(server) as never,
      middleware: defaultSettingsMiddleware({ settings: { temperature: 0.1 } }),
    });

    const events = await runOf({ model });

    expect(toldBy(events).text).toBe('done');
    expect(server.body().temperature).toBe(0.1);
  });

  it("may be the application's own", async () => {
    const model = {
      specificationVersion: 'v3',
      provider: 'own',
      modelId: 'rules',
      supportedUrls: {},
      doStream: () =>
        Promise.resolve({
          stream: simulateReadableStream({
            chunks: [
              { type: 'stream-start', warnings: [] },
              { type: 'text-start', id: '1' },
              { type: 'text-delta', id: '1', delta: 'By the rules.' },
              { type: 'text-end', id: '1' },
              {
                type: 'finish',
                finishReason: { unified: 'stop', raw: undefined },
                usage: { inputTokens: {}, outputTokens: {} },
              },
            ],
          }),
        }),
    } as unknown as LanguageModel;

    expect(toldBy(await runOf({ model })).text).toBe('By the rules.');
  });

  it.each([
    ['no ids', ''],
    ['the same id again', 'call_0'],
  ])(
    'may be of the form that AI SDK 5 knew, and give calls %s',
    async (_what, id) => {
      vi.stubGlobal('AI_SDK_LOG_WARNINGS', false);
      const usage = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
      const calling = (n: number): object[] => [
        {
          type: 'tool-call',
          toolCallId: id,
          toolName: 'f',
          input: JSON.stringify({ n }),
        },
        { type: 'finish', finishReason: 'tool-calls', usage },
      ];
      const answers = [
        calling(1),
        calling(2),
        [
          { type: 'text-start', id: '1' },
          { type: 'text-delta', id: '1', delta: 'done' },
          { type: 'text-end', id: '1' },
          { type: 'finish', finishReason: 'stop', usage },
        ],
      ];
      const model = {
        specificationVersion: 'v2',
        provider: 'own',
        modelId: 'rules',
        supportedUrls: {},
        doStream: () =>
          Promise.resolve({
            stream: simulateReadableStream({ chunks: answers.shift()! }),
          }),
      } as unknown as LanguageModel;
      const f = agentTool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: (input) => JSON.stringify(input),
      });

      const events = await runOf({ model, tools: { f } });

      expect(Object.values(resultsOf(events))).toEqual(['{"n":1}', '{"n":2}']);
      expect(toldBy(events).text).toBe('done');
    },
  );

  it('may be asked by runs at one time, which do not mix', async () => {
    const agent = {
      model: openAiModel(server),
      tools: {
        f: agentTool({
          inputSchema: jsonSchema<object>({ type: 'object' }),
          execute: (_input, { context }) => `for ${context.sessionId}`,
        }) as Tool,
      },
    };
    const threads = ['t1', 't2', 't3', 't4'];
    for (const _step of [...threads, ...threads])
      server.answer(({ body: { messages } }) =>
        messages.length === 1
          ? calls(call('c1', 'f'))
          : texts(String(messages.at(-1)!.content)),
      );

    const runs = await Promise.all(
      threads.map((threadId) => runAgent({ agent, input: { threadId } })),
    );

    expect(runs.map((events) => toldBy(events).text)).toEqual(
      threads.map((threadId) => `for ${threadId}`),
    );
  });
});
