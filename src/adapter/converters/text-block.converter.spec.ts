import { describe, expect, it } from 'vitest';
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
  thinking,
} from '../adapter.fixture.js';

const start = (messageId: string) => ({
  type: 'TEXT_MESSAGE_START',
  messageId,
  role: 'assistant',
});
const content = (messageId: string, delta: string) => ({
  type: 'TEXT_MESSAGE_CONTENT',
  messageId,
  delta,
});
const end = (messageId: string) => ({ type: 'TEXT_MESSAGE_END', messageId });

describe('textBlockConverter', () => {
  expectQuietLogs();

  it('should turn a text block into a message with the id of the reply', async () => {
    const events = await convert([
      say('TEXT_BLOCK_START', { blockId: 'b1' }),
      text('Hel'),
      text('lo'),
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
    ]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', 'Hel'),
      content('r1', 'lo'),
      end('r1'),
      FINISHED,
    ]);
  });

  it('should say nothing of a block without text', async () => {
    const events = await convert([
      say('TEXT_BLOCK_START', { blockId: 'b1' }),
      text(''),
      text(undefined as never),
      text(null as never),
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
    ]);

    expect(events).toEqual([STARTED, FINISHED]);
  });

  it('should leave out empty deltas but not blank ones', async () => {
    const events = await convert([text(''), text(' '), text(''), text('\n')]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', ' '),
      content('r1', '\n'),
      end('r1'),
      FINISHED,
    ]);
  });

  it('should take blocks without an id, one at a time', async () => {
    const none = { blockId: undefined };

    const events = await convert([
      text('a', none),
      say('TEXT_BLOCK_END', none),
      text('b', none),
      say('TEXT_BLOCK_END', none),
    ]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', 'a'),
      end('r1'),
      start('r1-2'),
      content('r1-2', 'b'),
      end('r1-2'),
      FINISHED,
    ]);
  });

  it('should give a message of its own to each stretch around a tool call', async () => {
    const events = await convert([
      text('before'),
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
      ...call('c1', 'f', '{}'),
      ...result('c1', 'ok'),
      text('after', { blockId: 'b2' }),
      say('TEXT_BLOCK_END', { blockId: 'b2' }),
      ...call('c2', 'f', '{}'),
      text('last', { blockId: 'b3' }),
    ]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', 'before'),
      end('r1'),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'r1',
      },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 'c1-result',
        toolCallId: 'c1',
        content: 'ok',
        role: 'tool',
      },
      start('r1-2'),
      content('r1-2', 'after'),
      end('r1-2'),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c2',
        toolCallName: 'f',
        parentMessageId: 'r1-2',
      },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c2', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c2' },
      start('r1-3'),
      content('r1-3', 'last'),
      end('r1-3'),
      { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c2'] } },
    ]);
  });

  it('should close a text that is open when a call starts, and go on with the block afterwards', async () => {
    const [begin, args, finish] = call('c1', 'f', '{}');

    const events = await convert([
      text('one'),
      begin,
      text('two'),
      args,
      finish,
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
    ]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', 'one'),
      end('r1'),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'r1',
      },
      start('r1-2'),
      content('r1-2', 'two'),
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      end('r1-2'),
      { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c1'] } },
    ]);
  });

  it('should begin a new message when text comes back after thoughts, shown or not', async () => {
    const script = [
      text('one', { blockId: 'b1' }),
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
      thinking('hm'),
      say('THINKING_BLOCK_END', { blockId: 'k1' }),
      text('two', { blockId: 'b2' }),
    ];
    const one = [start('r1'), content('r1', 'one'), end('r1')];
    const two = [start('r1-2'), content('r1-2', 'two'), end('r1-2')];

    expect(await convert(script)).toEqual([STARTED, ...one, ...two, FINISHED]);
    expect(await convert(script, { enableReasoning: true })).toEqual([
      STARTED,
      ...one,
      { type: 'REASONING_START', messageId: 'r1-reasoning' },
      {
        type: 'REASONING_MESSAGE_START',
        messageId: 'r1-reasoning',
        role: 'reasoning',
      },
      {
        type: 'REASONING_MESSAGE_CONTENT',
        messageId: 'r1-reasoning',
        delta: 'hm',
      },
      { type: 'REASONING_MESSAGE_END', messageId: 'r1-reasoning' },
      { type: 'REASONING_END', messageId: 'r1-reasoning' },
      ...two,
      FINISHED,
    ]);
  });

  it('should keep blocks apart that are open at once', async () => {
    const events = await convert([
      text('a', { blockId: 'b1' }),
      text('b', { blockId: 'b2' }),
      text('A', { blockId: 'b1' }),
      say('TEXT_BLOCK_END', { blockId: 'b1' }),
      text('B', { blockId: 'b2' }),
      say('TEXT_BLOCK_END', { blockId: 'b2' }),
      say('TEXT_BLOCK_END', { blockId: 'b2' }),
    ]);

    expect(events).toEqual([
      STARTED,
      start('r1'),
      content('r1', 'a'),
      start('r1-2'),
      content('r1-2', 'b'),
      content('r1', 'A'),
      end('r1'),
      content('r1-2', 'B'),
      end('r1-2'),
      FINISHED,
    ]);
  });

  it('should never use a message id of the history again', async () => {
    const messages = [
      { id: 'r1', role: 'assistant' as const, content: 'earlier' },
      { id: 'r1-2', role: 'assistant' as const, content: 'earlier still' },
    ];

    const events = await convert([text('new')], {}, inputOf({ messages }));

    expect(events).toEqual([
      STARTED,
      start('r1-3'),
      content('r1-3', 'new'),
      end('r1-3'),
      FINISHED,
    ]);
  });

  it.each([undefined, null, '', ' '])(
    'should use the run id for a reply with the id %j',
    async (replyId) => {
      expect(await convert([text('hi', { replyId })])).toEqual([
        STARTED,
        start('run1'),
        content('run1', 'hi'),
        end('run1'),
        FINISHED,
      ]);
    },
  );
});
