import { EventType } from '@ag-ui/core';
import fc, { type Arbitrary } from 'fast-check';
import type { AguiEvent } from './agui-event.js';
import {
  json,
  MEMBERS,
  record,
  type Members,
} from './event-members.fixture.js';

const TERMINAL = new Set<string>([EventType.RUN_FINISHED, EventType.RUN_ERROR]);

const wellMeant: Arbitrary<Record<string, unknown>> = fc.oneof(
  ...Object.entries(MEMBERS).map(([type, [required, optional]]) => ({
    weight: TERMINAL.has(type) ? 1 : 8,
    arbitrary: fc
      .record(
        {
          timestamp: fc.constant(1),
          metadata: record,
          rawEvent: json,
          ...optional,
          ...required,
        } as Members,
        { requiredKeys: Object.keys(required) },
      )
      .map((members) => ({ type, ...(members as object) })),
  })),
);

const wrongValue = fc.constantFrom<unknown>(
  undefined,
  null,
  0,
  1.5,
  '',
  [],
  {},
  () => 0,
  Symbol('s'),
);

const spoilt = fc
  .tuple(wellMeant, fc.nat(), wrongValue, fc.boolean())
  .map(([event, at, value, absent]) => {
    const members = Object.keys(event).filter((name) => name !== 'type');
    const copy: Record<string, unknown> = { ...event, novelty: value };
    const name = members[at % members.length];
    if (name === undefined) return copy;
    if (absent) delete copy[name];
    else copy[name] = value;
    return copy;
  });

const foreign = fc.constantFrom<unknown>(
  null,
  undefined,
  'TEXT_MESSAGE_START',
  [],
  {},
  { type: 7 },
  { type: Symbol('TEXT_MESSAGE_START') },
  { type: Object.create(null) as unknown },
  { type: 'THINKING_START' },
  { type: 'toString' },
  JSON.parse('{"type":"CUSTOM","name":"n","value":1,"__proto__":{"x":1}}'),
);

/** The events of an agent that keeps to nothing, from a small pool of ids so that they collide. */
export const hostileRun: Arbitrary<unknown[]> = fc.array(
  fc.oneof(
    { weight: 12, arbitrary: wellMeant },
    { weight: 2, arbitrary: spoilt },
    { weight: 1, arbitrary: foreign },
  ),
  { maxLength: 25, size: 'max' },
);

/** Streamed text and reasoning whose starts and ends are anywhere, if at all. */
export const disorderlyText: Arbitrary<AguiEvent[]> = fc
  .array(
    fc.record(
      {
        type: fc.constantFrom(
          EventType.TEXT_MESSAGE_START,
          EventType.TEXT_MESSAGE_CONTENT,
          EventType.TEXT_MESSAGE_CONTENT,
          EventType.TEXT_MESSAGE_CHUNK,
          EventType.TEXT_MESSAGE_END,
          EventType.REASONING_MESSAGE_CONTENT,
          EventType.REASONING_MESSAGE_CHUNK,
          EventType.REASONING_MESSAGE_END,
        ),
        messageId: fc.constantFrom('a', 'b', 'u1'),
        subagentRunId: fc.constantFrom('s1', 's2'),
      },
      { requiredKeys: ['type', 'messageId'] },
    ),
    { maxLength: 30, size: 'max' },
  )
  .map((events) =>
    events.map((event, index) =>
      /CONTENT|CHUNK/.test(event.type)
        ? ({ ...event, delta: `${index} ` } as AguiEvent)
        : (event as AguiEvent),
    ),
  );
