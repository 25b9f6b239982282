import { describe, expect, it } from 'vitest';
import { AgentEventType, type AgentEvent } from './agent-event.js';
import { inCurrentForm } from './current-form.js';

const event = (fields: object) => fields as AgentEvent;

describe('inCurrentForm', () => {
  it('should make text of ids that are numbers, and none of what names nothing', () => {
    const ids = { replyId: 7, blockId: 8n, toolCallId: {} };

    expect(inCurrentForm(event({ type: 'TOOL_CALL_START', ...ids }))).toEqual({
      type: 'TOOL_CALL_START',
      replyId: '7',
      blockId: '8',
      toolCallId: undefined,
    });
  });

  it.each([
    ['RUN_STARTED', 'AGENT_START'],
    ['REPLY_START', 'AGENT_START'],
    ['RUN_FINISHED', 'AGENT_END'],
    ['REPLY_END', 'AGENT_END'],
    ['MODEL_CALL_STARTED', 'MODEL_CALL_START'],
    ['MODEL_CALL_ENDED', 'MODEL_CALL_END'],
    ['BINARY_BLOCK_START', 'DATA_BLOCK_START'],
    ['BINARY_BLOCK_DELTA', 'DATA_BLOCK_DELTA'],
    ['BINARY_BLOCK_END', 'DATA_BLOCK_END'],
    ['TOOL_RESULT_BINARY_DELTA', 'TOOL_RESULT_DATA_DELTA'],
    ['THREAD_EXPOSED', 'SUBAGENT_EXPOSED'],
  ])('should know %s as %s', (legacy, type) => {
    expect(
      inCurrentForm(event({ type: legacy, replyId: 'r1', source: 'main/a' })),
    ).toEqual({ type, replyId: 'r1', source: 'main/a' });
  });

  it.each([
    ...Object.keys(AgentEventType),
    'SOMETHING_NEW',
    'constructor',
    '__proto__',
  ])('should leave %s as it is', (type) => {
    const current = event({ type });
    const sourced = event({ type, source: 'main/a' });

    expect(inCurrentForm(current)).toBe(current);
    expect(inCurrentForm(sourced)).toBe(sourced);
  });

  it.each([null, '', '  ', 7])(
    'should take away the source %j, which names nobody',
    (source) => {
      expect(
        inCurrentForm(event({ type: 'AGENT_END', replyId: 'r1', source })),
      ).toStrictEqual({ type: 'AGENT_END', replyId: 'r1' });
    },
  );
});
