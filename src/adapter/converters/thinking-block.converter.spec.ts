import { describe, expect, it } from 'vitest';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  say,
  STARTED,
  text,
  thinking,
} from '../adapter.fixture.js';

const ON = { enableReasoning: true };

const start = (messageId: string) => [
  { type: 'REASONING_START', messageId },
  { type: 'REASONING_MESSAGE_START', messageId, role: 'reasoning' },
];
const content = (messageId: string, delta: string) => ({
  type: 'REASONING_MESSAGE_CONTENT',
  messageId,
  delta,
});
const end = (messageId: string) => [
  { type: 'REASONING_MESSAGE_END', messageId },
  { type: 'REASONING_END', messageId },
];
const sealed = (entityId: string, encryptedValue: string) => ({
  type: 'REASONING_ENCRYPTED_VALUE',
  subtype: 'message',
  entityId,
  encryptedValue,
});
const answer = (messageId: string, delta: string) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
const finish = (encryptedValue?: string, blockId: string | undefined = 'k1') =>
  say('THINKING_BLOCK_END', { blockId, encryptedValue });

describe('thinkingBlockConverter', () => {
  expectQuietLogs();

  it('should say nothing of thoughts unless reasoning is enabled', async () => {
    const events = await convert([
      say('THINKING_BLOCK_START', { blockId: 'k1' }),
      thinking('secret'),
      finish('sealed'),
      text('answer'),
    ]);

    expect(events).toEqual([STARTED, ...answer('r1', 'answer'), FINISHED]);
  });

  it('should turn a thinking block into a reasoning message in a span, apart from the answer', async () => {
    const events = await convert(
      [
        say('THINKING_BLOCK_START', { blockId: 'k1' }),
        thinking('let '),
        thinking('me see'),
        finish(),
        text('answer'),
      ],
      ON,
    );

    expect(events).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'let '),
      content('r1-reasoning', 'me see'),
      ...end('r1-reasoning'),
      ...answer('r1', 'answer'),
      FINISHED,
    ]);
  });

  it('should say nothing of a block without thoughts', async () => {
    const events = await convert(
      [
        say('THINKING_BLOCK_START', { blockId: 'k1' }),
        thinking(''),
        finish(),
        finish(''),
        text('answer'),
      ],
      ON,
    );

    expect(events).toEqual([STARTED, ...answer('r1', 'answer'), FINISHED]);
  });

  it('should give each block of a reply an id of its own', async () => {
    const messages = [
      { id: 'r1-reasoning-2', role: 'reasoning' as const, content: 'old' },
    ];

    const events = await convert(
      [thinking('a'), finish(), thinking('b', { blockId: 'k2' })],
      ON,
      inputOf({ messages }),
    );

    expect(events).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'a'),
      ...end('r1-reasoning'),
      ...start('r1-reasoning-3'),
      content('r1-reasoning-3', 'b'),
      ...end('r1-reasoning-3'),
      FINISHED,
    ]);
  });

  it('should close thoughts that are open when the answer or a call begins', async () => {
    const [begin] = call('c1', 'f', '');

    const events = await convert(
      [thinking('a'), text('b'), thinking('c'), begin],
      ON,
    );

    expect(events).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'a'),
      ...end('r1-reasoning'),
      ...answer('r1', 'b'),
      ...start('r1-reasoning-2'),
      content('r1-reasoning-2', 'c'),
      ...end('r1-reasoning-2'),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'r1-2',
      },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c1'] } },
    ]);
  });

  it("should hand on a provider's sealed thoughts within the span", async () => {
    expect(await convert([thinking('a'), finish('xyz')], ON)).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'a'),
      { type: 'REASONING_MESSAGE_END', messageId: 'r1-reasoning' },
      sealed('r1-reasoning', 'xyz'),
      { type: 'REASONING_END', messageId: 'r1-reasoning' },
      FINISHED,
    ]);
  });

  it('should make an empty message for sealed thoughts without words', async () => {
    expect(await convert([finish('xyz')], ON)).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      { type: 'REASONING_MESSAGE_END', messageId: 'r1-reasoning' },
      sealed('r1-reasoning', 'xyz'),
      { type: 'REASONING_END', messageId: 'r1-reasoning' },
      FINISHED,
    ]);
  });

  it('should give sealed thoughts that come late to the message whose words they are', async () => {
    const events = await convert(
      [
        thinking('a', { blockId: undefined }),
        text('ans'),
        say('THINKING_BLOCK_END', { encryptedValue: 'late' }),
        text('wer'),
        say('TEXT_BLOCK_END', { blockId: 'b1' }),
        say('THINKING_BLOCK_START'),
        say('THINKING_BLOCK_END', { encryptedValue: 'wordless' }),
      ],
      ON,
    );

    expect(events).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'a'),
      ...end('r1-reasoning'),
      { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'ans' },
      sealed('r1-reasoning', 'late'),
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'wer' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      ...start('r1-reasoning-2'),
      { type: 'REASONING_MESSAGE_END', messageId: 'r1-reasoning-2' },
      sealed('r1-reasoning-2', 'wordless'),
      { type: 'REASONING_END', messageId: 'r1-reasoning-2' },
      FINISHED,
    ]);
  });

  it('should not take sealed thoughts for those of an earlier block', async () => {
    const events = await convert(
      [
        thinking('a', { blockId: undefined }),
        text('b'),
        say('THINKING_BLOCK_START'),
        say('THINKING_BLOCK_END', { encryptedValue: 'new' }),
      ],
      ON,
    );

    expect(events).toEqual([
      STARTED,
      ...start('r1-reasoning'),
      content('r1-reasoning', 'a'),
      ...end('r1-reasoning'),
      ...answer('r1', 'b'),
      ...start('r1-reasoning-2'),
      { type: 'REASONING_MESSAGE_END', messageId: 'r1-reasoning-2' },
      sealed('r1-reasoning-2', 'new'),
      { type: 'REASONING_END', messageId: 'r1-reasoning-2' },
      FINISHED,
    ]);
  });

  it('should name reasoning after the run if the reply has no id', async () => {
    expect(await convert([thinking('a', { replyId: undefined })], ON)).toEqual([
      STARTED,
      ...start('run1-reasoning'),
      content('run1-reasoning', 'a'),
      ...end('run1-reasoning'),
      FINISHED,
    ]);
  });
});
