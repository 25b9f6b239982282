import { ForbiddenException } from '@nestjs/common';
import { InvalidToolInputError, NoSuchToolError } from 'ai';
import { describe, expect, it } from 'vitest';
import { watchLogs } from '../adapter/adapter.fixture.js';
import { AguiError } from '../protocol/agui-error.js';
import { ToolDenied } from './tool-denied.js';
import {
  asError,
  blocksOf,
  jsonOf,
  publicText,
  reported,
  reportedError,
  reportedOutput,
} from './tool-report.js';

const CALL = { replyId: 'r1', toolCallId: 'c1', toolCallName: 'f' };

const eventsOf = (text: string | undefined, state: string) => [
  { type: 'TOOL_RESULT_START', ...CALL },
  ...(text === undefined
    ? []
    : [
        {
          type: 'TOOL_RESULT_DATA_DELTA',
          ...CALL,
          data: { type: 'text', text },
        },
      ]),
  { type: 'TOOL_RESULT_END', ...CALL, state },
];

const circle: { name: string; self?: unknown; list?: unknown[] } = {
  name: 'circle',
};
circle.self = circle;
circle.list = [circle, { again: circle }];

const twice = { a: 1 };

describe('the report of a tool', () => {
  const logs = watchLogs();

  it('should tell of text as it is and of anything else as JSON', () => {
    expect([...reportedOutput(CALL, 'sunny')]).toEqual(
      eventsOf('sunny', 'success'),
    );
    expect([...reportedOutput(CALL, { celsius: 20 })]).toEqual(
      eventsOf('{"celsius":20}', 'success'),
    );
    expect([...reportedOutput(CALL, '')]).toEqual(eventsOf('', 'success'));
  });

  it('should tell of a result that is nothing', () => {
    expect(blocksOf(undefined)).toEqual([]);
    expect(blocksOf(null)).toEqual([]);
    expect([...reportedOutput(CALL, undefined)]).toEqual(
      eventsOf(undefined, 'success'),
    );
  });

  it('should tell of a result that is there already', () => {
    expect([
      ...reported(CALL, [{ type: 'text', text: 'no' }], 'interrupted'),
    ]).toEqual(eventsOf('no', 'interrupted'));
  });

  it.each<[string, unknown, string]>([
    ['falsy values', [0, false, '', null], '[0,false,"",null]'],
    ['a date', new Date(0), '"1970-01-01T00:00:00.000Z"'],
    ['a big number', 12345678901234567890n, '"12345678901234567890"'],
    ['big numbers within', { of: [1n] }, '{"of":["1"]}'],
    [
      'a circle',
      { circle },
      '{"circle":{"name":"circle","self":"[Circular]","list":["[Circular]",{"again":"[Circular]"}]}}',
    ],
    [
      'a circle with big numbers',
      [1n, circle],
      '["1",{"name":"circle","self":"[Circular]","list":["[Circular]",{"again":"[Circular]"}]}]',
    ],
    ['what is there twice', [twice, twice], '[{"a":1},{"a":1}]'],
    ['a function', () => 1, 'null'],
    ['a symbol', Symbol('s'), 'null'],
    ['what is no number', NaN, 'null'],
  ])('should write %s as JSON', (_name, value, json) => {
    expect(jsonOf(value)).toBe(json);
  });

  it('should write something for what refuses to be written', () => {
    const refusing = {
      toJSON() {
        throw new Error('not me');
      },
    };

    expect(JSON.parse(jsonOf(refusing))).toContain('toJSON');
  });

  it('should make an error of whatever was thrown', () => {
    const error = new TypeError('wrong');
    expect(asError(error)).toBe(error);
    expect(asError('text')).toMatchObject({ message: 'text', cause: 'text' });
    expect(asError(undefined).message).toBe('undefined');
    expect(asError({ code: 7 }).message).toBe('{ code: 7 }');
    expect(asError(1n).message).toBe('1n');
    expect(asError(Object.create(null)).message).toContain('null prototype');
    expect(asError(circle).message).toContain('[Circular');
  });

  it('should keep from the client what an error says, and log it', () => {
    const error = new Error('connect ECONNREFUSED 10.0.0.5:5432');

    expect([...reportedError(CALL, error)]).toEqual(
      eventsOf('The tool "f" failed.', 'error'),
    );
    expect(logs.warnings).toEqual([expect.stringContaining('ECONNREFUSED')]);
  });

  it.each<[string, unknown, string]>([
    ['an AguiError', new AguiError('No such city.'), 'No such city.'],
    ['an HttpException', new ForbiddenException('Not you.'), 'Not you.'],
    [
      'arguments that do not fit',
      new InvalidToolInputError({
        toolName: 'f',
        toolInput: '{',
        cause: 'cut',
      }),
      'Invalid input for tool f: cut',
    ],
    [
      'a tool that there is not',
      new NoSuchToolError({ toolName: 'f', availableTools: ['g'] }),
      "Model tried to call unavailable tool 'f'. Available tools: g.",
    ],
  ])('should tell the client of %s', (_name, error, text) => {
    expect(publicText(CALL, error)).toBe(text);
    expect([...reportedError(CALL, error)]).toEqual(eventsOf(text, 'error'));
  });

  it('should tell of a call that was not allowed, which is no failure', () => {
    const denied = new ToolDenied('f', false);

    expect([...reportedError(CALL, denied)]).toEqual(
      eventsOf(denied.message, 'denied'),
    );
    expect(logs.warnings).toEqual([]);
  });

  it('should say no more than that it failed of what is no error', () => {
    for (const thrown of [undefined, null, 'text', { message: 'secret' }])
      expect(publicText(CALL, thrown)).toBe('The tool "f" failed.');
  });
});
