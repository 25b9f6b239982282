import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { conform, isPlainPiece } from './conform.js';

const START = { type: EventType.TEXT_MESSAGE_START, messageId: 'm1' };

describe('conform', () => {
  it.each<[event: { type: string }]>([
    [START],
    [{ ...START, role: 'user', timestamp: 1, metadata: { k: null } } as never],
    [{ type: EventType.STATE_SNAPSHOT, snapshot: null } as never],
    [{ type: EventType.CUSTOM, name: 'n', value: false } as never],
    [{ type: EventType.RAW, event: '' } as never],
  ])('should leave %j as it is', (event) => {
    const conformed = conform(event);
    expect(conformed.event).toBe(event);
    expect(conformed.faults).toEqual([]);
  });

  it.each(['THINKING_START', '', 'toString', '__proto__'])(
    'should refuse the unknown event type "%s"',
    (type) => {
      expect(conform({ type })).toEqual({
        event: undefined,
        faults: ['unknown event type'],
      });
    },
  );

  it('should omit optional nulls without a word', () => {
    const event = {
      type: EventType.TOOL_CALL_START,
      toolCallId: 'c1',
      toolCallName: 'search',
      parentMessageId: null,
      timestamp: null,
      rawEvent: null,
    };
    expect(conform(event)).toEqual({
      event: {
        type: EventType.TOOL_CALL_START,
        toolCallId: 'c1',
        toolCallName: 'search',
      },
      faults: [],
    });
  });

  it('should remove unknown members', () => {
    const event = { ...START, novelty: 1, metadata: { novelty: 1 } };
    expect(conform(event)).toEqual({
      event: { ...START, metadata: { novelty: 1 } },
      faults: ['unknown member /novelty'],
    });
  });

  it.each<[wrong: object]>([
    [{ role: 'wizard' }],
    [{ timestamp: 1.5 }],
    [{ timestamp: '2026-01-01' }],
    [{ metadata: [] }],
    [{ subagentRunId: 7 }],
  ])('should remove the wrong optional of %j', (wrong) => {
    expect(conform({ ...START, ...wrong })).toEqual({
      event: START,
      faults: [`wrong value at /${Object.keys(wrong)[0]!}`],
    });
  });

  it.each<[event: { type: string }, fault: string]>([
    [{ type: EventType.TEXT_MESSAGE_START }, '/messageId'],
    [{ ...START, messageId: null } as never, '/messageId'],
    [{ type: EventType.CUSTOM, name: 'n' } as never, '/value'],
    [{ type: EventType.CUSTOM, name: 'n', value: () => 1 } as never, '/value'],
    [{ type: EventType.RAW, event: Symbol('s') } as never, '/event'],
    [{ type: EventType.STATE_SNAPSHOT } as never, '/snapshot'],
    [
      {
        type: EventType.STATE_DELTA,
        delta: [{ op: 'add', path: 'a', value: 1 }],
      } as never,
      '/delta/0/path',
    ],
    [
      {
        type: EventType.ACTIVITY_SNAPSHOT,
        messageId: 'm1',
        activityType: 'plan',
        content: 'text',
      } as never,
      '/content',
    ],
  ])('should refuse %j for its wrong required member', (event, path) => {
    expect(conform(event)).toEqual({
      event: undefined,
      faults: [`wrong value at ${path}`],
    });
  });

  it('should refuse the whole for one wrong member among several', () => {
    const event = { type: EventType.TEXT_MESSAGE_START, timestamp: 'now' };
    expect(conform(event)).toEqual({
      event: undefined,
      faults: ['wrong value at /timestamp', 'wrong value at /messageId'],
    });
  });

  const FINISHED = {
    type: EventType.RUN_FINISHED,
    threadId: 't1',
    runId: 'r1',
  };

  it.each<[outcome: unknown]>([
    [{ type: 'interrupt', interrupts: [] }],
    [{ type: 'interrupt', interrupts: [{ id: 'i1' }] }],
    [[{ type: 'success' }]],
    ['success'],
  ])(
    'should refuse an end with the malformed outcome %j, as it may be no success',
    (outcome) => {
      const conformed = conform({ ...FINISHED, outcome } as never);
      expect(conformed.event).toBeUndefined();
      expect(conformed.faults[0]).toMatch(/^wrong value at \/outcome/);
    },
  );

  it('should remove an outcome that is not known', () => {
    const outcome = { type: 'paused', until: 'noon' };
    expect(conform({ ...FINISHED, outcome } as never)).toEqual({
      event: FINISHED,
      faults: ['unknown member /outcome'],
    });
  });

  it('should remove a wrong usage and keep the result', () => {
    const usage = [{ inputTokens: -1 }];
    expect(
      conform({ ...FINISHED, usage, result: { ok: true } } as never),
    ).toEqual({
      event: { ...FINISHED, result: { ok: true } },
      faults: ['wrong value at /usage/0/inputTokens'],
    });
  });

  it('should not change the event it is given', () => {
    const event = { ...START, role: 'wizard', novelty: 1, timestamp: null };
    const copy = { ...event };
    conform(event);
    expect(event).toEqual(copy);
  });
});

describe('isPlainPiece', () => {
  const PIECE = {
    type: EventType.TEXT_MESSAGE_CONTENT,
    messageId: 'm1',
    delta: 'x',
  };

  it('should know a piece that needs no closer look', () => {
    expect(isPlainPiece(PIECE, 'messageId')).toBe(true);
    expect(isPlainPiece({ ...PIECE, timestamp: 5 }, 'messageId')).toBe(true);
  });

  it.each<[piece: object]>([
    [{ ...PIECE, delta: undefined }],
    [{ ...PIECE, delta: 5 }],
    [{ ...PIECE, messageId: null }],
    [{ ...PIECE, timestamp: 1.5 }],
    [{ ...PIECE, timestamp: undefined }],
    [{ ...PIECE, metadata: {} }],
    [{ ...PIECE, subagentRunId: 's1' }],
    [{ ...PIECE, toolCallId: 'c1' }],
    [{ type: PIECE.type, messageId: 'm1' }],
    [{ type: PIECE.type, delta: 'x' }],
  ])('should ask for a closer look at %j', (piece) => {
    expect(isPlainPiece(piece, 'messageId')).toBe(false);
  });
});
