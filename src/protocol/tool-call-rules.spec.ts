import { EventType, type Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { call, s1, s2, text } from './events.fixture.js';
import { guarded, inRun, runInput } from './guarded.fixture.js';

const whole = [call.start('c1'), call.args('c1', '{}'), call.end('c1')];

describe('a tool call', () => {
  it('should be opened once: already-open', () => {
    expect(
      inRun([
        call.start('c1'),
        call.args('c1', '{'),
        call.start('c1'),
        call.args('c1', '}'),
        call.end('c1'),
      ]),
    ).toEqual({
      events: [
        call.start('c1'),
        call.args('c1', '{'),
        call.args('c1', '}'),
        call.end('c1'),
      ],
      rules: ['already-open'],
    });
  });

  it('should be closed once, and not before it was opened: not-open', () => {
    expect(inRun([call.end('c1'), ...whole, call.end('c1')])).toEqual({
      events: whole,
      rules: ['not-open', 'not-open'],
    });
  });

  it('should not be invented for arguments, as its name is not known: not-open', () => {
    expect(inRun([call.args('c1', '{}')])).toEqual({
      events: [],
      rules: ['not-open'],
    });
  });

  it('should be opened again for late arguments', () => {
    const late = call.args('c1', ' ');
    expect(inRun([...whole, late, call.end('c1')])).toEqual({
      events: [...whole, call.start('c1'), late, call.end('c1')],
      rules: ['not-open'],
    });
  });

  it('should be the same call when it is opened again', () => {
    const first = call.start('c1', { parentMessageId: 'm1' });
    const again = call.start('c1', {
      toolCallName: 'delete',
      parentMessageId: 'm2',
      timestamp: 5,
    });
    expect(
      inRun([first, call.end('c1'), again, call.end('c1')]).events,
    ).toEqual([
      first,
      call.end('c1'),
      { ...first, timestamp: 5 },
      call.end('c1'),
    ]);
  });

  it('should go on in chunks if a start of its own opened it', () => {
    const chunk = { type: EventType.TOOL_CALL_CHUNK, toolCallId: 'c1' };
    expect(
      inRun([
        call.start('c1'),
        { ...chunk, delta: '{' },
        { ...chunk, delta: '}' },
      ]),
    ).toEqual({
      events: [
        call.start('c1'),
        call.args('c1', '{'),
        call.args('c1', '}'),
        call.end('c1'),
      ],
      rules: [],
    });
  });

  it('should drop empty arguments', () => {
    expect(
      inRun([call.start('c1'), call.args('c1', ''), call.end('c1')]),
    ).toEqual({ events: [call.start('c1'), call.end('c1')], rules: [] });
  });
});

describe('the message that carries a tool call', () => {
  const user: Message = { id: 'u1', role: 'user', content: 'hi' };
  const input = runInput({ messages: [user] });

  it('should be the one that the agent names', () => {
    const sent = [
      text.start('m1', s1),
      call.start('c1', { parentMessageId: 'm1' }),
      call.args('c1', '{}', s1),
      call.end('c1', s1),
      text.end('m1'),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });

  it("should not be the user's: id-of-another-kind", () => {
    const sent = call.start('c1', { parentMessageId: 'u1' });
    expect(inRun([sent, call.end('c1')], input)).toEqual({
      events: [
        call.start('c1', { parentMessageId: 'c1-assistant' }),
        call.end('c1'),
      ],
      rules: ['id-of-another-kind'],
    });
  });

  it('should be found under its new id', () => {
    const { events } = inRun(
      [
        text.start('u1'),
        text.end('u1'),
        call.start('c1', { parentMessageId: 'u1' }),
      ],
      input,
    );
    expect(events[2]).toEqual(call.start('c1', { parentMessageId: 'u1-text' }));
  });

  it("should be no other subagent's: wrong-owner", () => {
    expect(
      inRun([
        text.start('m1', s1),
        text.end('m1'),
        call.start('c1', { parentMessageId: 'm1', ...s2 }),
        call.end('c1'),
      ]),
    ).toEqual({
      events: [
        text.start('m1', s1),
        text.end('m1'),
        call.start('c1', { parentMessageId: 'c1-assistant', ...s2 }),
        call.end('c1'),
      ],
      rules: ['wrong-owner'],
    });
  });

  it("should not take the call's id from another kind of message", () => {
    expect(inRun([call.start('u1'), call.end('u1')], input)).toEqual({
      events: [
        call.start('u1', { parentMessageId: 'u1-assistant' }),
        call.end('u1'),
      ],
      rules: ['id-of-another-kind'],
    });
  });

  it("should keep a later text from taking the call's id for another kind", () => {
    expect(
      inRun([...whole, text.start('c1', { role: 'user' }), text.end('c1')])
        .events,
    ).toEqual([
      ...whole,
      text.start('c1-text', { role: 'user' }),
      text.end('c1-text'),
    ]);
  });
});

describe('the owner of a tool call', () => {
  it("should rule out another's tag: wrong-owner", () => {
    expect(
      inRun([
        call.start('c1', s1),
        call.args('c1', '{}', s2),
        call.end('c1', s2),
      ]),
    ).toEqual({
      events: [call.start('c1', s1), call.args('c1', '{}'), call.end('c1')],
      rules: ['wrong-owner', 'wrong-owner'],
    });
  });

  it('should not get the arguments of another call under the same id', () => {
    expect(
      inRun([
        call.start('c1', s1),
        call.start('c1', s2),
        call.args('c1', '{"a":', s1),
        call.args('c1', '{"b":2}', s2),
        call.args('c1', '1}', s1),
        call.end('c1', s2),
        call.end('c1', s1),
        call.result('c1', 'm2', { ...s2, content: 'of s2' }),
        call.result('c1', 'm1', { ...s1, content: 'of s1' }),
      ]),
    ).toEqual({
      events: [
        call.start('c1', s1),
        call.args('c1', '{"a":', s1),
        call.args('c1', '1}', s1),
        call.end('c1', s1),
        call.result('c1', 'm1', { ...s1, content: 'of s1' }),
      ],
      rules: ['wrong-owner', 'wrong-owner', 'wrong-owner', 'wrong-owner'],
    });
  });

  it('should be that of its message, also after a snapshot changed it', () => {
    const assistant = {
      id: 'm1',
      role: 'assistant',
      content: 'x',
      toolCalls: [
        {
          id: 'c1',
          type: 'function',
          function: { name: 'search', arguments: '' },
        },
      ],
    };
    const snapshot = {
      type: EventType.MESSAGES_SNAPSHOT,
      messages: [{ ...assistant, ...s1 }],
    };
    expect(
      inRun([
        snapshot,
        call.start('c1', s2),
        call.args('c1', '{}', s2),
        call.end('c1', s1),
      ]),
    ).toEqual({
      events: [
        snapshot,
        call.start('c1'),
        call.args('c1', '{}'),
        call.end('c1', s1),
      ],
      rules: ['wrong-owner', 'wrong-owner'],
    });
  });
});

describe('the result of a tool call', () => {
  const result = (rest: object) => ({
    type: EventType.TOOL_CALL_RESULT,
    toolCallId: 'c1',
    ...rest,
  });

  it('should come once: second-result', () => {
    const first = call.result('c1', 'm1');
    expect(inRun([...whole, first, call.result('c1', 'm2')])).toEqual({
      events: [...whole, first],
      rules: ['second-result'],
    });
  });

  it('should pass for a call of an earlier run, or one that is still open', () => {
    const sent = [
      call.result('c9', 'm1'),
      call.start('c1'),
      call.result('c1', 'm2'),
      call.end('c1'),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });

  it('should not share its id with any other message: id-of-another-kind', () => {
    expect(
      inRun([
        text.start('m1'),
        text.end('m1'),
        call.result('c1', 'm1'),
        call.result('c2', 'm1'),
        call.result('c3', 'm3'),
        call.result('c4', 'm3'),
      ]),
    ).toEqual({
      events: [
        text.start('m1'),
        text.end('m1'),
        call.result('c1', 'c1-result'),
        call.result('c2', 'c2-result'),
        call.result('c3', 'm3'),
        call.result('c4', 'c4-result'),
      ],
      rules: ['id-of-another-kind', 'id-of-another-kind', 'id-of-another-kind'],
    });
  });

  it.each([[undefined], [null], [7]])(
    'should get an id for %j',
    (messageId) => {
      expect(inRun([result({ messageId, content: 'ok' })]).events).toEqual([
        result({ messageId: 'c1-result', content: 'ok' }),
      ]);
    },
  );

  it.each<[content: unknown, text: string]>([
    [undefined, ''],
    [null, ''],
    ['', ''],
    [42, '42'],
    [false, 'false'],
    [{ city: 'Paris' }, '{"city":"Paris"}'],
    [{ big: 1n }, '{"big":"1"}'],
    [() => 'later', ''],
    [[1, { type: 'Feature' }], '[1,{"type":"Feature"}]'],
  ])('should be text for %o', (content, asText) => {
    expect(inRun([result({ messageId: 'm1', content })]).events).toEqual([
      result({ messageId: 'm1', content: asText }),
    ]);
  });

  it('should keep parts, less the unknown ones', () => {
    const part = { type: 'text', text: 'x' };
    const content = [part, { type: 'hologram' }];
    expect(inRun([result({ messageId: 'm1', content })])).toEqual({
      events: [result({ messageId: 'm1', content: [part] })],
      rules: ['unknown-or-malformed'],
    });
    expect(inRun([result({ messageId: 'm1', content: [] })]).events).toEqual([
      result({ messageId: 'm1', content: [] }),
    ]);
  });

  it('should come even if its parts are malformed, so that the call is not pending', () => {
    const content = [{ type: 'text' }];
    const { events } = guarded([
      ...whole,
      result({ messageId: 'm1', content }),
      { type: EventType.RUN_FINISHED },
    ]);
    expect(events.slice(-2)).toEqual([
      result({ messageId: 'm1', content: '[{"type":"text"}]' }),
      { type: EventType.RUN_FINISHED, threadId: 't1', runId: 'r1' },
    ]);
  });

  it('should not come for no call at all', () => {
    expect(
      inRun([{ type: EventType.TOOL_CALL_RESULT, content: 'ok' }]),
    ).toEqual({
      events: [],
      rules: ['unknown-or-malformed', 'unknown-or-malformed'],
    });
  });
});
