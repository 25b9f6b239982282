import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import {
  call,
  s1,
  s2,
  step,
  subagent,
  text,
  thought,
} from './events.fixture.js';
import { guarded, inRun, runInput } from './guarded.fixture.js';

describe('steps', () => {
  it('should be opened and closed once: already-open, not-open', () => {
    expect(
      inRun([
        step.end('plan'),
        step.start('plan'),
        step.start('plan'),
        step.end('plan'),
        step.end('plan'),
      ]),
    ).toEqual({
      events: [step.start('plan'), step.end('plan')],
      rules: ['not-open', 'already-open', 'not-open'],
    });
  });

  it('should be of one owner each', () => {
    const empty = { subagentRunId: '' };
    const sent = [
      step.start('plan'),
      step.start('plan', s1),
      step.start('plan', empty),
      step.end('plan'),
      step.end('plan', empty),
      step.end('plan', s1),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });

  it('should not be closed by somebody else: not-open', () => {
    expect(inRun([step.start('plan'), step.end('plan', s1)])).toEqual({
      events: [step.start('plan'), step.end('plan')],
      rules: ['not-open', 'left-open'],
    });
  });
});

describe('subagents', () => {
  it('should start once, also after they ended: already-open', () => {
    expect(
      inRun([
        subagent.start('s1'),
        subagent.start('s1'),
        subagent.end('s1'),
        subagent.start('s1'),
      ]),
    ).toEqual({
      events: [subagent.start('s1'), subagent.end('s1')],
      rules: ['already-open', 'already-open'],
    });
  });

  it('should end once, and not before they started: not-open', () => {
    const failed = {
      type: EventType.SUBAGENT_ERROR,
      subagentRunId: 's1',
      message: 'failed',
    };
    expect(
      inRun([failed, subagent.start('s1'), failed, subagent.end('s1')]),
    ).toEqual({
      events: [subagent.start('s1'), failed],
      rules: ['not-open', 'not-open'],
    });
  });

  it.each(['s1', 's9'])(
    'should not be started by %s, which was not: not-open',
    (parentSubagentRunId) => {
      expect(
        inRun([
          subagent.start('s1', { parentSubagentRunId }),
          subagent.end('s1'),
        ]),
      ).toEqual({
        events: [subagent.start('s1'), subagent.end('s1')],
        rules: ['not-open'],
      });
    },
  );

  it('should keep a parent that runs or has run', () => {
    const sent = [
      subagent.start('s1'),
      subagent.start('s2', { parentSubagentRunId: 's1' }),
      subagent.end('s1'),
      subagent.start('s3', { parentSubagentRunId: 's1' }),
      subagent.end('s3'),
      subagent.end('s2'),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });

  it('should be able to speak without having been announced', () => {
    const sent = [
      text.start('m1', s1),
      text.content('m1', 'x'),
      text.content('m1', 'y', s1),
      text.end('m1', s1),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });
});

describe('activities', () => {
  const snapshot = (messageId: string, rest: object = {}) => ({
    type: EventType.ACTIVITY_SNAPSHOT,
    messageId,
    activityType: 'plan',
    content: {},
    ...rest,
  });
  const delta = (messageId: string, rest: object = {}) => ({
    type: EventType.ACTIVITY_DELTA,
    messageId,
    activityType: 'plan',
    patch: [],
    ...rest,
  });

  it('should not share their id with text: id-of-another-kind', () => {
    expect(
      inRun([
        text.start('m1'),
        text.end('m1'),
        snapshot('m1'),
        delta('m1'),
        snapshot('m1'),
      ]),
    ).toEqual({
      events: [
        text.start('m1'),
        text.end('m1'),
        snapshot('m1-activity'),
        delta('m1-activity'),
        snapshot('m1-activity'),
      ],
      rules: ['id-of-another-kind'],
    });
  });

  it('should pass a delta to an activity of an earlier run', () => {
    expect(inRun([delta('m1', s1)])).toEqual({
      events: [delta('m1', s1)],
      rules: [],
    });
  });

  it('should belong to whoever creates them, without replacing any: wrong-owner', () => {
    const created = snapshot('m1', { replace: false, ...s1 });
    expect(inRun([created, delta('m1', s2)])).toEqual({
      events: [created, delta('m1')],
      rules: ['wrong-owner'],
    });
  });

  it('should belong to whoever replaces them: wrong-owner', () => {
    expect(
      inRun([
        snapshot('m1', s1),
        delta('m1', s2),
        snapshot('m1', s2),
        delta('m1', s2),
        snapshot('m1', { replace: false, ...s1 }),
        delta('m1', s1),
      ]),
    ).toEqual({
      events: [
        snapshot('m1', s1),
        delta('m1'),
        snapshot('m1', s2),
        delta('m1', s2),
        snapshot('m1', { replace: false }),
        delta('m1'),
      ],
      rules: ['wrong-owner', 'wrong-owner', 'wrong-owner'],
    });
  });
});

describe('a snapshot of the messages', () => {
  const snapshot = (...messages: object[]) => ({
    type: EventType.MESSAGES_SNAPSHOT,
    messages,
  });
  const user = { id: 'u1', role: 'user', content: 'hi' } as const;
  const input = runInput({ messages: [user] });
  const assistant = (id: string, rest: object = {}) => ({
    id,
    role: 'assistant',
    content: 'x',
    ...rest,
  });
  const reasoning = (id: string) => ({ id, role: 'reasoning', content: 'hm' });
  const tool = (id: string, toolCallId: string) => ({
    id,
    role: 'tool',
    toolCallId,
    content: 'ok',
  });

  it('should name messages as the stream named them: id-of-another-kind', () => {
    const streamed = [
      thought.start('m1'),
      thought.end('m1'),
      text.start('m1'),
      text.end('m1'),
      call.result('c1', 'm1'),
    ];
    const { events, rules } = inRun([
      ...streamed,
      snapshot(reasoning('m1'), assistant('m1'), tool('m1', 'c1')),
      text.start('m1'),
      text.end('m1'),
    ]);
    expect(events.slice(streamed.length)).toEqual([
      snapshot(reasoning('m1'), assistant('m1-text'), tool('c1-result', 'c1')),
      text.start('m1-text'),
      text.end('m1-text'),
    ]);
    expect(new Set(rules)).toEqual(new Set(['id-of-another-kind']));
  });

  it('should not use one id for two kinds of message', () => {
    expect(inRun([snapshot(assistant('m1'), tool('m1', 'c1'))])).toEqual({
      events: [snapshot(assistant('m1'), tool('m1-text', 'c1'))],
      rules: ['id-of-another-kind'],
    });
  });

  it('should leave what the user said where it is', () => {
    const sent = [
      text.start('u1'),
      text.end('u1'),
      snapshot(user, assistant('u1')),
    ];
    expect(inRun(sent, input).events.at(-1)).toEqual(
      snapshot(user, assistant('u1-text')),
    );
  });

  it('should let instructions change their role', () => {
    const system = { id: 'i1', role: 'system', content: 'be kind' } as const;
    const restated = snapshot({ ...system, role: 'developer' });
    expect(inRun([restated], runInput({ messages: [system] }))).toEqual({
      events: [restated],
      rules: [],
    });
  });

  it('should decide who owns its messages: wrong-owner', () => {
    const restated = snapshot(assistant('m1', s1));
    expect(
      inRun([
        text.start('m1'),
        text.end('m1'),
        restated,
        text.start('m1', s1),
        text.content('m1', 'x', s2),
        text.end('m1', s1),
      ]),
    ).toEqual({
      events: [
        text.start('m1'),
        text.end('m1'),
        restated,
        text.start('m1', s1),
        text.content('m1', 'x'),
        text.end('m1', s1),
      ],
      rules: ['wrong-owner'],
    });
  });

  it('should be heard when a start echoes it as the input', () => {
    const started = {
      type: EventType.RUN_STARTED,
      input: {
        threadId: 't1',
        runId: 'r1',
        messages: [assistant('m1'), reasoning('m2')],
      },
    };
    const { events } = guarded([
      started,
      text.start('m1', s1),
      text.start('m2'),
    ]);
    expect(events.slice(1, 3)).toEqual([
      text.start('m1-text', s1),
      text.start('m2-text'),
    ]);
  });
});

describe('events that stand alone', () => {
  it('should pass anywhere in a run', () => {
    const sent = [
      { type: EventType.STATE_SNAPSHOT, snapshot: null, ...s1 },
      {
        type: EventType.STATE_DELTA,
        delta: [{ op: 'remove', path: '/a', value: 'left over' }],
      },
      { type: EventType.RAW, event: { type: 'RUN_FINISHED' }, source: 'p' },
      { type: EventType.CUSTOM, name: 'n', value: null, metadata: { k: null } },
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });
});
