import { inspect } from 'node:util';
import { HttpAgent, type AgentSubscriber } from '@ag-ui/client';
import { LLMock } from '@copilotkit/aimock';
import { jsonSchema } from 'ai';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  it,
  vi,
} from 'vitest';
import { anthropicModel } from './support/anthropic-wire.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import { openAiModel } from './support/openai-wire.js';

const mock = new LLMock({ port: 0, logLevel: 'silent', chunkSize: 3 });

beforeAll(() => mock.start());
afterAll(() => mock.stop());

const weather = agentTool({
  description: 'Tells the weather',
  inputSchema: jsonSchema<{ city: string }>({
    type: 'object',
    properties: { city: { type: 'string' } },
    required: ['city'],
  }),
  execute: ({ city }) => ({ city, celsius: 20 }),
});

const PROVIDERS = [
  ['an OpenAI-compatible model', openAiModel],
  ['a model of Anthropic', anthropicModel],
] as const;

const CASES = PLATFORMS.flatMap((platform) =>
  PROVIDERS.map(([name, model]) => ({ platform, name, model })),
);

/** The demos of the ecosystem, on real wires from the model to the client. */
describe.each(CASES)('$name on $platform', ({ platform, model }) => {
  const complaints: unknown[][] = [];
  let app: TestApp;

  beforeAll(async () => {
    const agent = new AiSdkAgent({
      model: model({ url: `${mock.url}/v1` }),
      tools: { weather },
      settings: { maxRetries: 1 },
    });
    app = await serve(platform, agent, {
      enableReasoning: true,
      emitTokenUsage: true,
    });
  });
  afterAll(closeApps);

  beforeEach(() => {
    complaints.length = 0;
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
        complaints.push(words);
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    mock.clearFixtures();
    if (complaints.length > 0)
      throw new Error(`The client complained: ${inspect(complaints)}`);
  });

  function ask(text: string): HttpAgent {
    const client = new HttpAgent({ url: `${app.url}/agui/run` });
    client.addMessage({ id: 'u1', role: 'user', content: text });
    return client;
  }

  it('should chat, and remember what was said', async () => {
    mock.addFixture({
      match: { userMessage: 'hello', turnIndex: 0 },
      response: { content: 'Hello! How can I help?' },
    });
    mock.addFixture({
      match: { userMessage: 'my name', turnIndex: 1 },
      response: { content: 'You did not say.' },
    });
    const client = ask('hello');
    const deltas: string[] = [];
    const subscriber: AgentSubscriber = {
      onTextMessageContentEvent: ({ event }) => void deltas.push(event.delta),
    };

    await client.runAgent({}, subscriber);
    client.addMessage({ id: 'u2', role: 'user', content: 'my name?' });
    await client.runAgent();

    expect(deltas.length).toBeGreaterThan(3);
    expect(client.messages.map(({ content }) => content)).toEqual([
      'hello',
      'Hello! How can I help?',
      'my name?',
      'You did not say.',
    ]);
  });

  it('should reason before the text', async () => {
    mock.addFixture({
      match: { userMessage: 'think' },
      response: { content: 'It is 4.', reasoning: 'Two and two.' },
    });

    const { newMessages } = await ask('think').runAgent();

    expect(newMessages).toMatchObject([
      { role: 'reasoning', content: 'Two and two.' },
      { role: 'assistant', content: 'It is 4.' },
    ]);
  });

  it('should use a backend tool, and answer', async () => {
    mock.addFixture({
      match: { userMessage: 'weather', hasToolResult: false },
      response: {
        content: 'I look.',
        toolCalls: [
          { id: 'call_1', name: 'weather', arguments: '{"city":"Paris"}' },
          { id: 'call_2', name: 'weather', arguments: '{"city":"Rome"}' },
        ],
      },
    });
    mock.addFixture({
      match: { userMessage: 'weather', hasToolResult: true },
      response: { content: 'Both 20 degrees.' },
    });

    const { newMessages } = await ask('weather').runAgent();

    expect(newMessages).toMatchObject([
      {
        role: 'assistant',
        content: 'I look.',
        toolCalls: [
          { id: 'call_1', function: { arguments: '{"city":"Paris"}' } },
          { id: 'call_2', function: { arguments: '{"city":"Rome"}' } },
        ],
      },
      {
        role: 'tool',
        toolCallId: 'call_1',
        content: '{"city":"Paris","celsius":20}',
      },
      {
        role: 'tool',
        toolCallId: 'call_2',
        content: '{"city":"Rome","celsius":20}',
      },
      { role: 'assistant', content: 'Both 20 degrees.' },
    ]);
  });

  it('should leave a frontend tool to the client, and go on with its answer', async () => {
    mock.addFixture({
      match: { userMessage: 'background', hasToolResult: false },
      response: {
        toolCalls: [
          { id: 'call_1', name: 'paint', arguments: '{"color":"blue"}' },
        ],
      },
    });
    mock.addFixture({
      match: { toolCallId: 'call_1' },
      response: { content: 'It is blue.' },
    });
    const tools = [
      {
        name: 'paint',
        description: 'Paints the page',
        parameters: {
          type: 'object',
          properties: { color: { type: 'string' } },
        },
      },
    ];
    const client = ask('background');
    const args: Record<string, unknown>[] = [];

    await client.runAgent(
      { tools },
      {
        onToolCallArgsEvent: ({ partialToolCallArgs }) =>
          void args.push(partialToolCallArgs),
      },
    );
    client.addMessage({
      id: 'x1',
      role: 'tool',
      toolCallId: 'call_1',
      content: 'done',
    });
    const { newMessages } = await client.runAgent({ tools });

    // The client renders the arguments while they come.
    expect(args.length).toBeGreaterThan(1);
    expect(newMessages).toMatchObject([{ content: 'It is blue.' }]);
  });

  it('should tell of a failure, and serve the next run', async () => {
    mock.addFixture({
      match: { userMessage: 'fail' },
      response: { error: { message: 'secret' }, status: 400 },
    });
    const onRunErrorEvent = vi.fn<(params: { event: object }) => void>();

    await ask('fail').runAgent({}, { onRunErrorEvent });

    expect(onRunErrorEvent.mock.calls[0]![0].event).toMatchObject({
      type: 'RUN_ERROR',
      code: 'INTERNAL_ERROR',
    });
    mock.addFixture({
      match: { userMessage: 'again' },
      response: { content: 'Here I am.' },
    });
    const { newMessages } = await ask('again').runAgent();
    expect(newMessages).toMatchObject([{ content: 'Here I am.' }]);
  });
});
