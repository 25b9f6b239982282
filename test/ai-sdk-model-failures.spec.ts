import { setTimeout as sleep } from 'node:timers/promises';
import { HttpAgent } from '@ag-ui/client';
import { jsonSchema, type Tool } from 'ai';
import { RuntimeContext, type AguiEvent } from 'nestjs-agui';
import {
  agentTool,
  AiSdkAgent,
  ToolSuspend,
  type AiSdkAgentOptions,
  type ToolCallContext,
} from 'nestjs-agui/ai-sdk';
import {
  afterAll,
  afterEach,
  beforeAll,
  describe,
  expect,
  it,
  vi,
} from 'vitest';
import { aborted, deferred } from './support/agents.js';
import {
  anthropicModel,
  message,
  textBlock,
} from './support/anthropic-wire.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { openStream, typesOf } from './support/client.js';
import { muteLogs } from './support/logs.js';
import {
  lastOf,
  runAgent,
  toldBy,
  type ModelRun,
} from './support/model-run.js';
import {
  CUT,
  HANG,
  useModelServer,
  type ModelAnswer,
} from './support/model-server.js';
import {
  call,
  calls,
  DONE,
  finish,
  openAiModel,
  say,
  texts,
} from './support/openai-wire.js';

const server = useModelServer();
const unhandled: unknown[] = [];
const noteUnhandled = (reason: unknown) => void unhandled.push(reason);

beforeAll(() => void process.on('unhandledRejection', noteUnhandled));
afterEach(async () => {
  await sleep(0);
  const [reason] = unhandled.splice(0);
  if (reason !== undefined) throw reason;
});
afterAll(() => void process.off('unhandledRejection', noteUnhandled));

function runOf(
  answers: ModelAnswer[],
  agent: Partial<AiSdkAgentOptions> = {},
  more: Partial<ModelRun> = {},
) {
  server.answer(...answers);
  return runAgent({ agent: { model: openAiModel(server), ...agent }, ...more });
}

const toolThat = (
  execute: (input: object, call: ToolCallContext) => unknown,
): Tool =>
  agentTool({
    inputSchema: jsonSchema<object>({ type: 'object' }),
    execute,
  }) as Tool;

const failed = {
  status: 400,
  body: { error: { message: 'key sk-123 is bad' } },
};
const MASKED = {
  type: 'RUN_ERROR',
  message: 'The agent failed. The server log says why.',
  code: 'INTERNAL_ERROR',
};

describe('a model that fails', () => {
  const logs = muteLogs();

  it.each<[string, ModelAnswer, string]>([
    ['before it answers', failed, 'sk-123'],
    [
      'in the middle, by an error object in its stream',
      [say('Well'), { error: { message: 'key sk-123 is bad' } }, DONE],
      'sk-123',
    ],
    ['in the middle, by a stream that breaks', [say('Well'), CUT], 'Failed'],
    ['in the middle, by a stream that just ends', [say('Well')], 'finish'],
    ['by sending what is no JSON', [say('Well'), '{"cut', DONE], 'JSON'],
  ])('should end the run with an error: %s', async (_name, answer, logged) => {
    const events = await runOf([answer]);

    expect(lastOf(events)).toMatchObject(MASKED);
    expect(typesOf(events).filter((type) => /^RUN_[EF]/.test(type))).toEqual([
      'RUN_ERROR',
    ]);
    expect(toldBy(events).text).toBe(answer === failed ? '' : 'Well');
    expect(JSON.stringify(events)).not.toContain('sk-123');
    expect(logs.text()).toContain(logged);
  });

  it('should end the run in another wire format as well', async () => {
    server.answer(
      message([textBlock('Well')]).slice(0, 3),
      message([textBlock('Well')], 'refusal'),
      [
        ...message([textBlock('Well')]).slice(0, 3),
        { type: 'error', error: { type: 'overloaded_error', message: 'busy' } },
      ],
    );
    const run = () => runAgent({ agent: { model: anthropicModel(server) } });

    expect(lastOf(await run())).toMatchObject({ code: 'INCOMPLETE_ANSWER' });
    expect(lastOf(await run())).toMatchObject({ code: 'CONTENT_FILTER' });
    expect(lastOf(await run())).toMatchObject(MASKED);
    expect(logs.text()).toContain('busy');
  });

  it('should tell a developer why, where errors are exposed', async () => {
    const answers: ModelAnswer[] = [
      failed,
      [say('Well'), { error: { message: 'key sk-123 is bad' } }, DONE],
    ];
    for (const answer of answers) {
      const events = await runOf(
        [answer],
        {},
        {
          config: { exposeErrors: true },
        },
      );
      expect(lastOf(events).message).toContain('key sk-123 is bad');
    }
  });

  it('should be told of an error without waiting for the rest of the stream', async () => {
    const events = await runOf([
      [say('Well'), { error: { message: 'bad' } }, HANG],
    ]);

    expect(lastOf(events)).toMatchObject(MASKED);
    await server.requests[0]!.left;
  });

  it('should be asked again when it is too busy, after the time it names', async () => {
    const started = performance.now();
    const events = await runOf([
      {
        status: 429,
        headers: { 'retry-after-ms': '60' },
        body: { error: { message: 'slow down' } },
      },
      texts('done'),
    ]);

    expect(toldBy(events).text).toBe('done');
    expect(performance.now() - started).toBeGreaterThan(50);
    expect(server.requests).toHaveLength(2);
    expect(logs.text()).toBe('');
  });

  it('should not be asked more often than the settings say', async () => {
    const busy = { status: 429, body: { error: { message: 'slow down' } } };

    const events = await runOf([busy, texts('done')], {
      settings: { maxRetries: 0 },
    });

    expect(lastOf(events)).toMatchObject(MASKED);
    expect(server.requests).toHaveLength(1);
  });

  it('should withhold an answer as an error, with a code', async () => {
    const events = await runOf([[say('Well'), finish('content_filter'), DONE]]);

    expect(lastOf(events)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'CONTENT_FILTER',
    });
  });

  it('should be heard when its answer is as long as it may be', async () => {
    const events = await runOf([[say('A long'), finish('length'), DONE]]);

    expect(toldBy(events).text).toBe('A long');
    expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('should be given the time that the settings say', async () => {
    const events = await runOf([[say('Well'), HANG]], {
      settings: { timeout: 50 },
    });

    expect(lastOf(events)).toMatchObject({ code: 'TIMEOUT_ERROR' });
    await server.requests[0]!.left;
  });

  /** An enricher that fails at one type of events. */
  const failingAt = (type: string) => ({
    enrichers: [
      {
        enrich: (_source: unknown, made: AguiEvent[]) => {
          if (made.some((event) => event.type === type))
            throw new Error('cannot');
          return made;
        },
      },
    ],
  });

  it('should stop when what it says cannot be told', async () => {
    const events = await runOf(
      [[say('Well'), HANG]],
      {},
      {
        config: failingAt('TEXT_MESSAGE_CONTENT'),
      },
    );

    expect(lastOf(events)).toMatchObject(MASKED);
    await server.requests[0]!.left;
  });

  it('should have its tools stopped when the run fails', async () => {
    const stopped = deferred();
    const f = toolThat(async (_input, { signal }) => {
      await aborted(signal);
      stopped.resolve();
    });
    const events = await runOf(
      [calls(call('1', 'f'), call('2', 'g', {}, 1)), texts('unheard')],
      { tools: { f, g: toolThat(() => 'ok') } },
      { config: failingAt('TOOL_CALL_RESULT') },
    );

    expect(lastOf(events)).toMatchObject(MASKED);
    await stopped.promise;
    expect(server.requests).toHaveLength(1);
  });
});

describe('steps', () => {
  const logs = muteLogs();
  const f = toolThat(() => 'ok');
  const again = (id: string) => calls(call(id, 'f'));

  it('should be no more than there may be: then comes an answer without tools', async () => {
    const events = await runOf([again('1'), again('2'), texts('Enough.')], {
      tools: { f },
      maxSteps: 2,
    });

    expect(server.requests).toHaveLength(3);
    expect(server.requests.map(({ body }) => body.tool_choice)).toEqual([
      'auto',
      'auto',
      'none',
    ]);
    expect(server.messages(2)).toHaveLength(5);
    expect(toldBy(events).text).toBe('Enough.');
    expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
    const raw = events.filter(({ type }) => type === 'RAW');
    expect(raw).toMatchObject([
      { event: { type: 'EXCEED_MAX_ITERS', steps: 2 } },
    ]);
  });

  it('should end the run with an error when the model will not answer', async () => {
    const execute = vi.fn<() => string>(() => 'ok');
    const events = await runOf([again('1'), again('2')], {
      tools: { f: toolThat(execute) },
      maxSteps: 1,
    });

    expect(execute).toHaveBeenCalledTimes(1);
    expect(lastOf(events)).toMatchObject({
      type: 'RUN_ERROR',
      code: 'MAX_ITERATIONS',
    });
    expect(logs.text()).toContain('used up its steps');
  });

  it('should be counted whatever the finish reason', async () => {
    const stop = [call('1', 'f'), finish('stop'), DONE];
    const events = await runOf([stop, texts('Enough.')], {
      tools: { f },
      maxSteps: 1,
    });

    expect(server.body(1).tool_choice).toBe('none');
    expect(toldBy(events).text).toBe('Enough.');
  });

  it('should not go on behind a suspended call, however slow the client is', async () => {
    const suspended = deferred();
    const events = await runOf(
      [calls(call('1', 'f'), call('2', 'g', {}, 1)), texts('unheard')],
      {
        tools: {
          f,
          g: toolThat(async () => {
            await suspended.promise;
            throw new ToolSuspend('elsewhere');
          }),
        },
      },
      {
        onEvent: async ({ type }) => {
          if (type !== 'TOOL_CALL_RESULT') return;
          suspended.resolve();
          await sleep(50);
        },
      },
    );

    expect(server.requests).toHaveLength(1);
    expect(lastOf(events)).toMatchObject({
      outcome: { type: 'interrupt', interrupts: [{ toolCallId: '2' }] },
    });
  });

  it('should be up to twenty by default', async () => {
    const steps = Array.from({ length: 20 }, (_, index) => again(`${index}`));
    const events = await runOf([...steps, texts('Enough.')], { tools: { f } });

    expect(server.requests).toHaveLength(21);
    expect(toldBy(events).text).toBe('Enough.');
  });
});

describe('stopping a run', () => {
  const logs = muteLogs();

  it.each<[string, ModelAnswer]>([
    ['in the middle of its answer', [say('Well'), HANG]],
    ['before its first word', [HANG]],
  ])('should stop the model within 100 ms: %s', async (_name, answer) => {
    server.answer(answer);
    const abort = new AbortController();
    const running = runAgent({
      agent: { model: openAiModel(server) },
      context: new RuntimeContext({ signal: abort.signal }),
    });
    await vi.waitUntil(() => server.requests.length === 1);
    await sleep(10);

    const started = performance.now();
    abort.abort();
    await server.requests[0]!.left;

    expect(performance.now() - started).toBeLessThan(100);
    expect(lastOf(await running)).toMatchObject({
      type: 'RUN_FINISHED',
      outcome: { type: 'cancelled' },
    });
    expect(logs.text()).toBe('');
  });

  it('should tell the tools, and ask the model nothing more', async () => {
    const running = deferred();
    const stopped = deferred();
    const f = toolThat(async (_input, { signal }) => {
      running.resolve();
      await aborted(signal);
      stopped.resolve();
      return 'late';
    });
    server.answer(calls(call('c1', 'f')), texts('unheard'));
    const abort = new AbortController();
    const run = runAgent({
      agent: { model: openAiModel(server), tools: { f } },
      context: new RuntimeContext({ signal: abort.signal }),
    });

    await running.promise;
    abort.abort();
    await stopped.promise;

    expect(lastOf(await run)).toMatchObject({ outcome: { type: 'cancelled' } });
    await sleep(30);
    expect(server.requests).toHaveLength(1);
  });

  it('should not wait for a tool that does not listen', async () => {
    const running = deferred();
    const f = toolThat(() => {
      running.resolve();
      return new Promise(() => undefined);
    });
    server.answer(calls(call('c1', 'f')));
    const abort = new AbortController();
    const run = runAgent({
      agent: { model: openAiModel(server), tools: { f } },
      context: new RuntimeContext({ signal: abort.signal }),
    });

    await running.promise;
    abort.abort();

    expect(lastOf(await run)).toMatchObject({ outcome: { type: 'cancelled' } });
  });

  it('should begin with its consumer leaving', async () => {
    server.answer([say('Well'), HANG]);
    const agent = new AiSdkAgent({ model: openAiModel(server) });
    const user = { id: 'u', role: 'user' as const };
    const messages = [
      { ...user, content: [{ type: 'text' as const, text: 'Hi' }] },
    ];

    for await (const event of agent.streamEvents(
      messages,
      new RuntimeContext(),
    ))
      if (event.type === 'TEXT_BLOCK_DELTA') break;
    await server.requests[0]!.left;

    expect(server.requests).toHaveLength(1);
  });

  it('should not begin a run whose signal has fired', async () => {
    const events = await runOf(
      [],
      {},
      {
        context: new RuntimeContext({ signal: AbortSignal.abort() }),
      },
    );

    expect(lastOf(events)).toMatchObject({ outcome: { type: 'cancelled' } });
    expect(server.requests).toEqual([]);
  });
});

describe.each(PLATFORMS)('a client on %s', (platform) => {
  afterEach(closeApps);
  const appWith = () =>
    serve(platform, new AiSdkAgent({ model: openAiModel(server) }));

  it('should stop the model by leaving', async () => {
    server.answer([say('Well'), HANG]);
    const stream = await openStream(await appWith());
    await stream.untilType('TEXT_MESSAGE_CONTENT');

    const started = performance.now();
    stream.leave();
    await server.requests[0]!.left;

    expect(performance.now() - started).toBeLessThan(100);
  });

  it('should learn of a failure, and be served the next time', async () => {
    const app = await appWith();
    server.answer([say('Well'), CUT], texts('Better.'));
    const client = new HttpAgent({ url: `${app.url}/agui/run` });
    client.addMessage({ id: 'u1', role: 'user', content: 'Hi' });
    const onRunErrorEvent = vi.fn<(params: { event: object }) => void>();

    await client.runAgent({}, { onRunErrorEvent });
    expect(onRunErrorEvent.mock.calls[0]![0].event).toMatchObject(MASKED);
    const { newMessages } = await client.runAgent();

    expect(newMessages).toMatchObject([{ content: 'Better.' }]);
    expect(server.messages(1)).toMatchObject([
      { role: 'user' },
      { role: 'assistant', content: 'Well' },
    ]);
  });
});
