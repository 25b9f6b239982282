import { jsonSchema } from 'ai';
import { agentTool, type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { describe, expect, it, vi } from 'vitest';
import {
  anthropicModel,
  message,
  textBlock,
  toolBlock,
} from './support/anthropic-wire.js';
import { deferred } from './support/agents.js';
import { typesOf } from './support/client.js';
import {
  argumentsOf,
  lastOf,
  outlineOf,
  resultsOf,
  runAgent,
  toldBy,
} from './support/model-run.js';
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
} from './support/openai-wire.js';
import { muteLogs } from './support/logs.js';

const server = useModelServer();
const echo = agentTool({
  inputSchema: jsonSchema<object>({ type: 'object' }),
  execute: (input) => JSON.stringify(input),
});

/** A run in which the model first answers like this, and then that it is done. */
async function runOf(
  answer: readonly Frame[],
  agent: Partial<AiSdkAgentOptions> = {},
) {
  server.answer(answer, texts('done'));
  return runAgent({
    agent: {
      model: openAiModel(server),
      tools: { f: echo, g: echo },
      ...agent,
    },
  });
}

/** The calls and the results that the model reads in its second call. */
function readBack() {
  const messages = server.messages(1);
  const [{ tool_calls = [] } = {}] = messages.filter(
    ({ role }) => role === 'assistant',
  );
  return {
    calls: tool_calls.map(({ id, function: { name, arguments: args } }) => [
      id,
      name,
      args,
    ]),
    results: messages
      .filter(({ role }) => role === 'tool')
      .map(({ tool_call_id, content }) => [tool_call_id, content]),
  };
}

describe('what providers stream', () => {
  const logs = muteLogs();

  it('should be text, piece by piece, without the empty ones', async () => {
    const events = await runOf(texts('Hel', '', 'lo', ' ', 'there'));

    expect(outlineOf(events)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT Hel',
      'TEXT_MESSAGE_CONTENT lo',
      'TEXT_MESSAGE_CONTENT  ',
      'TEXT_MESSAGE_CONTENT there',
      'TEXT_MESSAGE_END',
      'RUN_FINISHED',
    ]);
  });

  it('should be the same in another wire format', async () => {
    server.answer(
      message(
        [textBlock('I ', 'look.'), toolBlock('t1', 'f', '{"a"', ':1}')],
        'tool_use',
      ),
      message([textBlock('done')]),
    );

    const events = await runAgent({
      agent: { model: anthropicModel(server), tools: { f: echo } },
    });

    expect(outlineOf(events)).toEqual([
      'RUN_STARTED',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT I ',
      'TEXT_MESSAGE_CONTENT look.',
      'TEXT_MESSAGE_END',
      'TOOL_CALL_START f',
      'TOOL_CALL_ARGS {"a"',
      'TOOL_CALL_ARGS :1}',
      'TOOL_CALL_END',

      'TOOL_CALL_RESULT {"a":1}',
      'TEXT_MESSAGE_START',
      'TEXT_MESSAGE_CONTENT done',
      'TEXT_MESSAGE_END',

      'RUN_FINISHED',
    ]);
    expect(server.messages(1).slice(1)).toMatchObject([
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 't1', name: 'f', input: { a: 1 } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1' }],
      },
    ]);
  });

  describe('tool calls', () => {
    it('may come in fragments', async () => {
      const events = await runOf(
        calls(
          callDelta({ index: 0, id: 'c1', function: { name: 'f' } }),
          ...['{"ci', 'ty":"Par', 'is"}'].map((args) =>
            callDelta({ index: 0, function: { arguments: args } }),
          ),
        ),
      );

      expect(outlineOf(events).slice(1, 7)).toEqual([
        'TOOL_CALL_START f',
        'TOOL_CALL_ARGS {"ci',
        'TOOL_CALL_ARGS ty":"Par',
        'TOOL_CALL_ARGS is"}',
        'TOOL_CALL_END',
        'TOOL_CALL_RESULT {"city":"Paris"}',
      ]);
    });

    it('may come in one piece', async () => {
      const events = await runOf(calls(call('c1', 'f', { city: 'Paris' })));

      expect(outlineOf(events).slice(1, 5)).toEqual([
        'TOOL_CALL_START f',
        'TOOL_CALL_ARGS {"city":"Paris"}',
        'TOOL_CALL_END',
        'TOOL_CALL_RESULT {"city":"Paris"}',
      ]);
    });

    it('may be parallel, and interleaved', async () => {
      const events = await runOf(
        calls(
          callDelta({ index: 0, id: 'c1', function: { name: 'f' } }),
          callDelta({ index: 1, id: 'c2', function: { name: 'g' } }),
          callDelta({ index: 1, function: { arguments: '{"b":' } }),
          callDelta({ index: 0, function: { arguments: '{"a":' } }),
          callDelta(
            { index: 0, function: { arguments: '1}' } },
            { index: 1, function: { arguments: '2}' } },
          ),
        ),
      );

      expect(argumentsOf(events)).toEqual({ c1: '{"a":1}', c2: '{"b":2}' });
      expect(resultsOf(events)).toEqual({ c1: '{"a":1}', c2: '{"b":2}' });
      expect(
        typesOf(events).filter((type) => type === 'TOOL_CALL_END'),
      ).toEqual(['TOOL_CALL_END', 'TOOL_CALL_END']);
    });

    it('may come at any pace, and all come before the first result', async () => {
      const told = deferred();
      const frames = message(
        [toolBlock('c1', 'f', '{"a":1}'), toolBlock('c2', 'g', '{"b":2}')],
        'tool_use',
      );
      const second = frames.findIndex((frame) =>
        JSON.stringify(frame).includes('c2'),
      );
      server.answer(
        frames.toSpliced(second, 0, told.promise),
        message([textBlock('done')]),
      );

      const events = await runAgent({
        agent: { model: anthropicModel(server), tools: { f: echo, g: echo } },
        onEvent: ({ type }) => type === 'TOOL_CALL_END' && told.resolve(),
      });

      expect(outlineOf(events).slice(1, 9)).toEqual([
        'TOOL_CALL_START f',
        'TOOL_CALL_ARGS {"a":1}',
        'TOOL_CALL_END',
        'TOOL_CALL_START g',
        'TOOL_CALL_ARGS {"b":2}',
        'TOOL_CALL_END',
        'TOOL_CALL_RESULT {"a":1}',
        'TOOL_CALL_RESULT {"b":2}',
      ]);
      const parents = events
        .filter(({ type }) => type === 'TOOL_CALL_START')
        .map(({ parentMessageId }) => parentMessageId);
      expect(new Set(parents).size).toBe(1);
    });

    it('may come without index', async () => {
      const events = await runOf(
        calls(
          callDelta({
            id: 'c1',
            function: { name: 'f', arguments: '{"a":1}' },
          }),
          callDelta({ id: 'c2', function: { name: 'g', arguments: '{"b":' } }),
          callDelta({ id: 'c2', function: { arguments: '2}' } }),
        ),
      );

      expect(argumentsOf(events)).toEqual({ c1: '{"a":1}', c2: '{"b":2}' });
    });

    it('may have their name late', async () => {
      const events = await runOf(
        calls(
          callDelta({ index: 0, id: 'c1', function: { arguments: '{' } }),
          callDelta({ index: 0, function: { name: 'f' } }),
          callDelta({ index: 0, function: { arguments: '}' } }),
        ),
      );

      expect(outlineOf(events)[1]).toBe('TOOL_CALL_START f');
      expect(argumentsOf(events)).toEqual({ c1: '{}' });
    });

    it('must have a name', async () => {
      const events = await runOf(
        calls(callDelta({ index: 0, id: 'c1', function: { arguments: '{}' } })),
      );

      expect(lastOf(events)).toMatchObject({ type: 'RUN_ERROR' });
      expect(logs.text()).toContain('function.name');
    });

    it.each([['no id'], ['an empty id'], ['null for an id']])(
      'may come with %s',
      async (kind) => {
        const id = { 'an empty id': '', 'null for an id': null }[kind];
        const part = (name: string, index: number) =>
          callDelta({ index, id, function: { name, arguments: `[${index}]` } });
        const events = await runOf(calls(part('f', 0), part('g', 1)));

        const ids = Object.keys(argumentsOf(events));
        expect(new Set(ids).size).toBe(2);
        for (const made of ids) expect(made).toMatch(/^[\w-]{8,}$/);
        expect(Object.keys(resultsOf(events)).sort()).toEqual(ids.toSorted());
        expect(readBack()).toMatchObject({
          calls: [
            [ids[0], 'f', '[0]'],
            [ids[1], 'g', '[1]'],
          ],
          results: [
            [ids[0], '[0]'],
            [ids[1], '[1]'],
          ],
        });
      },
    );

    it('may have ids that count from the start again with every answer', async () => {
      server.answer(calls(call('call_0', 'f', { a: 1 })));
      const events = await runOf(calls(call('call_0', 'f', { a: 2 })));

      const args = argumentsOf(events);
      expect(Object.values(args)).toEqual(['{"a":1}', '{"a":2}']);
      expect(resultsOf(events)).toEqual(args);
      expect(
        server
          .messages(2)
          .filter(({ role }) => role === 'tool')
          .map(({ tool_call_id }) => tool_call_id),
      ).toEqual(Object.keys(args));
    });

    it.each(['', ' '])(
      'may have %j for arguments, which means none',
      async (args) => {
        const events = await runOf(calls(call('c1', 'f', args)));

        expect(JSON.parse(argumentsOf(events)['c1']!.trim() || '{}')).toEqual(
          {},
        );
        expect(resultsOf(events)).toEqual({ c1: '{}' });
        expect(readBack().calls).toEqual([['c1', 'f', '{}']]);
      },
    );

    it('may come behind text, which is complete before them', async () => {
      const events = await runOf(
        calls(say('I run `ls'), say('`'), call('c1', 'f')),
      );

      expect(outlineOf(events).slice(1, 7)).toEqual([
        'TEXT_MESSAGE_START',
        'TEXT_MESSAGE_CONTENT I run `ls',
        'TEXT_MESSAGE_CONTENT `',
        'TEXT_MESSAGE_END',
        'TOOL_CALL_START f',
        'TOOL_CALL_ARGS {}',
      ]);
    });

    it('may come before text, which is a message of its own', async () => {
      const events = await runOf(calls(call('c1', 'f'), say('I look.')));

      const ids = events
        .filter(({ type }) => type === 'TEXT_MESSAGE_START')
        .map(({ messageId }) => messageId);
      expect(new Set(ids).size).toBe(2);
      expect(toldBy(events).text).toBe('I look.done');
    });

    it('may end with another finish reason', async () => {
      const events = await runOf([call('c1', 'f'), finish('stop'), DONE]);

      expect(resultsOf(events)).toEqual({ c1: '{}' });
      expect(toldBy(events).text).toBe('done');
    });

    it('should be told before the tool has its result', async () => {
      let told: string[] = [];
      const slow = agentTool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute: () =>
          vi.waitUntil(() => told.includes('TOOL_CALL_END') && 'seen'),
      });
      server.answer(calls(call('c1', 'slow')), texts('done'));

      const events = await runAgent({
        agent: { model: openAiModel(server), tools: { slow } },
        onEvent: ({ type }) => (told = [...told, type]),
      });

      expect(resultsOf(events)).toEqual({ c1: 'seen' });
    });
  });

  it('may be refused by the model in words', async () => {
    const events = await runOf([
      delta({ refusal: 'I must not.' }),
      finish('stop'),
      DONE,
    ]);

    expect(toldBy(events).text).toBe('I must not.');
    expect(lastOf(events)).toMatchObject({ code: 'CONTENT_FILTER' });
  });
});
