import { setTimeout as sleep } from 'node:timers/promises';
import { ForbiddenException } from '@nestjs/common';
import { type Tool } from 'ai';
import { AguiError, type AguiAdapterConfig } from 'nestjs-agui';
import { agentTool } from 'nestjs-agui/ai-sdk';
import { describe, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { deferred } from './support/agents.js';
import { typesOf, type Received } from './support/client.js';
import { muteLogs } from './support/logs.js';
import {
  lastOf,
  outlineOf,
  resultsOf,
  runAgent,
  toldBy,
} from './support/model-run.js';
import { useModelServer, type Frame } from './support/model-server.js';
import {
  call,
  calls,
  DONE,
  finish,
  openAiModel,
  texts,
} from './support/openai-wire.js';
import { type Execute, toolThat } from './support/model-tools.js';

const server = useModelServer();

/** A run in which the model first answers like this, and then that it is done. */
function runOf(
  tools: Record<string, Tool>,
  answer: readonly Frame[],
  input: Record<string, unknown> = {},
  config: AguiAdapterConfig = {},
): Promise<Received[]> {
  server.answer(answer, texts('done'));
  const agent = { model: openAiModel(server), tools };
  return runAgent({ agent, input, config });
}

/** What the model reads of the results, in the order in which it does. */
const modelReads = () =>
  server
    .messages(1)
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => content);

describe('backend tools', () => {
  const logs = muteLogs();

  it('should be offered with what they are and take', async () => {
    await runOf({ f: toolThat(() => 1) }, texts('no need'));

    expect(server.body().tools).toEqual([
      {
        type: 'function',
        function: {
          name: 'f',
          description: 'Does it',
          parameters: {
            type: 'object',
            properties: { city: { type: 'string' } },
          },
        },
      },
    ]);
  });

  it("should get their arguments and the run's context", async () => {
    const execute = vi.fn<Execute>(() => 'ok');
    await runOf(
      { f: toolThat(execute) },
      calls(call('c1', 'f', { city: 'Rom' })),
    );

    const [input, given] = execute.mock.calls[0]!;
    expect(input).toEqual({ city: 'Rom' });
    expect(given.toolCallId).toBe('c1');
    expect(given.context.sessionId).toBe('t1');
    expect(given.signal).toBeInstanceOf(AbortSignal);
    expect(given.signal.aborted).toBe(false);
  });

  it('should run in parallel, each result leaving as it is there', async () => {
    const gates = { a: deferred(), b: deferred(), c: deferred() };
    const running: string[] = [];
    const wait = (name: keyof typeof gates) =>
      toolThat(async () => {
        running.push(name);
        await gates[name].promise;
        return name;
      });
    server.answer(
      calls(
        call('1', 'a', {}, 0),
        call('2', 'b', {}, 1),
        call('3', 'c', {}, 2),
      ),
      texts('done'),
    );
    const order = ['c', 'a', 'b'] as const;
    let next = 0;

    const events = await runAgent({
      agent: {
        model: openAiModel(server),
        tools: { a: wait('a'), b: wait('b'), c: wait('c') },
      },
      onEvent: ({ type }) => {
        if (type === 'TOOL_CALL_RESULT')
          return gates[order[++next]!]?.resolve();
        if (running.length === 3 || type !== 'TOOL_CALL_END') return;
        // All three are running before one of them is let go.
        void vi
          .waitUntil(() => running.length === 3)
          .then(() => gates[order[0]].resolve());
      },
    });

    const types = typesOf(events);
    expect(types.lastIndexOf('TOOL_CALL_END')).toBeLessThan(
      types.indexOf('TOOL_CALL_RESULT'),
    );
    const results = events.filter(({ type }) => type === 'TOOL_CALL_RESULT');
    expect(results.map(({ content }) => content)).toEqual(['c', 'a', 'b']);
    expect(new Set(results.map(({ messageId }) => messageId)).size).toBe(3);
    expect(modelReads()).toEqual(['a', 'b', 'c']);
  });

  it('should speak before their result, in the order of what they say', async () => {
    const progress = toolThat(async (_input, { emit }) => {
      for (const value of [1, 2]) emit({ type: 'CUSTOM', name: 'p', value });
      await sleep(5);
      emit({ type: 'STATE_UPDATE', state: { step: 3 } });
      emit({
        type: 'AGUI_EVENT',
        event: {
          type: 'ACTIVITY_SNAPSHOT',
          messageId: 'act',
          activityType: 'p',
          content: { step: 4 },
        } as never,
      });
      return 'result';
    });

    const events = await runOf({ f: progress }, calls(call('c1', 'f')));

    expect(outlineOf(events).slice(1, 9)).toEqual([
      'TOOL_CALL_START f',
      'TOOL_CALL_ARGS {}',
      'TOOL_CALL_END',
      'CUSTOM',
      'CUSTOM',
      'STATE_SNAPSHOT',
      'ACTIVITY_SNAPSHOT',
      'TOOL_CALL_RESULT result',
    ]);
    expect(events[4]).toMatchObject({ name: 'p', value: 1 });
  });

  it('should speak while they run, not when they are done', async () => {
    const heard = deferred();
    const tool = toolThat(async (_input, { emit }) => {
      emit({ type: 'CUSTOM', name: 'started' });
      await heard.promise;
      return 'heard';
    });
    server.answer(calls(call('c1', 'f')), texts('done'));

    const events = await runAgent({
      agent: { model: openAiModel(server), tools: { f: tool } },
      onEvent: ({ type }) => type === 'CUSTOM' && heard.resolve(),
    });

    expect(resultsOf(events)).toEqual({ c1: 'heard' });
  });

  it('may tell how far they are as a generator, whose last word is the result', async () => {
    const tool = toolThat(async function* () {
      await Promise.resolve();
      yield 'half';
      yield 'whole';
    });

    const events = await runOf({ f: tool }, calls(call('c1', 'f')));

    expect(resultsOf(events)).toEqual({ c1: 'whole' });
    expect(modelReads()).toEqual(['whole']);
  });

  const circle: { self?: unknown } = {};
  circle.self = circle;

  it.each<[string, unknown, string, string]>([
    ['text', 'sunny', 'sunny', 'sunny'],
    ['empty text', '', '', ''],
    ['an object', { c: 20 }, '{"c":20}', '{"c":20}'],
    ['a list', [1, null], '[1,null]', '[1,null]'],
    ['false', false, 'false', 'false'],
    ['nothing', undefined, '', 'null'],
    ['null', null, '', 'null'],
    ['a big number', { n: 1n }, '{"n":"1"}', '{"n":"1"}'],
    ['a circle', circle, '{"self":"[Circular]"}', '{"self":"[Circular]"}'],
  ])('may result in %s', async (_name, output, told, read) => {
    const events = await runOf(
      { f: toolThat(() => output) },
      calls(call('c1', 'f')),
    );

    expect(resultsOf(events)).toEqual({ c1: told });
    expect(modelReads()).toEqual([read]);
    expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('may result in very much', async () => {
    const much = 'x'.repeat(5 * 1024 * 1024);
    const events = await runOf(
      { f: toolThat(() => ({ much })) },
      calls(call('c1', 'f')),
    );

    expect(resultsOf(events)['c1']).toHaveLength(much.length + 11);
    expect(modelReads()).toEqual([JSON.stringify({ much })]);
  });

  it.each<[string, unknown, string]>([
    ['an error', new Error('db 10.0.0.5 is down'), 'db 10.0.0.5 is down'],
    ['text', 'db 10.0.0.5 is down', 'db 10.0.0.5 is down'],
    ['nothing', undefined, 'undefined'],
    ['an object', { code: 7 }, 'code: 7'],
    ['what cannot be written', { circle, n: 1n }, '[Circular'],
  ])(
    'should fail alone when they throw %s: the model reads why',
    async (_name, thrown, read) => {
      const failing = toolThat(() => {
        throw thrown;
      });
      const events = await runOf(
        { f: failing, g: toolThat(() => 'fine') },
        calls(call('c1', 'f', {}, 0), call('c2', 'g', {}, 1)),
      );

      expect(resultsOf(events)).toEqual({
        c1: 'The tool "f" failed.',
        c2: 'fine',
      });
      expect(
        events.find(
          ({ toolCallId, type }) =>
            type === 'TOOL_CALL_RESULT' && toolCallId === 'c1',
        ),
      ).toMatchObject({ metadata: { 'agui.toolResultState': 'error' } });
      expect(modelReads()).toEqual([expect.stringContaining(read), 'fine']);
      expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
      expect(logs.text()).toContain(read);
    },
  );

  it.each([
    ['an AguiError', new AguiError('No such city.')],
    ['an HttpException', new ForbiddenException('No such city.')],
  ])('may tell the client why they failed by %s', async (_name, error) => {
    const failing = toolThat(() => Promise.reject(error));
    const events = await runOf({ f: failing }, calls(call('c1', 'f')));

    expect(resultsOf(events)).toEqual({ c1: 'No such city.' });
  });

  it('should say what they want to be said to the model, and the client the result', async () => {
    const chart = {
      ...toolThat(() => ({ points: 3 })),
      toModelOutput: () => ({ type: 'text' as const, value: 'shown' }),
    } as Tool;
    const events = await runOf({ f: chart }, calls(call('c1', 'f')));

    expect(resultsOf(events)).toEqual({ c1: '{"points":3}' });
    expect(modelReads()).toEqual(['shown']);
  });
});

describe('arguments that are wrong', () => {
  muteLogs();
  const strict = (execute: Execute): Tool =>
    agentTool({
      inputSchema: z.object({ city: z.string(), days: z.number().default(1) }),
      execute,
    }) as Tool;

  it.each([
    ['do not parse', '{"city":'],
    ['are cut', '{"city":"Pa'],
    ['are no object', '["Paris"]'],
    ['violate the schema', '{"city":7}'],
    ['are missing', ''],
  ])(
    'should not be executed but answered when they %s',
    async (_name, args) => {
      const execute = vi.fn<Execute>();
      const events = await runOf(
        { f: strict(execute) },
        calls(call('c1', 'f', args)),
      );

      expect(execute).not.toHaveBeenCalled();
      expect(resultsOf(events)['c1']).toContain('Invalid input for tool f');
      expect(modelReads()).toEqual([
        expect.stringContaining('Invalid input for tool f'),
      ]);
      expect(toldBy(events).text).toBe('done');
      expect(typesOf(events).filter((t) => t === 'TOOL_CALL_END')).toHaveLength(
        1,
      );
    },
  );

  it('should not disturb the calls beside them', async () => {
    const execute = vi.fn<Execute>(({ city }) => city);
    const events = await runOf(
      { f: strict(execute) },
      calls(call('c1', 'f', '{'), call('c2', 'f', { city: 'Rom' }, 1)),
    );

    expect(execute).toHaveBeenCalledTimes(1);
    expect(execute.mock.calls[0]![0]).toEqual({ city: 'Rom', days: 1 });
    expect(resultsOf(events)['c2']).toBe('Rom');
  });

  it('should be answered when the tool does not exist', async () => {
    const events = await runOf(
      { f: strict(() => 1) },
      calls(call('c1', 'unknown', {})),
    );

    expect(resultsOf(events)['c1']).toContain("unavailable tool 'unknown'");
    expect(lastOf(events)).toMatchObject({ type: 'RUN_FINISHED' });
  });

  it('should be answered when the answer broke off behind them', async () => {
    const execute = vi.fn<Execute>();
    server.answer([call('c1', 'f', { city: 'Rom' }), finish('length'), DONE]);

    const events = await runAgent({
      agent: { model: openAiModel(server), tools: { f: strict(execute) } },
    });

    expect(execute).not.toHaveBeenCalled();
    expect(resultsOf(events)['c1']).toContain('did not run');
    expect(lastOf(events)).not.toHaveProperty('outcome');
    expect(server.requests).toHaveLength(1);
  });
});
