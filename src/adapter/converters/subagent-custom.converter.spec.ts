import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../agent/agent-event.js';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  result,
  runOf,
  say,
  STARTED,
  text,
  thinking,
} from '../adapter.fixture.js';

const source = 'main/researcher';
const custom = (name: string, value: object) => ({
  type: 'CUSTOM',
  name: `subagent.${name}`,
  value: { source, ...value },
});
const raw = (event: AgentEvent) => ({ type: 'RAW', event, source });

describe('subagentCustomConverter', () => {
  expectQuietLogs();

  it('should keep a subagent apart from the run, in CUSTOM events', async () => {
    const textStart = say('TEXT_BLOCK_START', { source });
    const [, delta] = call('c1', 'search', '{}', { source });
    const [resultStart, resultText] = result('c1', 'found', { source });

    const events = await convert([
      text('mine'),
      say('AGENT_START', { source, name: 'Researcher' }),
      textStart,
      text('theirs', { source }),
      thinking('hm', { source }),
      ...call('c1', 'search', '{}', { source }),
      ...result('c1', 'found', { source, toolCallName: 'search' }),
      say('REQUIRE_USER_CONFIRM', { source, toolCalls: [{}, {}] }),
      say('AGENT_END', { source }),
      text(' still'),
    ]);

    expect(events).toEqual([
      STARTED,
      { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'mine' },
      custom('lifecycle', { type: 'AGENT_START', name: 'Researcher' }),
      raw(textStart),
      custom('text', { type: 'TEXT_BLOCK_DELTA', delta: 'theirs' }),
      custom('thinking', { type: 'THINKING_BLOCK_DELTA', delta: 'hm' }),
      custom('tool_call', {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolName: 'search',
      }),
      raw(delta!),
      custom('tool_call', {
        type: 'TOOL_CALL_END',
        toolCallId: 'c1',
        toolName: 'search',
      }),
      raw({ ...resultStart, toolCallName: 'search' } as AgentEvent),
      raw({ ...resultText, toolCallName: 'search' } as AgentEvent),
      custom('tool_result', {
        type: 'TOOL_RESULT_END',
        toolCallId: 'c1',
        toolName: 'search',
        state: 'success',
      }),
      custom('require_confirm', {
        type: 'REQUIRE_USER_CONFIRM',
        toolCallCount: 2,
      }),
      custom('lifecycle', { type: 'AGENT_END' }),
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: ' still' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      FINISHED,
    ]);
  });

  it.each([
    say('CUSTOM', { source, name: 'x', value: 1 }),
    say('MODEL_CALL_END', { source }),
    say('AGENT_RESULT', { source }),
    say('HINT_BLOCK', { source }),
  ])('should send what has no form of its own as RAW (%#)', async (event) => {
    expect(await convert([event])).toEqual([STARTED, raw(event), FINISHED]);
  });

  it("should share the run's state, unless that is kept back", async () => {
    const event = say('STATE_UPDATE', { source, state: { a: 1 } });

    expect(await convert([event])).toEqual([
      STARTED,
      { type: 'STATE_SNAPSHOT', snapshot: { a: 1 } },
      FINISHED,
    ]);
    expect(await convert([event], { emitStateEvents: false })).toEqual([
      STARTED,
      FINISHED,
    ]);
  });

  it('should keep arguments back if they are not to be sent', async () => {
    const events = await convert(
      call('c1', 'search', '{"secret":1}', { source }),
      { emitToolCallArgs: false },
    );

    expect(events).toEqual([
      STARTED,
      custom('tool_call', {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolName: 'search',
      }),
      custom('tool_call', {
        type: 'TOOL_CALL_END',
        toolCallId: 'c1',
        toolName: 'search',
      }),
      FINISHED,
    ]);
  });

  it('should know a subagent without a name, and a question about nothing', async () => {
    const events = await convert([
      say('AGENT_START', { source }),
      say('REQUIRE_USER_CONFIRM', { source }),
    ]);

    expect(events).toEqual([
      STARTED,
      custom('lifecycle', { type: 'AGENT_START' }),
      custom('require_confirm', {
        type: 'REQUIRE_USER_CONFIRM',
        toolCallCount: 0,
      }),
      FINISHED,
    ]);
  });

  it('should take legacy names for what they are', async () => {
    const event = say('REPLY_START' as never, { source, name: 'Researcher' });

    expect(await convert([event])).toEqual([
      STARTED,
      custom('lifecycle', { type: 'AGENT_START', name: 'Researcher' }),
      FINISHED,
    ]);
  });

  it.each([null, '', '  '])(
    'should take the source %j for the agent itself',
    async (nobody) => {
      const own = { source: nobody };

      const events = await runOf([
        text('hi', own),
        say('HINT_BLOCK', own),
        say('AGENT_END', own),
      ]);

      expect(events).toEqual([
        STARTED,
        { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
        { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'hi' },
        { type: 'RAW', event: say('HINT_BLOCK'), source: 'agent' },
        { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
        FINISHED,
      ]);
    },
  );
});
