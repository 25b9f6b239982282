import { describe, expect, it } from 'vitest';
import type { ToolResultState } from '../../agent/msg.js';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  result,
  say,
  STARTED,
} from '../adapter.fixture.js';

const CALLED = [
  STARTED,
  {
    type: 'TOOL_CALL_START',
    toolCallId: 'c1',
    toolCallName: 'f',
    parentMessageId: 'r1',
  },
  { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
  { type: 'TOOL_CALL_END', toolCallId: 'c1' },
];
const answer = (content: string, rest: object = {}) => ({
  type: 'TOOL_CALL_RESULT',
  messageId: 'c1-result',
  toolCallId: 'c1',
  content,
  role: 'tool',
  ...rest,
});
const base = { toolCallId: 'c1', toolCallName: 'f' };
const piece = (delta: unknown) =>
  say('TOOL_RESULT_TEXT_DELTA', { ...base, delta });
const data = (block: unknown) =>
  say('TOOL_RESULT_DATA_DELTA', { ...base, data: block });
const finish = (state: ToolResultState | undefined = 'success') =>
  say('TOOL_RESULT_END', { ...base, state });

/** A run that calls c1, with these events as its result. */
const answered = (...events: unknown[]) =>
  convert([...call('c1', 'f', '{}'), ...events]);

describe('toolResultConverter', () => {
  expectQuietLogs();

  it('should collect text and send it whole, as a message of its own', async () => {
    const events = await answered(
      say('TOOL_RESULT_START', base),
      piece('22 '),
      piece('degrees'),
      finish(),
    );

    expect(events).toEqual([...CALLED, answer('22 degrees'), FINISHED]);
  });

  it('should put data on lines of their own, media as JSON', async () => {
    const image = {
      type: 'image',
      source: { type: 'url', url: 'https://x.test/a.png' },
    };

    const events = await answered(
      piece('see: '),
      piece('this'),
      data(image),
      data({ type: 'text', text: 'plain' }),
      piece('and '),
      piece('that'),
      finish(),
    );

    expect(events).toEqual([
      ...CALLED,
      answer(`see: this\n${JSON.stringify(image)}\nplain\nand that`),
      FINISHED,
    ]);
  });

  it('should send a whole output in place of the pieces, media as parts', async () => {
    const source = { type: 'base64', data: 'AAAA', mediaType: 'image/png' };
    const output = [
      { type: 'text', text: 'see:' },
      { type: 'image', source },
    ];

    const events = await answered(
      piece('working'),
      say('TOOL_RESULT_END', { ...base, state: 'success', output }),
    );

    const parts = [
      { type: 'text', text: 'see:' },
      {
        type: 'image',
        source: { type: 'data', value: 'AAAA', mimeType: 'image/png' },
      },
    ];
    expect(events).toEqual([
      ...CALLED,
      { ...answer(''), content: parts },
      FINISHED,
    ]);
  });

  it('should send an empty text for an empty result', async () => {
    expect(await answered(finish())).toEqual([...CALLED, answer(''), FINISHED]);
  });

  it('should not mind pieces that say nothing', async () => {
    const events = await answered(
      piece(''),
      piece(undefined),
      data(undefined),
      data({ type: 'text', text: 'x' }),
      piece(null),
      finish(),
    );

    expect(events).toEqual([...CALLED, answer('x'), FINISHED]);
  });

  it('should end a call that is open still', async () => {
    const [begin, args] = call('c1', 'f', '{}');

    const events = await convert([begin, args, piece('ok'), finish()]);

    expect(events).toEqual([...CALLED, answer('ok'), FINISHED]);
  });

  it.each(['error', 'interrupted', 'denied'] as const)(
    'should say of a call that its state is %s',
    async (state) => {
      expect(await answered(piece('no'), finish(state))).toEqual([
        ...CALLED,
        answer('no', { metadata: { 'agui.toolResultState': state } }),
        FINISHED,
      ]);
    },
  );

  it('should take a result without a state for a success', async () => {
    expect(
      await answered(piece('ok'), say('TOOL_RESULT_END', { ...base })),
    ).toEqual([...CALLED, answer('ok'), FINISHED]);
  });

  it('should send nothing for a suspended call, and forget what it said so far', async () => {
    const suspended = [piece('waiting for somebody'), finish('running')];
    const pending = {
      ...FINISHED,
      outcome: { type: 'success', pendingToolCallIds: ['c1'] },
    };

    expect(await answered(...suspended)).toEqual([...CALLED, pending]);
    expect(await answered(...suspended, piece('ok'), finish())).toEqual([
      ...CALLED,
      answer('ok'),
      FINISHED,
    ]);
  });

  it('should answer each call once', async () => {
    const events = await answered(
      ...result('c1', 'first'),
      ...result('c1', 'second'),
      finish('error'),
    );

    expect(events).toEqual([...CALLED, answer('first'), FINISHED]);
  });

  it('should give every result an id of its own, that the thread has not used', async () => {
    const messages = [
      {
        id: 'c1-result',
        role: 'tool' as const,
        toolCallId: 'c1',
        content: 'old',
      },
    ];

    const events = await convert(
      [...result('c1', 'one'), ...result('c2', 'two')],
      {},
      inputOf({ messages }),
    );

    expect(events).toEqual([
      STARTED,
      answer('one', { messageId: 'c1-result-2' }),
      answer('two', { messageId: 'c2-result', toolCallId: 'c2' }),
      FINISHED,
    ]);
  });

  it('should answer parallel calls as their results come in', async () => {
    const other = { toolCallId: 'c2', toolCallName: 'f' };

    const events = await convert([
      piece('on'),
      say('TOOL_RESULT_TEXT_DELTA', { ...other, delta: 'tw' }),
      piece('e'),
      say('TOOL_RESULT_TEXT_DELTA', { ...other, delta: 'o' }),
      say('TOOL_RESULT_END', { ...other, state: 'success' }),
      finish(),
    ]);

    expect(events).toEqual([
      STARTED,
      answer('two', { messageId: 'c2-result', toolCallId: 'c2' }),
      answer('one'),
      FINISHED,
    ]);
  });
});
