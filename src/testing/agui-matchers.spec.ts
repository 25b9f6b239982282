import { describe, expect, it } from 'vitest';
import './vitest.js';

const IDS = { threadId: 't', runId: 'r' };
const LEGAL = [
  { type: 'RUN_STARTED', ...IDS },
  { type: 'RUN_FINISHED', ...IDS },
];
const OPEN = { type: 'TEXT_MESSAGE_START', messageId: 'm', role: 'assistant' };
const ILLEGAL = [LEGAL[0], OPEN, LEGAL[1]];

const textOf = (events: readonly unknown[]) =>
  events.map((event) => `data: ${JSON.stringify(event)}\n\n`).join('');

describe('toBeLegalAguiStream', () => {
  it.each([
    ['events', LEGAL, ILLEGAL],
    ['a run', { events: LEGAL }, { events: ILLEGAL }],
    ['text', `: hello\n\n${textOf(LEGAL)}`, textOf(ILLEGAL)],
    [
      'frames of another form',
      'data:{"type":"RUN_ERROR",\ndata:"message":"x"}\nid: 1\n\n',
      'data: hello\n\n',
    ],
  ])('should judge %s', (_what, legal, illegal) => {
    expect(legal).toBeLegalAguiStream();
    expect(illegal).not.toBeLegalAguiStream();
  });

  it('should name the rule, the event and what is wrong', () => {
    expect(() => expect(ILLEGAL).toBeLegalAguiStream()).toThrow(
      'Expected a legal AG-UI stream, but:\n  left-open (at 2, RUN_FINISHED): the run finishes while something is open: TEXT_MESSAGE_END',
    );
    expect(() => expect([]).toBeLegalAguiStream()).toThrow(
      'not-finished (at 0): the stream ends before the run does',
    );
    expect(() => expect(LEGAL).not.toBeLegalAguiStream()).toThrow(
      'Expected the stream to break a rule of AG-UI, but it is legal.',
    );
  });

  it.each([undefined, null, 5, {}, { events: 'x' }])(
    'should not judge what is no stream (%j)',
    (value) => {
      expect(() => expect(value).not.toBeLegalAguiStream()).toThrow(TypeError);
    },
  );
});
