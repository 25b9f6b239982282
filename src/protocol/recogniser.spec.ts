import { omitOptionalNulls } from '@ag-ui/core';
import { EventSchemas, RunAgentInputSchema } from '@ag-ui/core/schemas';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { EVERY_EVENT } from './every-event.fixture.js';
import { hostileRun } from './hostile-events.fixture.js';
import { prune } from './prune.js';
import { recogniserOf } from './recogniser.js';

const isEvent = recogniserOf(EventSchemas);
const isInput = recogniserOf(RunAgentInputSchema);

const INPUT = {
  threadId: 't',
  runId: 'r',
  state: { a: [null] },
  messages: [
    { id: 'm1', role: 'user', content: 'hello' },
    {
      id: 'm2',
      role: 'user',
      content: [
        { type: 'text', text: 'see' },
        { type: 'image', source: { type: 'url', value: 'https://x.test/i' } },
      ],
    },
    {
      id: 'm3',
      role: 'assistant',
      toolCalls: [
        { id: 'c', type: 'function', function: { name: 'f', arguments: '{}' } },
      ],
    },
    { id: 'm4', role: 'tool', toolCallId: 'c', content: 'done' },
    { id: 'm5', role: 'activity', activityType: 'plan', content: { n: 1 } },
  ],
  tools: [{ name: 'f', description: 'd', parameters: { type: 'object' } }],
  context: [{ description: 'd', value: 'v' }],
  forwardedProps: { x: null },
};

describe('recogniserOf', () => {
  it.each(EVERY_EVENT.map((event) => [event.type, event] as const))(
    'should recognise a %s',
    (_type, event) => expect(isEvent(event)).toBe(true),
  );

  it('should recognise an input', () => expect(isInput(INPUT)).toBe(true));

  it.each<[what: string, change: object]>([
    ['an unknown member', { novelty: 1 }],
    ['a null that stands for nothing', { parentRunId: null }],
    ['a wrong type', { threadId: 7 }],
    [
      'an unknown member further in',
      { context: [{ ...INPUT.context[0], x: 1 }] },
    ],
    ['an unknown kind of message', { messages: [{ id: 'm', role: 'oracle' }] }],
    ['a list that is none', { messages: { length: 0 } }],
  ])('should not recognise an input with %s', (_what, change) =>
    expect(isInput({ ...INPUT, ...change })).toBe(false),
  );

  it.each(['threadId', 'runId', 'messages', 'tools'] as const)(
    'should not recognise an input without %s',
    (name) => {
      const { [name]: _, ...rest } = INPUT;
      expect(isInput(rest)).toBe(false);
    },
  );

  it('should not recognise what says nothing in JSON', () => {
    class Started {
      type = 'STEP_STARTED';
      get stepName() {
        return 's';
      }
    }
    expect(isEvent(new Started())).toBe(false);
    expect(isEvent(Object.create({ type: 'RAW', event: 1 }))).toBe(false);
  });

  it('should leave to the schema what it does not know itself', () => {
    const trimmed = recogniserOf(z.object({ name: z.string().trim() }));
    expect(trimmed({ name: 'a' })).toBe(true);
    expect(trimmed({ name: ' a' })).toBe(false);
  });

  it('should recognise only what is accepted as it is', () => {
    let recognised = 0;
    fc.assert(
      fc.property(hostileRun, (events) => {
        for (const event of events as unknown[]) {
          if (!isEvent(event)) continue;
          recognised++;
          expect(omitOptionalNulls(event, 'Event')).toEqual(event);
          expect(prune(event, EventSchemas)).toEqual({
            value: event,
            removed: [],
          });
          expect(EventSchemas.safeParse(event)).toEqual({
            success: true,
            data: event,
          });
        }
      }),
      { numRuns: 300 },
    );
    expect(recognised).toBeGreaterThan(300);
  });
});
