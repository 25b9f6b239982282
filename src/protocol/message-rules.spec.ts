import { EventType, type Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { call, s1, s2, span, text, thought } from './events.fixture.js';
import { inRun, runInput } from './guarded.fixture.js';

const HISTORY: Message[] = [
  { id: 'u1', role: 'user', content: 'hi' },
  { id: 'a1', role: 'assistant', content: 'hello' },
];
const continued = runInput({ messages: HISTORY });

describe.each([
  ['text', text],
  ['reasoning', thought],
] as const)('a streamed %s message', (family, stream) => {
  it('should be opened if it was not: not-open', () => {
    expect(inRun([stream.content('m1', 'x'), stream.end('m1')])).toEqual({
      events: [stream.start('m1'), stream.content('m1', 'x'), stream.end('m1')],
      rules: ['not-open'],
    });
  });

  it('should be opened again if it was closed', () => {
    const whole = [
      stream.start('m1'),
      stream.content('m1', 'x'),
      stream.end('m1'),
    ];
    const more = stream.content('m1', 'y');
    expect(inRun([...whole, more, stream.end('m1')])).toEqual({
      events: [...whole, stream.start('m1'), more, stream.end('m1')],
      rules: ['not-open'],
    });
  });

  it('should not be closed before it was opened, or twice: not-open', () => {
    expect(
      inRun([
        stream.end('m1'),
        stream.start('m1'),
        stream.end('m1'),
        stream.end('m1'),
      ]),
    ).toEqual({
      events: [stream.start('m1'), stream.end('m1')],
      rules: ['not-open', 'not-open'],
    });
  });

  it('should not be opened twice: already-open', () => {
    expect(
      inRun([
        stream.start('m1'),
        stream.content('m1', 'x'),
        stream.start('m1'),
        stream.content('m1', 'y'),
        stream.end('m1'),
      ]),
    ).toEqual({
      events: [
        stream.start('m1'),
        stream.content('m1', 'x'),
        stream.content('m1', 'y'),
        stream.end('m1'),
      ],
      rules: ['already-open'],
    });
  });

  it('should not say what says nothing', () => {
    const metadata = { tokens: 3 };
    expect(
      inRun([
        stream.content('m0', ''),
        stream.start('m1'),
        stream.content('m1', ''),
        stream.content('m1', ' '),
        stream.content('m1', '', { metadata }),
        stream.content('m1', '', { rawEvent: 1 }),
        stream.end('m1'),
      ]),
    ).toEqual({
      events: [
        stream.start('m1'),
        stream.content('m1', ' '),
        stream.content('m1', '', { metadata }),
        stream.content('m1', '', { rawEvent: 1 }),
        stream.end('m1'),
      ],
      rules: [],
    });
  });

  it('should not append to what the user said: id-of-another-kind', () => {
    expect(
      inRun(
        [stream.start('u1'), stream.content('u1', 'x'), stream.end('u1')],
        continued,
      ),
    ).toEqual({
      events: [
        stream.start(`u1-${family}`),
        stream.content(`u1-${family}`, 'x'),
        stream.end(`u1-${family}`),
      ],
      rules: ['id-of-another-kind'],
    });
  });

  it('should take the tag of the piece that opens it', () => {
    expect(inRun([stream.content('m1', 'x', s1), stream.end('m1')])).toEqual({
      events: [
        stream.start('m1', s1),
        stream.content('m1', 'x', s1),
        stream.end('m1'),
      ],
      rules: ['not-open'],
    });
  });

  it("should lose a tag that is not its owner's: wrong-owner", () => {
    expect(
      inRun([
        stream.start('m1'),
        stream.content('m1', 'x', s1),
        stream.end('m1', s1),
      ]),
    ).toEqual({
      events: [stream.start('m1'), stream.content('m1', 'x'), stream.end('m1')],
      rules: ['wrong-owner', 'wrong-owner'],
    });
  });

  it('should not be shared by two subagents that use one id: wrong-owner', () => {
    const other = `m1-${family}`;
    expect(
      inRun([
        stream.start('m1', s1),
        stream.start('m1', s2),
        stream.content('m1', 'x', s1),
        stream.content('m1', 'y', s2),
        stream.end('m1', s1),
        stream.content('m1', 'z', s2),
        stream.end('m1', s2),
      ]),
    ).toEqual({
      events: [
        stream.start('m1', s1),
        stream.start(other, s2),
        stream.content('m1', 'x', s1),
        stream.content(other, 'y', s2),
        stream.end('m1', s1),
        stream.content(other, 'z', s2),
        stream.end(other, s2),
      ],
      rules: ['wrong-owner'],
    });
  });

  it('should not be shared by the agent and a subagent', () => {
    const other = `m1-${family}`;
    expect(
      inRun([
        stream.start('m1'),
        stream.start('m1', s1),
        stream.content('m1', 'x'),
        stream.content('m1', 'y', s1),
        stream.end('m1'),
        stream.end('m1', s1),
      ]).events,
    ).toEqual([
      stream.start('m1'),
      stream.start(other, s1),
      stream.content('m1', 'x'),
      stream.content(other, 'y', s1),
      stream.end('m1'),
      stream.end(other, s1),
    ]);
  });
});

describe('messages of two kinds under one id', () => {
  it('should give the answer an id of its own: id-of-another-kind', () => {
    expect(
      inRun([
        thought.start('m1'),
        thought.content('m1', 'hm'),
        text.start('m1'),
        text.content('m1', 'x'),
        thought.content('m1', 'so'),
        thought.end('m1'),
        text.end('m1'),
      ]),
    ).toEqual({
      events: [
        thought.start('m1'),
        thought.content('m1', 'hm'),
        text.start('m1-text'),
        text.content('m1-text', 'x'),
        thought.content('m1', 'so'),
        thought.end('m1'),
        text.end('m1-text'),
      ],
      rules: ['id-of-another-kind'],
    });
  });

  it('should tell text of two roles apart', () => {
    const user = { role: 'user' };
    expect(
      inRun([
        text.start('m1'),
        text.end('m1'),
        text.start('m1', user),
        text.end('m1'),
      ]).events,
    ).toEqual([
      text.start('m1'),
      text.end('m1'),
      text.start('m1-text', user),
      text.end('m1-text'),
    ]);
  });

  it('should go on with an answer of an earlier run', () => {
    expect(inRun([text.start('a1'), text.end('a1')], continued)).toEqual({
      events: [text.start('a1'), text.end('a1')],
      rules: [],
    });
  });
});

describe('reasoning spans', () => {
  it('should be kept apart from the message inside, which may share their id', () => {
    const sent = [
      span.start('m1'),
      thought.start('m1'),
      thought.end('m1'),
      span.end('m1'),
    ];
    expect(inRun(sent)).toEqual({ events: sent, rules: [] });
  });

  it('should be opened and closed once: already-open, not-open', () => {
    expect(
      inRun([
        span.end('m1'),
        span.start('m1'),
        span.start('m1'),
        span.end('m1'),
        span.end('m1'),
      ]),
    ).toEqual({
      events: [span.start('m1'), span.end('m1')],
      rules: ['not-open', 'already-open', 'not-open'],
    });
  });

  it("should lose a tag that is not their owner's: wrong-owner", () => {
    expect(inRun([span.start('m1', s1), span.end('m1', s2)])).toEqual({
      events: [span.start('m1', s1), span.end('m1')],
      rules: ['wrong-owner'],
    });
  });
});

describe('encrypted values', () => {
  const encrypted = (entityId: string, rest: object = {}) => ({
    type: EventType.REASONING_ENCRYPTED_VALUE,
    subtype: 'message',
    entityId,
    encryptedValue: 'opaque',
    ...rest,
  });

  it('should follow their message to its new id', () => {
    const sent = [thought.start('u1'), thought.end('u1'), encrypted('u1')];
    expect(inRun(sent, continued).events.at(-1)).toEqual(
      encrypted('u1-reasoning'),
    );
  });

  it('should belong to the answer if there is no such reasoning', () => {
    const sent = [text.start('u1'), text.end('u1'), encrypted('u1')];
    expect(inRun(sent, continued).events.at(-1)).toEqual(encrypted('u1-text'));
  });

  it('should pass for an entity that only the client may know', () => {
    const sent = [encrypted('m9'), encrypted('c9', { subtype: 'tool-call' })];
    expect(inRun(sent)).toEqual({
      events: sent,
      rules: [],
    });
  });

  it("should lose a tag that is not their call's or result's owner's: wrong-owner", () => {
    const ofCall = { subtype: 'tool-call' };
    expect(
      inRun([
        call.start('c1', s1),
        call.end('c1'),
        encrypted('c1', { ...ofCall, ...s2 }),
        call.result('c1', 'm1', s1),
        encrypted('m1', s2),
      ]),
    ).toEqual({
      events: [
        call.start('c1', s1),
        call.end('c1'),
        encrypted('c1', ofCall),
        call.result('c1', 'm1', s1),
        encrypted('m1'),
      ],
      rules: ['wrong-owner', 'wrong-owner'],
    });
  });

  it("should lose a tag that is not their message's owner's: wrong-owner", () => {
    expect(
      inRun([
        thought.start('m1', s1),
        thought.end('m1'),
        encrypted('m1', s2),
        encrypted('m1', s1),
      ]),
    ).toEqual({
      events: [
        thought.start('m1', s1),
        thought.end('m1'),
        encrypted('m1'),
        encrypted('m1', s1),
      ],
      rules: ['wrong-owner'],
    });
  });
});
