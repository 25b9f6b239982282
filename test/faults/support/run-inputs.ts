import fc, { type Arbitrary } from 'fast-check';

/** Names and texts that have done harm somewhere. */
const nasty = fc.constantFrom(
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  '',
  ' ',
  '\0',
  '\ud800',
  '\udfff\ud800',
  '\u2028',
  '\r\n\r\ndata: {}',
  '../admin',
  '%2e%2e%2f',
  '${7*7}',
  'NaN',
  '-0',
  '1e999',
  'x'.repeat(20_000),
  'null',
  'undefined',
);

const text = fc.oneof(
  nasty,
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.string({ maxLength: 20 }),
);
/** Few enough that they meet again. */
const id = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('a', 'b', 'c') },
  { weight: 1, arbitrary: text },
);
const json = fc.jsonValue({ maxDepth: 4, stringUnit: 'binary' });
const dictionary = fc.dictionary(text, json, { maxKeys: 4 });

/** An object with its required members, and some of the others. */
const record = (required: Members, optional: Members): Arbitrary<object> =>
  fc.record(
    { ...required, ...optional },
    { requiredKeys: Object.keys(required) },
  );

type Members = Record<string, Arbitrary<unknown>>;

const source = fc.oneof(
  record({ type: fc.constant('data'), value: text, mimeType: text }, {}),
  record({ type: fc.constant('url'), value: text }, { mimeType: text }),
  record(
    { type: fc.constant('file'), value: text },
    { provider: text, mimeType: text },
  ),
);

const part = fc.oneof(
  record({ type: fc.constant('text'), text }, { id: text }),
  record(
    { type: fc.constantFrom('image', 'audio', 'video', 'document'), source },
    { metadata: dictionary },
  ),
  record(
    { type: fc.constant('binary'), mimeType: text },
    { data: text, url: text, id: text, filename: text },
  ),
);

const content = fc.oneof(text, fc.array(part, { maxLength: 3 }));

const call = record(
  {
    id,
    type: fc.constant('function'),
    function: fc.record({
      name: id,
      arguments: fc.oneof(fc.constant('{"a":1}'), fc.json(), text),
    }),
  },
  { encryptedValue: text, metadata: dictionary },
);

const message = fc.oneof(
  record(
    { id, role: fc.constant('user'), content },
    { name: text, metadata: dictionary },
  ),
  record(
    { id, role: fc.constantFrom('system', 'developer'), content: text },
    { name: text },
  ),
  record(
    { id, role: fc.constant('assistant') },
    { content: text, toolCalls: fc.array(call, { maxLength: 3 }), name: text },
  ),
  record(
    { id, role: fc.constant('tool'), toolCallId: id, content },
    { error: text, metadata: dictionary },
  ),
  record(
    { id, role: fc.constant('reasoning'), content: text },
    { encryptedValue: text },
  ),
  record(
    {
      id,
      role: fc.constant('activity'),
      activityType: text,
      content: dictionary,
    },
    {},
  ),
);

const tool = record({ name: id, description: text }, { parameters: json });
const entry = record(
  { interruptId: id, status: fc.constantFrom('resolved', 'cancelled') },
  { payload: json },
);

const wellMeant = record(
  {
    threadId: id,
    runId: id,
    messages: fc.array(message, { maxLength: 6 }),
    tools: fc.array(tool, { maxLength: 4 }),
    context: fc.array(fc.record({ description: text, value: text }), {
      maxLength: 3,
    }),
  },
  {
    state: json,
    forwardedProps: fc.oneof(dictionary, json),
    resume: fc.array(entry, { maxLength: 3 }),
    parentRunId: text,
    protocolVersion: fc.oneof(fc.constantFrom('1.0', '1.1', '0.9', '9'), text),
  },
);

/** Something that becomes of one value inside an input. */
type Change = (parent: Record<string, unknown>, name: string) => void;

const change: Arbitrary<Change> = fc.oneof(
  fc.constant<Change>((parent, name) => void delete parent[name]),
  json.map<Change>((value) => (parent, name) => (parent[name] = value)),
  fc.tuple(text, json).map<Change>(([member, value]) => (parent) => {
    // An assignment to __proto__ would add nothing.
    Object.defineProperty(parent, member, {
      value,
      enumerable: true,
      configurable: true,
      writable: true,
    });
  }),
  fc.constant<Change>((parent, name) => (parent[name] = [parent[name]])),
);

/** An input in which some values were changed, added or left out, wherever they are. */
const spoilt = fc
  .tuple(
    wellMeant,
    fc.array(fc.tuple(fc.nat(), change), { minLength: 1, maxLength: 3 }),
  )
  .map(([input, changes]) => {
    const copy = structuredClone(input);
    for (const [at, apply] of changes) {
      const places = placesIn(copy);
      const place = places[at % places.length];
      if (place !== undefined) apply(...place);
    }
    return copy;
  });

function placesIn(value: object): [Record<string, unknown>, string][] {
  return Object.entries(value).flatMap(([name, inside]: [string, unknown]) => [
    [value as Record<string, unknown>, name],
    ...(typeof inside === 'object' && inside !== null ? placesIn(inside) : []),
  ]);
}

/** A body in which some characters were left out, doubled or put in. */
const garbled = fc
  .tuple(wellMeant, fc.nat(), fc.nat({ max: 5 }), text)
  .map(([input, at, length, inserted]) => {
    const body = JSON.stringify(input);
    const from = at % body.length;
    return body.slice(0, from) + inserted + body.slice(from + length);
  });

/** Bodies of run requests: right ones, wrong ones, and what is no JSON any more. */
export const bodies: Arbitrary<string> = fc.oneof(
  { weight: 5, arbitrary: wellMeant.map((input) => JSON.stringify(input)) },
  { weight: 4, arbitrary: spoilt.map((input) => JSON.stringify(input)) },
  { weight: 1, arbitrary: garbled },
);
