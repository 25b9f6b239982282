import { describe, expect, it } from 'vitest';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  result,
  STARTED,
  text,
  watchLogs,
} from './adapter.fixture.js';
import { ATTRIBUTED, sub, message, started } from './subagents.fixture.js';

const NATIVE = { emitSubagentEventsAsNative: true };

describe('native subagents', () => {
  expectQuietLogs();

  it('should look like the agent itself, with messages of their own', async () => {
    const a = sub('main/a', 'r1');
    const b = sub('main/b', 'r1');

    const events = await convert(
      [
        text('mine'),
        a.say('AGENT_START', { name: 'A' }),
        a.text('A'),
        b.text('B'),
        ...call('c1', 'f', '{}', a.base),
        ...result('c1', 'ok', a.base),
        a.say('AGENT_END'),
        text(' still'),
      ],
      NATIVE,
    );

    expect(events).toEqual([
      STARTED,
      ...message('r1', 'mine').slice(0, 2),
      ...message('r1-2', 'A').slice(0, 2),
      ...message('r1-3', 'B').slice(0, 2),
      { type: 'TEXT_MESSAGE_END', messageId: 'r1-2' },
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'r1-2',
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
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: ' still' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1-3' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      FINISHED,
    ]);
  });

  it('should be asked for by either name, the newer one winning', async () => {
    const event = text('A', { source: 'main/a' });
    const native = [STARTED, ...message('r1', 'A'), FINISHED];

    expect(await convert([event], NATIVE)).toEqual(native);
    expect(await convert([event], { subagentEvents: 'native' })).toEqual(
      native,
    );
    expect(
      await convert([event], { ...NATIVE, subagentEvents: 'attributed' }),
    ).toContainEqual(started('main/a#1', 'a'));
  });
});

describe('attributed subagents for a client from before AG-UI 1.0', () => {
  const logs = watchLogs();

  it('should lose their brackets but not what they say', async () => {
    const a = sub('main/a', 'ra');

    const events = await convert(
      [a.say('AGENT_START'), a.text('theirs'), a.say('AGENT_END')],
      ATTRIBUTED,
      inputOf({ protocolVersion: undefined }),
    );

    expect(events).toEqual([
      STARTED,
      ...message('ra', 'theirs', 'main/a#1'),
      FINISHED,
    ]);
    expect(logs.warnings).toHaveLength(1);
  });
});
