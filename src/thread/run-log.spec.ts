import { EventType, type Message } from '@ag-ui/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from '../protocol/agui-event.js';
import { guarded } from '../protocol/guarded.fixture.js';
import { legalRun } from '../protocol/legal-events.fixture.js';
import {
  objectionsOf10,
  received,
} from '../protocol/official-clients.fixture.js';
import { continued, type Conversation } from './conversation.js';
import { EVENTS_DROPPED, RunLog } from './run-log.js';

const TIMEOUT = 60_000;
const RUN = { threadId: 't1', runId: 'r1' };
const EMPTY: Conversation = { messages: [], state: {} };

const begin = (messageId: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_START,
  messageId,
  role: 'assistant',
});
const say = (messageId: string, delta: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_CONTENT,
  messageId,
  delta,
});

function snapshotOf(messages: readonly Message[]): AguiEvent[] {
  return messages.length === 0
    ? []
    : [{ type: EventType.MESSAGES_SNAPSHOT, messages: [...messages] }];
}

/** What somebody hears who comes after some of the events. */
function heardFrom(log: RunLog, rest: readonly AguiEvent[]): AguiEvent[] {
  const { messages, state } = log.start;
  return [
    { type: EventType.RUN_STARTED, ...RUN },
    ...snapshotOf(messages),
    { type: EventType.STATE_SNAPSHOT, snapshot: state ?? {} },
    ...[...log.sinceStart(), ...rest].filter(
      ({ type }) => type !== EventType.RUN_STARTED,
    ),
  ];
}

describe('RunLog', () => {
  it('should keep texts in one piece', () => {
    const log = new RunLog(EMPTY, 1000);
    for (const event of [begin('a'), begin('b')]) log.add(event);
    for (let n = 0; n < 100; n++) log.add(say('a', 'x'));
    log.add(say('b', 'y'));
    log.add(say('a', 'z'));
    expect(log.sinceStart()).toEqual([
      begin('a'),
      begin('b'),
      say('a', 'x'.repeat(100)),
      say('b', 'y'),
      say('a', 'z'),
    ]);
  });

  it('should leave the events alone that it was given', () => {
    const log = new RunLog(EMPTY, 1000);
    const first = say('a', 'x');
    log.add(first);
    const before = log.sinceStart();
    log.add(say('a', 'y'));
    expect(first).toEqual(say('a', 'x'));
    expect(before).toEqual([say('a', 'x')]);
  });

  it('should tell once that events were dropped, until more are', () => {
    const log = new RunLog(EMPTY, 500);
    const note: AguiEvent = {
      type: EventType.CUSTOM,
      name: 'note',
      value: 'x'.repeat(300),
    };
    expect(log.add(note)).toBe(false);
    expect(log.add(note)).toBe(true);
    expect(log.sinceStart()).toEqual([
      { type: EventType.CUSTOM, name: EVENTS_DROPPED, value: {} },
    ]);
  });

  it('should stay inside its limit, whatever a run says', () => {
    const log = new RunLog(EMPTY, 10_000);
    for (let n = 0; n < 2_000; n++) {
      log.add(begin(`m${n}`));
      log.add(say(`m${n}`, 'some words'));
      log.add({ type: EventType.TEXT_MESSAGE_END, messageId: `m${n}` });
    }
    expect(JSON.stringify(log.sinceStart()).length).toBeLessThan(15_000);
    expect(log.conversation().messages).toHaveLength(2_000);
  });

  it(
    'should give who comes later a legal stream that ends in the same conversation',
    () => {
      fc.assert(
        fc.property(
          legalRun,
          fc.constantFrom(1, 300, 1000, 100_000),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (run, limit, share) => {
            const events = received(guarded(run).events);
            const at = Math.floor(events.length * share);
            const log = new RunLog(EMPTY, limit);
            for (const event of events.slice(0, at)) log.add(event);
            const heard = guarded(heardFrom(log, events.slice(at)));
            expect(heard.rules).toEqual([]);
            expect(objectionsOf10(received(heard.events))).toEqual([]);
            const then = continued(EMPTY, heard.events);
            const now = continued(EMPTY, events);
            expect(then.messages).toEqual(now.messages);
            expect(then.state ?? {}).toEqual(now.state ?? {});
          },
        ),
        { numRuns: 300 },
      );
    },
    TIMEOUT,
  );
});
