import { gzipSync } from 'node:zlib';
import { inputOf } from '../../support/client.js';

/** A request as nobody in their right mind sends it. */
export interface HostileRequest {
  body: string | Buffer;
  headers?: Record<string, string>;
}

const MEGABYTE = 1024 ** 2;

const input = (changes: object, more = ''): HostileRequest => ({
  body: JSON.stringify(inputOf(changes as never)).replace(/}$/, `${more}}`),
});

/** The JSON of a run input in which a member's value is text that JSON.stringify would not write. */
const written = (member: string, json: string): HostileRequest => ({
  body: JSON.stringify(inputOf({ [member]: 'HERE' })).replace('"HERE"', json),
});

const said = (content: unknown, more: object = {}) =>
  input({ messages: [{ id: 'u1', role: 'user', content, ...more }] });

const many = <T>(count: number, of: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => of(index));

const nested = (levels: number, open: string, close: string, inside = '1') =>
  open.repeat(levels) + inside + close.repeat(levels);

const bytes = (...parts: (string | number[])[]): Buffer =>
  Buffer.concat(parts.map((part) => Buffer.from(part as string)));

const around = (inside: number[]): HostileRequest => {
  const [before, after] = said('HERE').body.toString().split('HERE');
  return { body: bytes(before!, inside, after!) };
};

const withHeaders = (headers: Record<string, string>, body?: Buffer) => ({
  body: body ?? JSON.stringify(inputOf()),
  headers,
});

const typed = (contentType: string, body?: Buffer) =>
  withHeaders({ 'content-type': contentType }, body);

const POISON = '{"admin":true,"toString":"x","__proto__":{"deep":true}}';

/** A member of each kind of object in the protocol that none of them has. */
const unknownEverywhere = () => {
  const more = { __unknown: { deep: [1] }, '': 0, constructor: { a: 1 } };
  const call = {
    id: 'c1',
    type: 'function',
    function: { name: 'f', arguments: '{}', ...more },
    ...more,
  };
  const source = { type: 'data', value: 'AAAA', mimeType: 'a/b', ...more };
  return input({
    ...more,
    messages: [
      { id: 'a1', role: 'assistant', toolCalls: [call], ...more },
      { id: 't1', role: 'tool', toolCallId: 'c1', content: '', ...more },
      { id: 'u1', role: 'user', content: [{ type: 'image', source, ...more }] },
      { id: 'x1', role: 'stranger', ...more },
    ],
    tools: [{ name: 'f', description: '', parameters: {}, ...more }],
    context: [{ description: '', value: '', ...more }],
    resume: undefined,
  });
};

/** Bodies by what is wrong with them. */
export const HOSTILE_BODIES: Record<string, () => HostileRequest> = {
  'a list 100,000 levels deep': () => ({ body: nested(100_000, '[', ']') }),
  'a body 100,000 objects deep': () => ({
    body: nested(100_000, '{"a":', '}'),
  }),
  'a state 100,000 levels deep': () =>
    written('state', nested(100_000, '{"a":', '}')),
  'forwarded properties 100,000 levels deep': () =>
    written('forwardedProps', nested(100_000, '[', ']')),
  'parameters 100,000 levels deep': () => {
    const [tool] = [{ name: 'f', description: '', parameters: 'HERE' }];
    const text = input({ tools: [tool] }).body as string;
    return { body: text.replace('"HERE"', nested(100_000, '{"a":', '}')) };
  },
  'an unknown member 100,000 levels deep': () =>
    written('unknown', nested(100_000, '[', ']')),
  'a state 499 levels deep': () => written('state', nested(499, '{"a":', '}')),
  'a million lists in one': () => written('state', `[${'[],'.repeat(1e6)}[]]`),
  'brackets that are never closed': () => ({ body: '['.repeat(9 * MEGABYTE) }),
  'brackets that were never opened': () => ({ body: ']'.repeat(100_000) }),

  'a message of nearly 10 MB': () => said('x'.repeat(9.9 * MEGABYTE)),
  'a message of more than 10 MB': () => said('x'.repeat(10 * MEGABYTE)),
  'a thread id of 5 MB': () => input({ threadId: 'x'.repeat(5 * MEGABYTE) }),
  'a tool name of nearly 10 MB': () =>
    input({
      tools: [
        { name: 'x'.repeat(9.9 * MEGABYTE), description: '', parameters: {} },
      ],
    }),
  'a key of nearly 10 MB': () =>
    input({ ['x'.repeat(9.9 * MEGABYTE)]: 1 } as never),
  'a text of nearly 10 MB in place of the messages': () =>
    input({ messages: 'x'.repeat(9.9 * MEGABYTE) }),
  'a role of nearly 10 MB': () =>
    said('Hi', { role: 'x'.repeat(9.9 * MEGABYTE) }),
  'a state of 3 MB': () => input({ state: { a: 'x'.repeat(3 * MEGABYTE) } }),
  '3 MB of escapes': () =>
    written('state', `"${'\\u0000'.repeat(0.5 * MEGABYTE)}"`),
  'nearly 10 MB of blanks': () => input({}, ' '.repeat(9.9 * MEGABYTE)),
  'nearly 10 MB of inline bytes': () =>
    said([
      {
        type: 'image',
        source: {
          type: 'data',
          value: 'A'.repeat(9.9 * MEGABYTE),
          mimeType: 'image/png',
        },
      },
    ]),

  '__proto__ as a member': () => input({}, `,"__proto__":${POISON}`),
  'constructor.prototype as a member': () =>
    input({}, `,"constructor":{"prototype":${POISON}}`),
  '__proto__ in the state': () => written('state', `{"__proto__":${POISON}}`),
  'constructor.prototype in the state': () =>
    written('state', `{"constructor":{"prototype":${POISON}}}`),
  '__proto__ in the forwarded properties': () =>
    written('forwardedProps', `{"__proto__":${POISON},"agentId":"__proto__"}`),
  '__proto__ in metadata': () => ({
    body: (said('Hi', { metadata: { HERE: {} } }).body as string).replace(
      '"HERE":{}',
      `"__proto__":${POISON}`,
    ),
  }),
  '__proto__ in a message': () => ({
    body: (said('Hi', { HERE: {} }).body as string).replace(
      '"HERE":{}',
      `"__proto__":${POISON}`,
    ),
  }),
  'tools called like members of all objects': () =>
    input({
      tools: ['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map(
        (name) => ({ name, description: '', parameters: {} }),
      ),
    }),
  'ids called like members of all objects': () =>
    input({
      threadId: '__proto__',
      runId: 'constructor',
      messages: ['__proto__', 'constructor', 'toString'].map((id) => ({
        id,
        role: 'user',
        content: 'Hi',
      })),
    }),

  'duplicate keys': () =>
    input({}, ',"threadId":"other","threadId":7,"threadId":"last"'),
  'duplicate keys, the last of them wrong': () => input({}, ',"messages":7'),
  'a hundred thousand duplicate keys': () =>
    input({}, ',"state":{"a":1}'.repeat(100_000)),

  'NUL characters': () =>
    input({
      threadId: 'a\0b',
      messages: [{ id: '\0', role: 'user', content: '\0\0' }],
    }),
  'a raw NUL byte': () => around([0]),
  'nothing but NUL bytes': () => ({ body: Buffer.alloc(100_000) }),
  'lone surrogates': () => ({
    body: '{"threadId":"\\ud800","runId":"\\udc00","state":{"\\udfff":"\\ud800"},"messages":[{"id":"\\udead","role":"user","content":"a\\ud83d"}]}',
  }),
  'a surrogate of three bytes': () => around([0xed, 0xa0, 0x80]),
  'invalid UTF-8': () => around([0xff, 0xfe, 0xc0, 0x80]),
  'an overlong encoding': () => around([0xc0, 0xaf]),
  'UTF-8 that is cut short': () => around([0xf0, 0x9f]),
  'a byte order mark': () => ({
    body: bytes([0xef, 0xbb, 0xbf], JSON.stringify(inputOf())),
  }),
  'UTF-16': () => ({ body: Buffer.from(JSON.stringify(inputOf()), 'utf16le') }),
  'control and direction characters': () => said('\u202e\u0007\u001b[2J\u2028'),

  NaN: () => written('state', 'NaN'),
  Infinity: () => written('state', '[Infinity,-Infinity]'),
  'a number that is too large': () => written('state', '[1e999,-1e999]'),
  'a number with a million digits': () => written('state', '9'.repeat(1e6)),
  'negative zero': () => written('state', '{"a":-0}'),
  'a number with a leading zero': () => written('state', '01'),
  'a hexadecimal number': () => written('state', '0x10'),
  'a number as an id': () => input({ threadId: 1e21 }),
  'undefined in place of a value': () => written('state', 'undefined'),

  'UTF-16 as its charset': () => typed('application/json; charset=utf-16'),
  'Latin 1 as its charset': () =>
    typed(
      'application/json; charset=iso-8859-1',
      bytes('{"threadId":"', [0xe9], '","runId":"r","messages":[]}'),
    ),
  'an unknown charset': () => typed('application/json; charset=nonsense'),
  'a charset of 8,000 characters': () =>
    typed(`application/json; charset=${'x'.repeat(8000)}`),
  'several content types': () => typed('application/json, text/plain'),
  'no content type': () => typed(''),

  'a gzip body that says so': () =>
    withHeaders(
      { 'content-encoding': 'gzip' },
      gzipSync(JSON.stringify(inputOf())),
    ),
  'a gzip body that does not say so': () => ({
    body: gzipSync(JSON.stringify(inputOf())),
  }),
  'a gzip body that is none': () => withHeaders({ 'content-encoding': 'gzip' }),
  'a gzip body that is cut short': () =>
    withHeaders(
      { 'content-encoding': 'gzip' },
      gzipSync(JSON.stringify(inputOf())).subarray(0, 60),
    ),
  'a gzip bomb of a gigabyte': () =>
    withHeaders(
      { 'content-encoding': 'gzip' },
      gzipSync(Buffer.alloc(1024 * MEGABYTE, 32), { level: 9 }),
    ),
  'an unknown encoding': () => withHeaders({ 'content-encoding': 'zstd, x' }),

  '100,000 messages': () =>
    input({
      messages: many(100_000, (n) => ({
        id: `m${n}`,
        role: n % 2 ? 'assistant' : 'user',
        content: `word ${n}`,
      })),
    }),
  '100,000 messages of one id': () =>
    input({
      messages: many(100_000, () => ({ id: 'm', role: 'user', content: 'x' })),
    }),
  '100,000 wrong messages': () => input({ messages: many(100_000, () => 7) }),
  '100,000 messages of unknown roles': () =>
    input({
      messages: many(100_000, (n) => ({ id: `m${n}`, role: `role ${n}` })),
    }),
  '50,000 calls and their results': () =>
    input({
      messages: many(50_000, (n) => [
        {
          id: `a${n}`,
          role: 'assistant',
          toolCalls: [
            {
              id: `c${n}`,
              type: 'function',
              function: { name: 'f', arguments: '{}' },
            },
          ],
        },
        { id: `t${n}`, role: 'tool', toolCallId: `c${n}`, content: 'x' },
      ]).flat(),
    }),
  '50,000 results without calls': () =>
    input({
      messages: many(50_000, (n) => ({
        id: `t${n}`,
        role: 'tool',
        toolCallId: `c${n}`,
        content: 'x',
      })),
    }),
  '100,000 calls in one message': () =>
    input({
      messages: [
        {
          id: 'a',
          role: 'assistant',
          toolCalls: many(100_000, (n) => ({
            id: `c${n}`,
            type: 'function',
            function: { name: 'f', arguments: '{' },
          })),
        },
      ],
    }),
  '100,000 parts in one message': () =>
    said(many(100_000, (n) => ({ type: 'text', text: `${n}` }))),
  '10,000 tools': () =>
    input({
      tools: many(10_000, (n) => ({
        name: `t${n}`,
        description: '',
        parameters: { type: 'object', properties: {} },
      })),
    }),
  '10,000 tools of one name': () =>
    input({
      tools: many(10_000, () => ({
        name: 't',
        description: '',
        parameters: {},
      })),
    }),
  '100,000 entries of context': () =>
    input({
      context: many(100_000, () => ({ description: 'd', value: 'v' })),
    }),
  '100,000 answers': () =>
    input({
      resume: many(100_000, (n) => ({
        interruptId: `i${n}`,
        status: 'resolved',
      })),
    }),
  '500,000 keys in the state': () =>
    input({
      state: Object.fromEntries(many(500_000, (n) => [`k${n}`, n])),
    }),

  'unknown members everywhere': unknownEverywhere,
  '100,000 unknown members': () =>
    input(Object.fromEntries(many(100_000, (n) => [`unknown${n}`, n]))),
  '100,000 unknown members in messages': () =>
    input({
      messages: many(10_000, (n) => ({
        id: `m${n}`,
        role: 'user',
        content: 'Hi',
        ...Object.fromEntries(many(10, (k) => [`unknown${k}`, n])),
      })),
    }),
  'a colon in place of a value': () => ({ body: '{"threadId"::}' }),
  'a comment': () => ({ body: '/* hello */ {}' }),
  'a form': () => typed('application/json', bytes('threadId=1&runId=2')),
};
