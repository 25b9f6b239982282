import { HttpAgent } from '@ag-ui/client';
import { extractReasoningMiddleware, jsonSchema, wrapLanguageModel } from 'ai';
import {
  agentTool,
  AiSdkAgent,
  type AiSdkAgentOptions,
  type ReasoningHistory,
} from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it } from 'vitest';
import {
  anthropicModel,
  message,
  redactedBlock,
  textBlock,
  thinkingBlock,
  toolBlock,
} from './support/anthropic-wire.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { muteLogs } from './support/logs.js';
import { outlineOf, runAgent, toldBy } from './support/model-run.js';
import { useModelServer, type Frame } from './support/model-server.js';
import {
  call,
  callDelta,
  calls,
  delta,
  DONE,
  finish,
  openAiModel,
  say,
  texts,
  think,
} from './support/openai-wire.js';

const server = useModelServer();

function runOf(
  answer: readonly Frame[],
  agent: Partial<AiSdkAgentOptions> = {},
  input: Record<string, unknown> = {},
) {
  server.answer(answer);
  return runAgent({ agent: { model: openAiModel(server), ...agent }, input });
}

const tool = agentTool({
  inputSchema: jsonSchema<object>({ type: 'object' }),
  execute: () => 'found',
});

const REASONING_THEN_TEXT = [
  'RUN_STARTED',
  'REASONING_START',
  'REASONING_MESSAGE_START',
  'REASONING_MESSAGE_CONTENT Plan.',
  'REASONING_MESSAGE_END',
  'REASONING_END',
  'TEXT_MESSAGE_START',
  'TEXT_MESSAGE_CONTENT Answer.',
  'TEXT_MESSAGE_END',
  'RUN_FINISHED',
];

describe('reasoning in <think> tags', () => {
  const WRITTEN = '<think>Plan.</think>Answer.';

  it('should be told apart from the text', async () => {
    expect(outlineOf(await runOf(texts(WRITTEN)))).toEqual(REASONING_THEN_TEXT);
  });

  it('should be told apart at whichever character the tags are cut', async () => {
    const told = new Set<string>();
    for (let at = 1; at < WRITTEN.length; at++)
      told.add(
        JSON.stringify(
          toldBy(await runOf(texts(WRITTEN.slice(0, at), WRITTEN.slice(at)))),
        ),
      );

    expect([...told]).toEqual([
      JSON.stringify({ text: 'Answer.', reasoning: 'Plan.' }),
    ]);
  });

  it.each([
    ['unclosed', ['<think>', 'Plan.'], '', 'Plan.'],
    ['empty', ['<think></think>', '\n\n', 'Answer.'], 'Answer.', ''],
    ['blank', ['<think>\n\n</think>\n\n', 'Answer.'], 'Answer.', ''],
    ['in code', ['Write `<thi', 'nk>` so.'], 'Write `<think>` so.', ''],
    ['stray', ['Thought</thi', 'nk>Answer.'], 'ThoughtAnswer.', ''],
  ])(
    'should leave a stream that is legal when the tags are %s',
    async (_name, pieces, text, reasoning) => {
      const events = await runOf(texts(...pieces));

      expect(toldBy(events)).toEqual({ text, reasoning });
      const types = outlineOf(events).map((line) => line.split(' ')[0]);
      const count = (type: string) =>
        types.filter((found) => found === type).length;
      expect(count('REASONING_START')).toBe(reasoning === '' ? 0 : 1);
      expect(count('REASONING_END')).toBe(count('REASONING_START'));
      expect(count('TEXT_MESSAGE_START')).toBe(text === '' ? 0 : 1);
    },
  );

  it("may lack the first tag, with the AI SDK's middleware", async () => {
    const events = await runOf(texts('Plan.', '</th', 'ink>', 'Answer.'), {
      model: wrapLanguageModel({
        model: openAiModel(server) as never,
        middleware: extractReasoningMiddleware({
          tagName: 'think',
          startWithReasoning: true,
        }),
      }),
    });

    expect(outlineOf(events)).toEqual(REASONING_THEN_TEXT);
  });

  it('should be text if the agent does not want them taken out', async () => {
    const events = await runOf(texts(WRITTEN), { thinkTags: false });

    expect(toldBy(events)).toEqual({ text: WRITTEN, reasoning: '' });
  });

  it('should be told by nobody when reasoning is not enabled', async () => {
    server.answer(texts(WRITTEN));

    const events = await runAgent({
      agent: { model: openAiModel(server) },
      config: { enableReasoning: false },
    });

    expect(toldBy(events)).toEqual({ text: 'Answer.', reasoning: '' });
  });
});

describe('reasoning of its own kind', () => {
  it.each([
    ['reasoning_content', (text: string) => think(text)],
    ['reasoning', (reasoning: string) => delta({ reasoning })],
  ])('should not be text when it comes as `%s`', async (_name, part) => {
    const events = await runOf([
      part('Plan.'),
      say('Answer.'),
      finish('stop'),
      DONE,
    ]);

    expect(outlineOf(events)).toEqual(REASONING_THEN_TEXT);
  });

  it('should have messages of its own, before and after text', async () => {
    const events = await runOf([
      think('One.'),
      say('A.'),
      think('Two.'),
      say('B.'),
      finish('stop'),
      DONE,
    ]);

    const starts = events.filter(({ type }) =>
      /^(TEXT|REASONING)_MESSAGE_START$/.test(type),
    );
    expect(starts.map(({ role }) => role)).toEqual([
      'reasoning',
      'assistant',
      'reasoning',
      'assistant',
    ]);
    expect(new Set(starts.map(({ messageId }) => messageId)).size).toBe(4);
  });

  it('should stay with its turn in the next model call', async () => {
    server.answer([think('Plan.'), ...calls(call('c1', 'f'))]);
    await runOf(texts('done'), { tools: { f: tool } });

    expect(server.messages(1)[1]).toMatchObject({
      role: 'assistant',
      reasoning_content: 'Plan.',
      tool_calls: [{ id: 'c1' }],
    });
  });
});

describe('reasoning in the history', () => {
  const logs = muteLogs();
  const messages = [
    { id: 'u1', role: 'user', content: 'Hi' },
    { id: 'k1', role: 'reasoning', content: 'Plan.' },
    { id: 'a1', role: 'assistant', content: 'Answer.' },
    { id: 'k2', role: 'reasoning', content: ' ' },
    { id: 'u2', role: 'user', content: 'And?' },
  ];

  it.each<[ReasoningHistory | undefined, object]>([
    [undefined, { content: '<think>Plan.</think>Answer.' }],
    ['tags', { content: '<think>Plan.</think>Answer.' }],
    ['native', { content: 'Answer.', reasoning_content: 'Plan.' }],
    ['none', { content: 'Answer.' }],
  ])(
    'should go back to the model, unless it is blank: %s',
    async (reasoningHistory, sent) => {
      await runOf(texts('ok'), { reasoningHistory }, { messages });

      expect(server.messages()).toEqual([
        { role: 'user', content: 'Hi' },
        { role: 'assistant', ...sent },
        { role: 'user', content: 'And?' },
      ]);
      expect(logs.text()).toBe('');
    },
  );

  it('should not be taken from an artefact that was not issued here', async () => {
    const foreign = { encryptedValue: '{"openaiCompatible":"x"}' };
    await runOf(
      texts('ok'),
      {},
      { messages: [{ ...messages[1], ...foreign }, messages[4]] },
    );

    expect(server.messages()[0]).toEqual({
      role: 'assistant',
      content: '<think>Plan.</think>',
    });
  });
});

const SNAPSHOT: [string, boolean][] = [
  ['without a messages snapshot', false],
  ['with a messages snapshot', true],
];

describe.each(PLATFORMS)('encrypted reasoning on %s', (platform) => {
  afterEach(closeApps);

  async function clientOf(options: AiSdkAgentOptions): Promise<HttpAgent> {
    const app = await serve(platform, new AiSdkAgent(options), {
      enableReasoning: true,
    });
    const client = new HttpAgent({ url: `${app.url}/agui/run` });
    client.addMessage({ id: 'u1', role: 'user', content: 'Hi' });
    return client;
  }

  const color = {
    name: 'color',
    description: 'Colours the page',
    parameters: { type: 'object', properties: {} },
  };

  it.each(SNAPSHOT)(
    'should be emitted, and accepted back by the model that made it, %s',
    async (_with, emitMessagesSnapshot) => {
      server.answer(
        message(
          [
            thinkingBlock('signed-1', 'Pl', 'an.'),
            redactedBlock('sealed-1'),
            textBlock('I colour.'),
            toolBlock('t1', 'color', '{}'),
          ],
          'tool_use',
        ),
        message([textBlock('Done.')]),
      );
      const client = await clientOf({
        model: anthropicModel(server),
        emitMessagesSnapshot,
      });

      const { newMessages } = await client.runAgent({ tools: [color] });

      expect(newMessages).toMatchObject([
        {
          role: 'reasoning',
          content: 'Plan.',
          encryptedValue: expect.stringContaining('signed-1'),
        },
        {
          role: 'reasoning',
          content: '',
          encryptedValue: expect.stringContaining('sealed-1'),
        },
        { role: 'assistant', content: 'I colour.', toolCalls: [{ id: 't1' }] },
      ]);

      client.addMessage({
        id: 'x1',
        role: 'tool',
        toolCallId: 't1',
        content: 'coloured',
      });
      await client.runAgent({ tools: [color] });

      expect(server.messages(1)).toMatchObject([
        { role: 'user' },
        {
          role: 'assistant',
          content: [
            { type: 'thinking', thinking: 'Plan.', signature: 'signed-1' },
            { type: 'redacted_thinking', data: 'sealed-1' },
            { type: 'text', text: 'I colour.' },
            { type: 'tool_use', id: 't1' },
          ],
        },
        {
          role: 'user',
          content: [{ type: 'tool_result', tool_use_id: 't1' }],
        },
      ]);
    },
  );

  it.each(SNAPSHOT)(
    "should be a call's own where the provider signs calls, %s",
    async (_with, emitMessagesSnapshot) => {
      const signature = { google: { thought_signature: 'signed-2' } };
      server.answer(
        calls(
          callDelta({
            index: 0,
            id: 'c1',
            function: { name: 'color', arguments: '{}' },
            extra_content: signature,
          }),
        ),
        texts('Done.'),
      );
      const client = await clientOf({
        model: openAiModel(server, 'gemini', { name: 'google' }),
        emitMessagesSnapshot,
      });

      const { newMessages } = await client.runAgent({ tools: [color] });
      expect(newMessages).toMatchObject([
        {
          toolCalls: [
            { id: 'c1', encryptedValue: expect.stringContaining('signed-2') },
          ],
        },
      ]);
      client.addMessage({
        id: 'x1',
        role: 'tool',
        toolCallId: 'c1',
        content: 'coloured',
      });
      await client.runAgent({ tools: [color] });

      expect(server.messages(1)[1]).toMatchObject({
        tool_calls: [{ id: 'c1', extra_content: signature }],
      });
    },
  );
});
