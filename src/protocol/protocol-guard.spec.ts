import { EventType, type Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { call, subagent, text, thought } from './events.fixture.js';
import { guarded, inRun, legacyInput, runInput } from './guarded.fixture.js';

const RUN = { threadId: 't1', runId: 'r1' };
const STARTED = {
  type: EventType.RUN_STARTED,
  ...RUN,
  protocolVersion: '1.0',
};
const FINISHED = { type: EventType.RUN_FINISHED, ...RUN };
const FAILED = { type: EventType.RUN_ERROR, message: 'failed' };

describe('ProtocolGuard at the start of a run', () => {
  it('should announce the run under its own ids and version', () => {
    const sent = {
      type: EventType.RUN_STARTED,
      threadId: 'other',
      timestamp: 5,
    };
    expect(guarded([sent, FINISHED])).toEqual({
      events: [{ ...STARTED, timestamp: 5 }, FINISHED],
      rules: [],
      details: [],
    });
  });

  it('should announce what the agent did not', () => {
    const { events, rules } = guarded([text.start('m1'), text.end('m1')]);
    expect(events.slice(0, 2)).toEqual([STARTED, text.start('m1')]);
    expect(rules).toEqual(['not-finished']);
  });

  it('should announce a run that fails at once', () => {
    expect(guarded([FAILED]).events).toEqual([STARTED, FAILED]);
  });

  it('should name the run that spawned this one', () => {
    const { events } = guarded([FINISHED], runInput({ parentRunId: 'r0' }));
    expect(events[0]).toEqual({ ...STARTED, parentRunId: 'r0' });
  });

  it('should drop a second start: second-run-started', () => {
    expect(inRun([STARTED, text.start('m1'), STARTED, text.end('m1')])).toEqual(
      {
        events: [text.start('m1'), text.end('m1')],
        rules: ['second-run-started', 'second-run-started'],
      },
    );
  });
});

describe('ProtocolGuard and events that are none', () => {
  it.each<[sent: unknown]>([
    [null],
    [undefined],
    ['TEXT_MESSAGE_START'],
    [7],
    [[]],
    [{}],
    [{ type: 7 }],
    [{ type: Symbol('s') }],
    [{ type: Object.create(null) as unknown }],
  ])('should drop %o: unknown-or-malformed', (sent) => {
    expect(guarded([sent, FINISHED])).toEqual({
      events: [STARTED, FINISHED],
      rules: ['unknown-or-malformed'],
      details: ['what has no type is no event'],
    });
  });

  it.each<[sent: object]>([
    [{ type: 'NOVEL', messageId: 'm1', delta: 'x' }],
    [{ type: 'NOVEL', toolCallId: 'c1', delta: 'x' }],
    [call.args('c1', 5 as never)],
  ])('should drop %j, which only looks like a piece', (sent) => {
    const opened = [text.start('m1'), call.start('c1')];
    expect(inRun([...opened, sent])).toEqual({
      events: [...opened, text.end('m1'), call.end('c1')],
      rules: ['unknown-or-malformed', 'left-open'],
    });
  });

  it('should drop an unknown type and name it', () => {
    expect(guarded([{ type: 'THINKING_START' }, FINISHED])).toEqual({
      events: [STARTED, FINISHED],
      rules: ['unknown-or-malformed'],
      details: ['THINKING_START: unknown event type'],
    });
  });

  it('should drop what is wrong and keep the rest', () => {
    const sent = text.start('m1', { mood: 'good', timestamp: 'now' });
    const { events, details } = guarded([sent, text.end('m1'), FINISHED]);
    expect(events.slice(1, -1)).toEqual([text.start('m1'), text.end('m1')]);
    expect(details).toEqual([
      'TEXT_MESSAGE_START: unknown member /mood',
      'TEXT_MESSAGE_START: wrong value at /timestamp',
    ]);
  });

  it('should take a closer look at pieces that carry more', () => {
    const sent = text.content('m1', 'x', { mood: 'good', metadata: { k: 1 } });
    expect(
      inRun([text.start('m1'), sent, text.content('m1', 5 as never)]),
    ).toEqual({
      events: [
        text.start('m1'),
        text.content('m1', 'x', { metadata: { k: 1 } }),
        text.end('m1'),
      ],
      rules: ['unknown-or-malformed', 'unknown-or-malformed', 'left-open'],
    });
  });

  it('should say the only role that reasoning can have', () => {
    const { role: _, ...roleless } = thought.start('m1');
    expect(inRun([roleless, thought.end('m1')])).toEqual({
      events: [thought.start('m1'), thought.end('m1')],
      rules: [],
    });
  });
});

describe('ProtocolGuard and chunks', () => {
  const chunk = { type: EventType.TEXT_MESSAGE_CHUNK };

  it('should spell them out, to the end', () => {
    expect(
      inRun([
        { ...chunk, messageId: 'm1', delta: 'a' },
        { ...chunk, delta: '' },
        { ...chunk, delta: 'b' },
      ]),
    ).toEqual({
      events: [
        text.start('m1'),
        text.content('m1', 'a'),
        text.content('m1', 'b'),
        text.end('m1'),
      ],
      rules: [],
    });
  });

  it('should end them before a failure', () => {
    const { events } = guarded([{ ...chunk, messageId: 'm1' }, FAILED]);
    expect(events).toEqual([STARTED, text.start('m1'), text.end('m1'), FAILED]);
  });

  it('should drop those that continue nothing: not-open', () => {
    expect(inRun([{ ...chunk, delta: 'a' }])).toEqual({
      events: [],
      rules: ['not-open'],
    });
  });

  it('should make one message of the two spellings', () => {
    expect(
      inRun([
        text.start('m1'),
        { ...chunk, messageId: 'm1', delta: 'a' },
        text.end('m1'),
      ]),
    ).toEqual({
      events: [text.start('m1'), text.content('m1', 'a'), text.end('m1')],
      rules: ['already-open', 'not-open'],
    });
  });
});

describe('ProtocolGuard and the conversation', () => {
  const u1: Message = { id: 'u1', role: 'user', content: 'hi' };
  const snapshot = (messages: unknown[]) => ({
    type: EventType.MESSAGES_SNAPSHOT,
    messages,
  });

  it('should not delete it: empty-messages-snapshot', () => {
    expect(inRun([snapshot([])], runInput({ messages: [u1] }))).toEqual({
      events: [],
      rules: ['empty-messages-snapshot'],
    });
  });

  it('should not delete it by a snapshot of unknown roles', () => {
    expect(
      inRun(
        [snapshot([{ id: 'x', role: 'oracle' }])],
        runInput({ messages: [u1] }),
      ),
    ).toEqual({
      events: [],
      rules: ['unknown-or-malformed', 'empty-messages-snapshot'],
    });
  });

  it('should not delete what has just been said', () => {
    const said = [text.start('m1'), text.content('m1', 'x'), text.end('m1')];
    expect(inRun([...said, snapshot([])])).toEqual({
      events: said,
      rules: ['empty-messages-snapshot'],
    });
  });

  it('should let an empty snapshot say that there is no conversation', () => {
    expect(inRun([snapshot([])])).toEqual({
      events: [snapshot([])],
      rules: [],
    });
  });
});

describe('ProtocolGuard and a client from before 1.0', () => {
  it('should send the earlier form: lost-for-an-older-client', () => {
    const sent = [
      subagent.start('s1'),
      text.start('m1', { subagentRunId: 's1' }),
      text.end('m1'),
      subagent.end('s1'),
      call.start('c1'),
      call.end('c1'),
    ];
    expect(guarded([...sent, FINISHED], legacyInput())).toEqual({
      events: [
        STARTED,
        text.start('m1', { subagentRunId: 's1' }),
        text.end('m1'),
        call.start('c1'),
        call.end('c1'),
        { ...FINISHED, outcome: { type: 'success' } },
      ],
      rules: ['lost-for-an-older-client', 'lost-for-an-older-client'],
      details: ['SUBAGENT_STARTED', 'SUBAGENT_FINISHED'],
    });
  });

  it('should end a cancelled run with an error', () => {
    const cancelled = { ...FINISHED, outcome: { type: 'cancelled' } };
    expect(guarded([cancelled], legacyInput()).events).toEqual([
      STARTED,
      {
        type: EventType.RUN_ERROR,
        message: 'The run was cancelled.',
        code: 'CANCELLED',
      },
    ]);
  });

  it('should not lessen a stream for any version that is declared', () => {
    const input = runInput({ protocolVersion: '2.7' });
    expect(inRun([subagent.start('s1'), subagent.end('s1')], input)).toEqual({
      events: [subagent.start('s1'), subagent.end('s1')],
      rules: [],
    });
  });
});
