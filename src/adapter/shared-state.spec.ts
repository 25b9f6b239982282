import type { JsonPatch } from '@ag-ui/core';
import fc from 'fast-check';
import jsonPatch, { type Operation } from 'fast-json-patch';
import { describe, expect, it } from 'vitest';
import type { StateUpdateMode } from '../agent/agent-event.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { SharedState } from './shared-state.js';
import { convert, expectQuietLogs, inputOf, say } from './adapter.fixture.js';

/** What a client holds after an event, by the library that clients use. */
function applied(state: unknown, event: AguiEvent): unknown {
  if (event.type === 'STATE_SNAPSHOT') return event.snapshot;
  if (event.type !== 'STATE_DELTA') return state;
  const patch = structuredClone(event.delta) as Operation[];
  return jsonPatch.applyPatch(state, patch, true, false).newDocument;
}

/** The patch from one state to another. */
function patch(before: unknown, after: unknown): JsonPatch | undefined {
  const event = new SharedState(before).eventFor(after, 'DELTA');
  return event?.type === 'STATE_DELTA' ? event.delta : undefined;
}

const asJson = (value: unknown): unknown => JSON.parse(JSON.stringify(value));

describe('SharedState', () => {
  it.each([
    [{ a: 1 }, { a: 2 }, [{ op: 'replace', path: '/a', value: 2 }]],
    [{}, { a: 1 }, [{ op: 'add', path: '/a', value: 1 }]],
    [{ a: 1 }, {}, [{ op: 'remove', path: '/a' }]],
    [{ a: [1] }, { a: [1, 2] }, [{ op: 'add', path: '/a/1', value: 2 }]],
    [{ a: 0 }, { a: null }, [{ op: 'replace', path: '/a', value: null }]],
    [{ a: '' }, { a: false }, [{ op: 'replace', path: '/a', value: false }]],
    [
      { 'a/b~c': 1 },
      { 'a/b~c': 2 },
      [{ op: 'replace', path: '/a~1b~0c', value: 2 }],
    ],
    [[1], [2], [{ op: 'replace', path: '/0', value: 2 }]],
    [{ a: 1 }, [1], [{ op: 'replace', path: '', value: [1] }]],
    [[1], { a: 1 }, [{ op: 'replace', path: '', value: { a: 1 } }]],
    [{ a: 1 }, null, [{ op: 'replace', path: '', value: null }]],
    [{ a: 1 }, 0, [{ op: 'replace', path: '', value: 0 }]],
    ['text', { a: 1 }, [{ op: 'replace', path: '', value: { a: 1 } }]],
  ])('should tell %j from %j by a patch', (before, after, expected) => {
    expect(patch(before, after)).toEqual(expected);
  });

  it.each([
    [{ a: [1, { b: 2 }] }, { a: [1, { b: 2 }] }],
    [{ a: 1 }, { a: 1, gone: undefined }],
    [7, 7],
    ['', ''],
  ])('should say nothing when %j becomes %j', (before, after) => {
    expect(new SharedState(before).eventFor(after, 'DELTA')).toBeUndefined();
  });

  it.each([undefined, null])(
    'should send the whole first when the client brings %j, which may be anything',
    (initial) => {
      const state = new SharedState(initial);
      const first = state.eventFor({ a: 1 }, 'DELTA')!;
      state.sent(first);

      expect(first).toEqual({ type: 'STATE_SNAPSHOT', snapshot: { a: 1 } });
      expect(state.eventFor({ a: 2 }, 'DELTA')).toEqual({
        type: 'STATE_DELTA',
        delta: [{ op: 'replace', path: '/a', value: 2 }],
      });
    },
  );

  it('should leave out what JSON cannot say', () => {
    const state: Record<string, unknown> = { size: 5n };
    state['self'] = state;

    expect(new SharedState({}).eventFor(state)).toEqual({
      type: 'STATE_SNAPSHOT',
      snapshot: { size: '5' },
    });
  });

  it.each([
    ['{"__proto__":1}', '{"a":1}'],
    ['{}', '{"a":{},"__proto__":1}'],
    ['{"a":{"__proto__":{"b":1}}}', '{"a":{"__proto__":{"b":2}}}'],
    ['{"constructor":{"prototype":1}}', '{"constructor":{"prototype":2}}'],
  ])(
    'should send the whole when clients would refuse a patch from %s to %s',
    (before, after) => {
      const snapshot: unknown = JSON.parse(after);

      expect(
        new SharedState(JSON.parse(before)).eventFor(snapshot, 'DELTA'),
      ).toEqual({ type: 'STATE_SNAPSHOT', snapshot });
    },
  );

  it('should not share its copy with the agent', () => {
    const state = new SharedState({});
    const mine = { list: [1] };
    const event = state.eventFor(mine)!;
    mine.list.push(2);
    state.sent(event);

    expect(event).toEqual({ type: 'STATE_SNAPSHOT', snapshot: { list: [1] } });
    expect(state.eventFor(mine, 'DELTA')).toEqual({
      type: 'STATE_DELTA',
      delta: [{ op: 'add', path: '/list/1', value: 2 }],
    });
  });

  it('should bring the client to every state, by snapshots and patches of any kind', () => {
    const update = fc.tuple(
      fc.jsonValue({ maxDepth: 4 }),
      fc.constantFrom<StateUpdateMode>('SNAPSHOT', 'DELTA'),
    );
    fc.assert(
      fc.property(
        fc.option(fc.jsonValue(), { nil: undefined }),
        fc.array(update, { maxLength: 6 }),
        (initial, updates) => {
          const state = new SharedState(initial);
          let client: unknown = asJson(initial ?? {});
          for (const [next, mode] of updates) {
            const event = state.eventFor(next, mode);
            if (event !== undefined) {
              client = applied(client, event);
              state.sent(event);
            }
            expect(client).toEqual(asJson(next));
          }
        },
      ),
      { numRuns: 300 },
    );
  });
});

describe('shared state of a run', () => {
  expectQuietLogs();

  const delta = (state: unknown) =>
    say('STATE_UPDATE', { state, mode: 'DELTA' });
  const own = (event: object) => say('AGUI_EVENT', { event });
  const statesOf = (events: AguiEvent[]) =>
    events.filter(({ type }) => type.startsWith('STATE_'));

  it("should start from the input's state", async () => {
    const events = await convert(
      [delta({ a: 1, b: 2 })],
      {},
      inputOf({ state: { a: 1 } }),
    );

    expect(statesOf(events)).toEqual([
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/b', value: 2 }],
      },
    ]);
  });

  it('should go on from state events that the agent made itself', async () => {
    const events = await convert([
      own({ type: 'STATE_SNAPSHOT', snapshot: { a: [1] } }),
      delta({ a: [1], b: 1 }),
      own({
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/a/-', value: 2 }],
      }),
      delta({ a: [1, 2], b: 1 }),
      delta({ a: [1, 2] }),
    ]);

    expect(statesOf(events)).toEqual([
      { type: 'STATE_SNAPSHOT', snapshot: { a: [1] } },
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/b', value: 1 }],
      },
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/a/-', value: 2 }],
      },
      { type: 'STATE_DELTA', delta: [{ op: 'remove', path: '/b' }] },
    ]);
  });

  it('should go on from what the client holds when an own patch does not fit', async () => {
    const events = await convert(
      [
        own({
          type: 'STATE_DELTA',
          delta: [
            { op: 'add', path: '/a', value: 1 },
            { op: 'replace', path: '/none', value: 1 },
          ],
        }),
        delta({ a: 1 }),
      ],
      {},
      inputOf({ state: {} }),
    );

    expect(statesOf(events).at(-1)).toEqual({
      type: 'STATE_DELTA',
      delta: [{ op: 'add', path: '/a', value: 1 }],
    });
  });

  it('should go on from what the client holds when an enricher drops or changes an event', async () => {
    const events = await convert(
      [
        say('STATE_UPDATE', { state: { secret: 1 } }),
        delta({ secret: 1, open: 2 }),
        delta({ secret: 1, open: 2 }),
      ],
      {
        enrichers: [
          {
            enrich: (_, made) =>
              made.filter(({ type }) => type !== 'STATE_SNAPSHOT'),
          },
          {
            enrich: (_, made) =>
              made.map((event) =>
                event.type === 'STATE_DELTA'
                  ? {
                      ...event,
                      delta: event.delta.filter(
                        ({ path }) => path !== '/secret',
                      ),
                    }
                  : event,
              ),
          },
        ],
      },
      inputOf({ state: {} }),
    );

    expect(statesOf(events)).toEqual([
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'add', path: '/open', value: 2 }],
      },
      { type: 'STATE_DELTA', delta: [] },
    ]);
  });
});
