import { describe, expect, it } from 'vitest';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  result,
  say,
  STARTED,
  text,
  thinking,
} from './adapter.fixture.js';
import { ATTRIBUTED, sub, message, started } from './subagents.fixture.js';

const finished = (subagentRunId: string, rest: object = {}) => ({
  type: 'SUBAGENT_FINISHED',
  subagentRunId,
  ...rest,
});

describe('attributed subagents', () => {
  expectQuietLogs();

  it('should bracket an invocation and say whose each event is', async () => {
    const a = sub('main/researcher', 'ra');

    const events = await convert(
      [
        text('mine'),
        a.say('AGENT_START', {
          name: 'Researcher',
          metadata: { parentToolCallId: 'c0' },
        }),
        thinking('hm', a.base),
        a.text('theirs'),
        ...call('c1', 'search', '{}', a.base),
        ...result('c1', 'found', a.base),
        a.say('CUSTOM', { name: 'x', value: 1 }),
        a.say('STATE_UPDATE', { state: { a: 1 } }),
        a.say('HINT_BLOCK'),
        a.say('AGUI_EVENT', {
          event: { type: 'STEP_STARTED', stepName: 's' },
        }),
        a.say('AGUI_EVENT', {
          event: { type: 'STEP_FINISHED', stepName: 's' },
        }),
        a.say('AGENT_END'),
      ],
      { ...ATTRIBUTED, enableReasoning: true },
    );

    const tag = { subagentRunId: 'main/researcher#1' };
    expect(events).toEqual([
      STARTED,
      ...message('r1', 'mine').slice(0, 2),
      started('main/researcher#1', 'Researcher', { parentToolCallId: 'c0' }),
      { type: 'REASONING_START', messageId: 'ra-reasoning', ...tag },
      {
        type: 'REASONING_MESSAGE_START',
        messageId: 'ra-reasoning',
        role: 'reasoning',
        ...tag,
      },
      {
        type: 'REASONING_MESSAGE_CONTENT',
        messageId: 'ra-reasoning',
        delta: 'hm',
        ...tag,
      },
      { type: 'REASONING_MESSAGE_END', messageId: 'ra-reasoning', ...tag },
      { type: 'REASONING_END', messageId: 'ra-reasoning', ...tag },
      ...message('ra', 'theirs', 'main/researcher#1'),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'search',
        parentMessageId: 'ra',
        ...tag,
      },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}', ...tag },
      { type: 'TOOL_CALL_END', toolCallId: 'c1', ...tag },
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 'c1-result',
        toolCallId: 'c1',
        content: 'found',
        role: 'tool',
        ...tag,
      },
      { type: 'CUSTOM', name: 'x', value: 1, ...tag },
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 }, ...tag },
      {
        type: 'RAW',
        event: a.say('HINT_BLOCK'),
        source: 'main/researcher',
        ...tag,
      },
      { type: 'STEP_STARTED', stepName: 's', ...tag },
      { type: 'STEP_FINISHED', stepName: 's', ...tag },
      finished('main/researcher#1'),
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      FINISHED,
    ]);
  });

  it('should not put its mark on events that are about the run or another invocation', async () => {
    const a = sub('main/a', 'ra');
    const own = [
      started('another', 'Another'),
      finished('another'),
      {
        type: 'MESSAGES_SNAPSHOT',
        messages: [{ id: 'm1', role: 'user', content: 'hi' }],
      },
    ];

    const events = await convert(
      [
        a.say('AGENT_START'),
        ...own.map((event) => a.say('AGUI_EVENT', { event })),
        a.say('AGENT_END'),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      ...own,
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should run invocations in parallel without mixing them', async () => {
    const a = sub('main/a', 'ra');
    const b = sub('main/b', 'rb');

    const events = await convert(
      [
        a.say('AGENT_START'),
        b.say('AGENT_START'),
        a.text('one'),
        b.text('two'),
        a.text(' more'),
        b.say('AGENT_END'),
        a.text(' still'),
        a.say('AGENT_END'),
      ],
      ATTRIBUTED,
    );

    const [a1, a2, a3] = message('ra', 'one', 'main/a#1');
    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      started('main/b#2', 'b'),
      a1,
      a2,
      ...message('rb', 'two', 'main/b#2').slice(0, 2),
      { ...a2, delta: ' more' },
      message('rb', 'two', 'main/b#2')[2],
      finished('main/b#2'),
      { ...a2, delta: ' still' },
      a3,
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should tell two invocations of one subagent apart, by task or by reply', async () => {
    const first = sub('main/a', 'same', { taskId: 't1' });
    const second = sub('main/a', 'same', { taskId: 't2' });
    const third = sub('main/a', 'other');

    const events = await convert(
      [
        first.text('1'),
        second.text('2'),
        third.text('3'),
        first.say('TEXT_BLOCK_END', { blockId: 'b1' }),
        first.text('4'),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      ...message('same', '1', 'main/a#1').slice(0, 2),
      started('main/a#2', 'a'),
      ...message('same-2', '2', 'main/a#2').slice(0, 2),
      started('main/a#3', 'a'),
      ...message('other', '3', 'main/a#3').slice(0, 2),
      message('same', '', 'main/a#1')[2],
      ...message('same-3', '4', 'main/a#1'),
      message('same-2', '', 'main/a#2')[2],
      message('other', '', 'main/a#3')[2],
      finished('main/a#3'),
      finished('main/a#2'),
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should know an invocation by its reply when its task is not said again', async () => {
    const { base } = sub('main/a', 'ra');

    const events = await convert(
      [
        say('AGENT_START', { ...base, metadata: { taskId: 't1' } }),
        text('hi', base),
        say('AGENT_END', { ...base, metadata: { taskId: 't1' } }),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      ...message('ra', 'hi', 'main/a#1'),
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should give what names no invocation to the latest one of its source', async () => {
    const a = sub('main/a', 'ra');
    const anonymous = { source: 'main/a', replyId: undefined };
    const custom = { ...anonymous, name: 'x', value: 1 };

    const events = await convert(
      [
        say('CUSTOM', custom),
        a.say('AGENT_START'),
        say('CUSTOM', custom),
        say('AGENT_END', anonymous),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      { type: 'CUSTOM', name: 'x', value: 1 },
      started('main/a#1', 'a'),
      {
        type: 'CUSTOM',
        name: 'x',
        value: 1,
        subagentRunId: 'main/a#1',
      },
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should take a start without any id for a new invocation', async () => {
    const anonymous = { source: 'main/a', replyId: undefined };

    const events = await convert(
      [
        say('AGENT_START', anonymous),
        text('1', anonymous),
        say('AGENT_END', anonymous),
        say('AGENT_START', anonymous),
        text('2', anonymous),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      ...message('run1', '1', 'main/a#1'),
      finished('main/a#1'),
      started('main/a#2', 'a'),
      ...message('run1-2', '2', 'main/a#2'),
      finished('main/a#2'),
      FINISHED,
    ]);
  });

  it('should start anew when an invocation that has ended starts again', async () => {
    const a = sub('main/a', 'ra', { taskId: 't1' });

    const events = await convert(
      [
        a.say('AGENT_START'),
        a.say('AGENT_END'),
        a.say('AGENT_END'),
        a.say('AGENT_START'),
        a.text('again'),
        a.say('AGENT_END'),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      finished('main/a#1'),
      started('main/a#2', 'a'),
      ...message('ra', 'again', 'main/a#2'),
      finished('main/a#2'),
      FINISHED,
    ]);
  });

  it('should nest subagents, and end the inner ones first', async () => {
    const outer = sub('main/a', 'ra');
    const inner = sub('main/a/b', 'rb');

    const events = await convert(
      [
        outer.say('AGENT_START', { name: 'A' }),
        inner.say('AGENT_START', { name: 'B' }),
        inner.text('deep'),
      ],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'A'),
      started('main/a/b#2', 'B', { parentSubagentRunId: 'main/a#1' }),
      ...message('rb', 'deep', 'main/a/b#2'),
      finished('main/a/b#2'),
      finished('main/a#1'),
      FINISHED,
    ]);
  });

  it('should suspend an invocation that asks, and those above it', async () => {
    const outer = sub('main/a', 'ra');
    const inner = sub('main/a/b', 'rb');
    const other = sub('main/c', 'rc');
    const toolCalls = [
      { type: 'tool_use', id: 'c1', name: 'f', input: {}, content: '{}' },
    ];

    const events = await convert(
      [
        outer.say('AGENT_START'),
        inner.say('AGENT_START'),
        inner.say('REQUIRE_USER_CONFIRM', { toolCalls }),
        inner.say('AGENT_END'),
        outer.say('AGENT_END'),
        other.say('AGENT_START'),
        other.say('AGENT_END'),
      ],
      ATTRIBUTED,
    );

    const suspended = { type: 'suspended' };
    const subagentRunId = 'main/a/b#2';
    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      started('main/a/b#2', 'b', { parentSubagentRunId: 'main/a#1' }),
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'rb',
        subagentRunId,
      },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}', subagentRunId },
      { type: 'TOOL_CALL_END', toolCallId: 'c1', subagentRunId },
      finished('main/a/b#2', {
        outcome: { ...suspended, interruptIds: ['rb:c1'] },
      }),
      finished('main/a#1', { outcome: suspended }),
      started('main/c#3', 'c'),
      finished('main/c#3'),
      {
        ...FINISHED,
        outcome: {
          type: 'interrupt',
          interrupts: [expect.objectContaining({ id: 'rb:c1', subagentRunId })],
        },
      },
    ]);
  });

  it('should let subagents that did not end wait with an interrupted run', async () => {
    const a = sub('main/a', 'ra');
    const toolCalls = [{ type: 'tool_use', id: 'c1', name: 'f', input: {} }];

    const events = await convert(
      [a.say('AGENT_START'), say('REQUIRE_USER_CONFIRM', { toolCalls })],
      ATTRIBUTED,
    );

    expect(events.at(-2)).toEqual(
      finished('main/a#1', { outcome: { type: 'suspended' } }),
    );
  });

  it('should never end the run for a subagent', async () => {
    const a = sub('main/a', 'ra');

    const events = await convert(
      [a.say('AGENT_END'), text('go on')],
      ATTRIBUTED,
    );

    expect(events).toEqual([
      STARTED,
      started('main/a#1', 'a'),
      finished('main/a#1'),
      ...message('r1', 'go on'),
      FINISHED,
    ]);
  });
});
