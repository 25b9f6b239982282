import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import {
  call,
  s1,
  s2,
  span,
  step,
  subagent,
  text,
  thought,
} from './events.fixture.js';
import { guarded, inRun, runInput } from './guarded.fixture.js';
import { ProtocolGuard } from './protocol-guard.js';

const RUN = { threadId: 't1', runId: 'r1' };
const STARTED = {
  type: EventType.RUN_STARTED,
  ...RUN,
  protocolVersion: '1.0',
};
const FINISHED = { type: EventType.RUN_FINISHED, ...RUN };
const FAILED = { type: EventType.RUN_ERROR, message: 'failed' };

describe('ProtocolGuard at the end of a run', () => {
  it('should fail a run that stopped short: not-finished', () => {
    expect(guarded([STARTED, text.start('m1')])).toEqual({
      events: [
        STARTED,
        text.start('m1'),
        {
          type: EventType.RUN_ERROR,
          message: 'The agent ended before it finished the run.',
          code: 'INTERNAL_ERROR',
        },
      ],
      rules: ['not-finished'],
      details: ['the agent ended without AGENT_END'],
    });
  });

  it('should fail a run of which nothing came', () => {
    expect(guarded([]).events.map(({ type }) => type)).toEqual([
      EventType.RUN_STARTED,
      EventType.RUN_ERROR,
    ]);
  });

  it('should drop what comes after the end: after-the-end', () => {
    expect(guarded([FINISHED, FINISHED, FAILED, text.start('m1')])).toEqual({
      events: [STARTED, FINISHED],
      rules: ['after-the-end', 'after-the-end', 'after-the-end'],
      details: ['RUN_FINISHED', 'RUN_ERROR', 'TEXT_MESSAGE_START'],
    });
  });

  it('should drop a finish after an error', () => {
    expect(guarded([FAILED, FINISHED])).toEqual({
      events: [STARTED, FAILED],
      rules: ['after-the-end'],
      details: ['RUN_FINISHED'],
    });
  });

  it('should let one bare finish through after an error if told to', () => {
    const success = { ...FINISHED, outcome: { type: 'success' } };
    const { events, rules } = guarded(
      [FAILED, text.start('m1'), success, FINISHED, FAILED],
      runInput(),
      { finishAfterError: true },
    );
    expect(events).toEqual([STARTED, FAILED, FINISHED]);
    expect(rules).toEqual(['after-the-end', 'after-the-end', 'after-the-end']);
  });

  it('should say when the run has ended', () => {
    const guard = new ProtocolGuard({ input: runInput(), emit: () => {} });
    expect(guard.ended).toBe(false);
    guard.accept(STARTED as never);
    expect(guard.ended).toBe(false);
    guard.accept(FAILED as never);
    expect(guard.ended).toBe(true);
  });

  it('should give an error its message', () => {
    expect(
      guarded([{ type: EventType.RUN_ERROR, code: 'X' }]).events[1],
    ).toEqual({
      type: EventType.RUN_ERROR,
      message: 'The run failed.',
      code: 'X',
    });
  });

  it('should close what is open, the inner before the outer: left-open', () => {
    const opened = [
      subagent.start('s1'),
      subagent.start('s2', { parentSubagentRunId: 's1' }),
      step.start('plan'),
      step.start('plan', { subagentRunId: 's1' }),
      span.start('m1'),
      thought.start('m1'),
      text.start('m2', { subagentRunId: 's2' }),
      call.start('c1'),
    ];
    const { events, rules, details } = guarded([STARTED, ...opened, FINISHED]);
    expect(events.slice(1 + opened.length, -1)).toEqual([
      text.end('m2'),
      thought.end('m1'),
      span.end('m1'),
      call.end('c1'),
      step.end('plan'),
      step.end('plan', { subagentRunId: 's1' }),
      subagent.end('s2'),
      subagent.end('s1'),
    ]);
    expect(rules).toEqual(['left-open']);
    expect(details).toEqual([
      'TEXT_MESSAGE_END, REASONING_MESSAGE_END, REASONING_END, TOOL_CALL_END, STEP_FINISHED, STEP_FINISHED, SUBAGENT_FINISHED, SUBAGENT_FINISHED',
    ]);
  });

  it('should close both of two messages that wanted one id', () => {
    const { events, rules } = inRun([
      text.start('m1', s1),
      text.start('m1', s2),
    ]);
    expect(events.slice(2)).toEqual([text.end('m1'), text.end('m1-text')]);
    expect(rules).toEqual(['wrong-owner', 'left-open']);
  });

  it('should close nothing for an error', () => {
    expect(guarded([STARTED, text.start('m1'), FAILED])).toEqual({
      events: [STARTED, text.start('m1'), FAILED],
      rules: [],
      details: [],
    });
  });
});

describe('ProtocolGuard and the outcome', () => {
  const finish = (outcome?: unknown) =>
    outcome === undefined ? FINISHED : { ...FINISHED, outcome };
  const outcomeAfter = (events: unknown[], outcome?: unknown): unknown =>
    (guarded([...events, finish(outcome)]).events.at(-1) as never)['outcome'];
  const made = (id: string) => [call.start(id), call.end(id)];

  it('should name the calls that were not answered, in their order', () => {
    const events = [
      ...made('c1'),
      ...made('c2'),
      ...made('c3'),
      call.result('c2', 'm9'),
    ];
    const pending = { type: 'success', pendingToolCallIds: ['c1', 'c3'] };
    expect(outcomeAfter(events)).toEqual(pending);
    expect(outcomeAfter(events, { type: 'success' })).toEqual(pending);
  });

  it('should not let the agent name other calls', () => {
    const wrong = { type: 'success', pendingToolCallIds: ['c9'] };
    expect(outcomeAfter(made('c1'), wrong)).toEqual({
      type: 'success',
      pendingToolCallIds: ['c1'],
    });
    expect(outcomeAfter([], wrong)).toEqual({ type: 'success' });
    expect(outcomeAfter([])).toBeUndefined();
  });

  it('should keep the interrupts, each id once', () => {
    const one = { id: 'i1', reason: 'first' };
    const again = { id: 'i1', reason: 'again' };
    const two = { id: 'i2', reason: 'second' };
    expect(
      outcomeAfter(made('c1'), {
        type: 'interrupt',
        interrupts: [one, two, again],
      }),
    ).toEqual({ type: 'interrupt', interrupts: [again, two] });
  });

  it('should suspend the subagents of an interrupted run', () => {
    const interrupt = {
      type: 'interrupt',
      interrupts: [{ id: 'i1', reason: 'ask' }],
    };
    expect(
      guarded([subagent.start('s1'), finish(interrupt)]).events.at(-2),
    ).toEqual(subagent.end('s1', { outcome: { type: 'suspended' } }));
  });

  it('should not make a success of an outcome that it cannot read', () => {
    const { events, rules } = guarded([
      finish({ type: 'interrupt', interrupts: [] }),
    ]);
    expect(events.map(({ type }) => type)).toEqual([
      EventType.RUN_STARTED,
      EventType.RUN_ERROR,
    ]);
    expect(rules).toEqual(['unknown-or-malformed', 'not-finished']);
  });

  it('should cancel on purpose: everything closed, and no success', () => {
    const events: unknown[] = [];
    const rules: string[] = [];
    const guard = new ProtocolGuard({
      input: runInput(),
      emit: (event) => events.push(event),
      onRepair: (rule) => rules.push(rule),
    });
    guard.accept(subagent.start('s1') as never);
    guard.accept(step.start('plan') as never);
    guard.accept(call.start('c1') as never);
    guard.cancel();
    guard.cancel();
    expect(events.slice(4)).toEqual([
      call.end('c1'),
      step.end('plan'),
      {
        type: EventType.SUBAGENT_ERROR,
        subagentRunId: 's1',
        message: 'The run was cancelled.',
        code: 'CANCELLED',
      },
      { ...FINISHED, outcome: { type: 'cancelled' } },
    ]);
    expect(rules).toEqual([]);
  });
});
