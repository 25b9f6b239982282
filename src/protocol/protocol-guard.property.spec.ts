import { EventType, type Message } from '@ag-ui/core';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import { guarded, legacyInput, runInput } from './guarded.fixture.js';
import { disorderlyText, hostileRun } from './hostile-events.fixture.js';
import { legalChunks, legalRun } from './legal-events.fixture.js';
import {
  expandedBy10,
  objectionsOf0059,
  objectionsOf10,
  received,
} from './official-clients.fixture.js';

const TIMEOUT = 60_000;

const history = fc.constantFrom<Message[]>(
  [],
  [
    { id: 'u1', role: 'user', content: 'hello' },
    { id: 'b', role: 'assistant', content: 'hi' },
  ],
);

describe('ProtocolGuard, whatever an agent sends', () => {
  it(
    'should send a stream that the 1.0 client takes without a warning',
    () => {
      fc.assert(
        fc.property(hostileRun, history, (run, messages) => {
          const events = received(guarded(run, runInput({ messages })).events);
          expect(objectionsOf10(events)).toEqual([]);
          expectOneTerminal(events);
        }),
        { numRuns: 1200, verbose: true },
      );
    },
    TIMEOUT,
  );

  it(
    'should send a stream that clients from before 1.0 take',
    () => {
      fc.assert(
        fc.property(hostileRun, history, (run, messages) => {
          const input = legacyInput({ messages });
          const events = received(guarded(run, input).events);
          expect(objectionsOf0059(events)).toEqual([]);
          expectOneTerminal(events);
        }),
        { numRuns: 800, verbose: true },
      );
    },
    TIMEOUT,
  );
});

describe('ProtocolGuard and a legal run', () => {
  it(
    'should change nothing',
    () => {
      fc.assert(
        fc.property(legalRun, (run) => {
          expect(objectionsOf10(run)).toEqual([]);
          expect(guarded(run)).toEqual({ events: run, rules: [], details: [] });
        }),
        { numRuns: 400, verbose: true },
      );
    },
    TIMEOUT,
  );

  it(
    'should spell chunks out as the 1.0 client does',
    () => {
      fc.assert(
        fc.property(legalChunks, (run) => {
          expect(guarded(run).events).toEqual(expandedBy10(run));
        }),
        { numRuns: 400, verbose: true },
      );
    },
    TIMEOUT,
  );
});

describe('ProtocolGuard and text in disorder', () => {
  it(
    'should lose no piece of it and keep the order',
    () => {
      fc.assert(
        fc.property(disorderlyText, (run) => {
          const pieces = (events: readonly AguiEvent[]) =>
            events.flatMap((event) => ('delta' in event ? [event.delta] : []));
          expect(pieces(guarded(run).events)).toEqual(pieces(run));
        }),
        { numRuns: 400, verbose: true },
      );
    },
    TIMEOUT,
  );
});

function expectOneTerminal(events: readonly AguiEvent[]): void {
  const types = events.map(({ type }) => type);
  const terminals = types.filter(
    (type) => type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR,
  );
  expect(types[0]).toBe(EventType.RUN_STARTED);
  expect(terminals).toEqual([types.at(-1)]);
}
