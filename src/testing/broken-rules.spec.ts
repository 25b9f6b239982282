import { EventType } from '@ag-ui/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { legalChunks, legalRun } from '../protocol/legal-events.fixture.js';
import { brokenRules, type StreamRule } from './broken-rules.js';

const IDS = { threadId: 't1', runId: 'r1' };
const START = { type: 'RUN_STARTED', ...IDS };
const FINISH = { type: 'RUN_FINISHED', ...IDS };
const FAILURE = { type: 'RUN_ERROR', message: 'no' };
const OPEN = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const PIECE = { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm', delta: 'Hi' };
const CLOSE = { type: 'TEXT_MESSAGE_END', messageId: 'm' };
const CALL = { type: 'TOOL_CALL_START', toolCallId: 'c', toolCallName: 'x' };
const RESULT = {
  type: 'TOOL_CALL_RESULT',
  messageId: 'result',
  toolCallId: 'c',
  content: '1',
};

describe('brokenRules', () => {
  it.each<[StreamRule, number, object[]]>([
    ['not-finished', 0, []],
    ['not-finished', 1, [START]],
    ['not-started', 0, [OPEN, PIECE, CLOSE, FINISH]],
    ['another-run', 1, [START, { ...FINISH, runId: 'r2' }]],
    ['another-run', 1, [START, { ...FINISH, threadId: 't2' }]],
    ['second-run-started', 1, [START, START, FINISH]],
    ['after-the-end', 2, [START, FINISH, FINISH]],
    ['after-the-end', 2, [START, FAILURE, FINISH]],
    ['left-open', 2, [START, OPEN, FINISH]],
    ['not-open', 1, [START, CLOSE, FINISH]],
    ['already-open', 2, [START, OPEN, OPEN, CLOSE, FINISH]],
    ['second-result', 2, [START, RESULT, RESULT, FINISH]],
    ['unknown-or-malformed', 1, [START, { type: 'HELLO' }, FINISH]],
    ['unknown-or-malformed', 1, [START, {}, FINISH]],
    ['unknown-or-malformed', 0, [{ ...START, timestamp: null }, FINISH]],
    ['unknown-or-malformed', 1, [START, { ...RESULT, content: {} }, FINISH]],
    [
      'unknown-or-malformed',
      1,
      [START, { ...RESULT, messageId: undefined }, FINISH],
    ],
    ['unknown-or-malformed', 0, [{ type: 'RUN_ERROR' }]],
    ['unknown-or-malformed', 1, [START, { type: 'RUN_FINISHED' }]],
    [
      'id-of-another-kind',
      2,
      [START, RESULT, { ...OPEN, messageId: 'result' }, FAILURE],
    ],
    ['wrong-owner', 2, [START, OPEN, { ...CLOSE, subagentRunId: 's' }, FINISH]],
  ])('should find %s at %i (%#)', (rule, index, events) => {
    const [first, ...more] = brokenRules(events);
    expect(first).toMatchObject({ rule, index });
    expect(more).toEqual([]);
  });

  it('should say which event is wrong, and what is wrong with it', () => {
    expect(brokenRules([START, CLOSE, { ...PIECE, delta: 5 }])).toEqual([
      {
        rule: 'not-open',
        index: 1,
        type: 'TEXT_MESSAGE_END',
        detail: 'text message "m"',
      },
      {
        rule: 'unknown-or-malformed',
        index: 2,
        type: 'TEXT_MESSAGE_CONTENT',
        detail: 'TEXT_MESSAGE_CONTENT: wrong value at /delta',
      },
      {
        rule: 'not-finished',
        index: 3,
        type: undefined,
        detail: 'there is neither RUN_FINISHED nor RUN_ERROR',
      },
    ]);
  });

  it('should find nothing in legal runs', { timeout: 60_000 }, () => {
    for (const legal of [legalRun, legalChunks])
      fc.assert(
        fc.property(legal, (run) => {
          expect(brokenRules(run)).toEqual([]);
        }),
        { numRuns: 100, verbose: true },
      );
  });

  it.each<[string, object[]]>([
    ['a run that fails at once', [FAILURE]],
    ['a run that fails in the middle', [START, OPEN, PIECE, FAILURE]],
    [
      'a call that is left to the front end',
      [START, CALL, { type: 'TOOL_CALL_END', toolCallId: 'c' }, FINISH],
    ],
    [
      'several runs',
      [
        START,
        OPEN,
        CLOSE,
        FINISH,
        { ...START, runId: 'r2' },
        OPEN,
        CLOSE,
        { ...FINISH, runId: 'r2' },
      ],
    ],
    ['a run behind one that failed', [FAILURE, START, FINISH]],
  ])('should find nothing in %s', (_what, events) => {
    expect(brokenRules(events)).toEqual([]);
  });

  it('should hold a stream against what the client sent', () => {
    const messages = [{ id: 'm', role: 'user' as const, content: 'Hi' }];
    const events = [START, OPEN, PIECE, CLOSE, FINISH];
    const input = { ...IDS, protocolVersion: '1.0', messages: [] };
    expect(brokenRules(events, input)).toEqual([]);
    expect(
      brokenRules(events, { ...input, runId: 'r2' }).map(({ rule }) => rule),
    ).toEqual(['another-run', 'another-run']);
    expect(brokenRules(events, { ...input, messages })[0]).toMatchObject({
      rule: 'id-of-another-kind',
    });
    const before = [
      { ...START, runId: 'r0' },
      { ...FINISH, runId: 'r0' },
    ];
    expect(brokenRules([...before, ...events], input)).toEqual([]);
    const { protocolVersion: _, ...older } = input;
    const result = {
      ...RESULT,
      content: [
        {
          type: 'image',
          source: { type: 'url', value: 'https://example.com/x.png' },
        },
      ],
    };
    expect(brokenRules([START, result, FINISH], older)[0]).toMatchObject({
      rule: 'lost-for-an-older-client',
      type: EventType.TOOL_CALL_RESULT,
    });
  });
});
