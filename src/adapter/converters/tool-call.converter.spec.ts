import { describe, expect, it } from 'vitest';
import { RuntimeContext } from '../../agent/runtime-context.js';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  result,
  say,
  STARTED,
  text,
  watchLogs,
} from '../adapter.fixture.js';

const start = (
  toolCallId: string,
  parentMessageId = 'r1',
  toolCallName = 'f',
) => ({ type: 'TOOL_CALL_START', toolCallId, toolCallName, parentMessageId });
const args = (toolCallId: string, delta: string) => ({
  type: 'TOOL_CALL_ARGS',
  toolCallId,
  delta,
});
const end = (toolCallId: string) => ({ type: 'TOOL_CALL_END', toolCallId });
const answer = (toolCallId: string) => ({
  type: 'TOOL_CALL_RESULT',
  messageId: `${toolCallId}-result`,
  toolCallId,
  content: 'ok',
  role: 'tool',
});
const pending = (...pendingToolCallIds: string[]) => ({
  ...FINISHED,
  outcome: { type: 'success', pendingToolCallIds },
});

describe('toolCallConverter', () => {
  expectQuietLogs();

  it('should announce a call, stream its arguments and end it', async () => {
    const base = { toolCallId: 'c1', toolCallName: 'weather' };

    const events = await convert([
      say('TOOL_CALL_START', base),
      say('TOOL_CALL_DELTA', { ...base, delta: '{"ci' }),
      say('TOOL_CALL_DELTA', { ...base, delta: '' }),
      say('TOOL_CALL_DELTA', { ...base, delta: 'ty":"Paris"}' }),
      say('TOOL_CALL_END', base),
      ...result('c1', 'ok'),
    ]);

    expect(events).toEqual([
      STARTED,
      start('c1', 'r1', 'weather'),
      args('c1', '{"ci'),
      args('c1', 'ty":"Paris"}'),
      end('c1'),
      answer('c1'),
      FINISHED,
    ]);
  });

  it('should start and end each call once, and not send arguments after its end', async () => {
    const [begin, delta, finish] = call('c1', 'f', '{}');

    const events = await convert([
      begin,
      begin,
      delta,
      finish,
      finish,
      begin,
      delta,
      ...result('c1', 'ok'),
      finish,
    ]);

    expect(events).toEqual([
      STARTED,
      start('c1'),
      args('c1', '{}'),
      end('c1'),
      answer('c1'),
      FINISHED,
    ]);
  });

  it('should ignore arguments and ends of calls that never started', async () => {
    const [, delta, finish] = call('c1', 'f', '{}');

    expect(await convert([delta, finish])).toEqual([STARTED, FINISHED]);
  });

  it.each([undefined, null, '', ' '])(
    'should call a tool with the name %j unknown',
    async (name) => {
      expect(await convert(call('c1', name as never, '{}'))).toEqual([
        STARTED,
        start('c1', 'r1', 'unknown'),
        args('c1', '{}'),
        end('c1'),
        pending('c1'),
      ]);
    },
  );

  it('should let parallel calls of one turn share the assistant message', async () => {
    const [start1, args1, end1] = call('c1', 'f', '{"a":1}');
    const [start2, args2, end2] = call('c2', 'f', '{"b":2}');

    const events = await convert([
      text('Let me look.'),
      start1,
      start2,
      args2,
      args1,
      end1,
      end2,
      ...result('c2', 'ok'),
      ...result('c1', 'ok'),
    ]);

    expect(events.slice(4)).toEqual([
      start('c1'),
      start('c2'),
      args('c2', '{"b":2}'),
      args('c1', '{"a":1}'),
      end('c1'),
      end('c2'),
      answer('c2'),
      answer('c1'),
      FINISHED,
    ]);
    expect(events.slice(0, 4)).toEqual([
      STARTED,
      { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
      {
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: 'r1',
        delta: 'Let me look.',
      },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
    ]);
  });

  it('should take a call after a result for one of the next turn', async () => {
    const events = await convert([
      ...call('c1', 'f', '{}'),
      ...result('c1', 'ok'),
      ...call('c2', 'f', '{}'),
    ]);

    expect(events).toEqual([
      STARTED,
      start('c1'),
      args('c1', '{}'),
      end('c1'),
      answer('c1'),
      start('c2', 'r1-2'),
      args('c2', '{}'),
      end('c2'),
      pending('c2'),
    ]);
  });

  it('should go by the model calls, if the agent tells of them', async () => {
    const events = await convert([
      say('MODEL_CALL_START'),
      ...call('c1', 'f', '{}'),
      ...result('c1', 'ok'),
      ...call('c2', 'f', '{}'),
      say('MODEL_CALL_END'),
      ...result('c2', 'ok'),
      say('MODEL_CALL_START'),
      ...call('c3', 'f', '{}'),
      ...result('c3', 'ok'),
    ]);

    expect(events).toEqual([
      STARTED,
      start('c1'),
      args('c1', '{}'),
      end('c1'),
      answer('c1'),
      start('c2'),
      args('c2', '{}'),
      end('c2'),
      answer('c2'),
      start('c3', 'r1-2'),
      args('c3', '{}'),
      end('c3'),
      answer('c3'),
      FINISHED,
    ]);
  });

  it('should keep arguments back if they are not wanted', async () => {
    const events = await convert(call('c1', 'f', '{"secret":1}'), {
      emitToolCallArgs: false,
    });

    expect(events).toEqual([STARTED, start('c1'), end('c1'), pending('c1')]);
  });

  it('should send the arguments of frontend tools in any case', async () => {
    const tools = [{ name: 'paint', description: '' }];

    const events = await convert(
      [...call('c1', 'paint', '{"colour":"red"}'), ...call('c2', 'f', '{}')],
      { emitToolCallArgs: false },
      inputOf({ tools }),
    );

    expect(events).toEqual([
      STARTED,
      start('c1', 'r1', 'paint'),
      args('c1', '{"colour":"red"}'),
      end('c1'),
      start('c2'),
      end('c2'),
      pending('c1', 'c2'),
    ]);
  });

  it('should close calls that are open at the end', async () => {
    const [begin, delta] = call('c1', 'f', '{');

    expect(await convert([begin, delta])).toEqual([
      STARTED,
      start('c1'),
      args('c1', '{'),
      end('c1'),
      pending('c1'),
    ]);
  });

  it('should not announce again a call that the run goes on with', async () => {
    const resume = [{ interruptId: 'i1', status: 'resolved' as const }];
    const interrupts = [
      { id: 'i1', reason: 'tool_call', toolCallId: 'c1' },
      { id: 'i2', reason: 'tool_call', toolCallId: 'c2' },
    ];
    const context = new RuntimeContext().put(
      'agui.resume.interrupts',
      interrupts,
    );

    const events = await convert(
      [
        ...call('c1', 'f', '{}'),
        ...result('c1', 'ok'),
        ...call('c2', 'f', '{}'),
      ],
      {},
      inputOf({ resume }),
      context,
    );

    expect(events).toEqual([
      STARTED,
      answer('c1'),
      start('c2'),
      args('c2', '{}'),
      end('c2'),
      pending('c2'),
    ]);
  });
});

describe('a call id that says nothing', () => {
  const logs = watchLogs();

  it.each([undefined, null, '', '  '])(
    'should be ignored, with one warning per kind of event, if it is %j',
    async (toolCallId) => {
      const script = [
        ...call(toolCallId as never, 'f', '{}'),
        say('TOOL_RESULT_END', { toolCallId, state: 'success' }),
      ];

      expect(await convert([...script, ...script])).toEqual([
        STARTED,
        FINISHED,
      ]);
      expect(logs.warnings.map((line) => line.split(' ')[0])).toEqual([
        'TOOL_CALL_START',
        'TOOL_CALL_DELTA',
        'TOOL_CALL_END',
        'TOOL_RESULT_END',
      ]);
    },
  );
});
