import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { PLATFORMS } from '../support/app.js';
import { inputOf, openStream, parseEvents, textOf } from '../support/client.js';
import { BAD_AGENTS, MANY, SECRET } from './support/bad-agents.js';
import { WatchedServer } from './support/watched.js';

/** What becomes of a run, and what the log says. */
type Ending = [last: object, log: unknown];

/** A log with a line among its lines. */
const saying = (pattern: RegExp): unknown =>
  expect.arrayContaining([expect.stringMatching(pattern)]);

const failed = (code: string) => ({ type: 'RUN_ERROR', code });
const FINISHED = { type: 'RUN_FINISHED' };
const FAILED: Ending = [
  failed('INTERNAL_ERROR'),
  saying(/^error: The run .* failed/),
];
const LATE: Ending = [
  failed('TIMEOUT_ERROR'),
  saying(/took longer than 200 ms/),
];
const SHORT: Ending = [
  failed('INTERNAL_ERROR'),
  saying(/ended without AGENT_END/),
];
const AHEAD: Ending = [failed('INTERNAL_ERROR'), saying(/ahead of the client/)];
const TOO_LATE: Ending = [FINISHED, saying(/applied "after-the-end"/)];

/** Agents of which something else becomes than an error that the log has. */
const ENDINGS: Record<string, Ending> = {
  'throws after its end': [FINISHED, saying(/failed after its end/)],
  'throws when it is told to stop': LATE,
  'never ends': LATE,
  'never starts': LATE,
  'never says anything': LATE,
  'says nothing at all': SHORT,
  'stops short': SHORT,
  'goes on from several promises after its end': TOO_LATE,
  'goes on behind its end': TOO_LATE,
  'blocks the event loop': [FINISHED, []],
  'says circles': [FINISHED, []],
  'says BigInts': [FINISHED, []],
  'says what is no event': [FINISHED, saying(/applied "unknown-or-malformed"/)],
  'ignores its signal': LATE,
  'says more after it was stopped': LATE,
  'says 10 MB at once': [FINISHED, []],
  'emits for ever without a pause': AHEAD,
  'emits for ever while somebody listens': AHEAD,
};

const TALKATIVE = ['says a million things', 'says a million things at once'];

const runOf = (id: string, prefix = 'agui') =>
  `/${prefix}/run/${encodeURIComponent(id)}`;
const inThread = (threadId: string) => ({
  body: JSON.stringify(inputOf({ threadId })),
});

describe.each(PLATFORMS)('An agent on %s', (platform) => {
  let server: WatchedServer;
  beforeAll(async () => (server = await WatchedServer.start(platform)));
  afterAll(() => server.stop());

  it.each(Object.keys(BAD_AGENTS).filter((id) => !TALKATIVE.includes(id)))(
    'should do no harm that %s',
    async (id) => {
      const [last, log] = ENDINGS[id] ?? FAILED;
      const prefix = ENDINGS[id] === LATE ? 'hasty' : 'agui';
      const neighbour = server.send(inThread('neighbour'), runOf('steady'));
      const { status, text, fault } = await server.send(
        inThread('bad'),
        runOf(id, prefix),
      );
      const beside = await neighbour;
      const found = await server.findings();

      expect({ status, fault }).toEqual({ status: 200, fault: undefined });
      expect(parseEvents(text).at(-1)).toMatchObject(last);
      expect(text).not.toContain(SECRET);
      expect(found).toMatchObject({ uncaught: [], polluted: [], log });
      expect(beside.fault).toBeUndefined();
      expect(textOf(parseEvents(beside.text))).toBe(
        `Well${Array.from({ length: 20 }, (_, n) => ` ${n}`).join('')}`,
      );
    },
  );

  it.each(TALKATIVE)('should be heard to its end that %s', async (id) => {
    const stream = await openStream(server, inputOf(), { path: runOf(id) });
    stream.response.removeAllListeners('data');
    const lines = createInterface({ input: stream.response });
    let heard = 0;
    let last = '';
    lines.on('line', (line) => {
      if (line.includes(`"delta":"${heard} "`)) heard++;
      if (line !== '') last = line;
    });
    await once(lines, 'close');

    expect(heard).toBe(MANY);
    expect(last).toContain('"type":"RUN_FINISHED"');
    expect((await server.findings()).uncaught).toEqual([]);
  });

  it('should leave the thread free, whatever it did', async () => {
    const { text } = await server.send(inThread('bad'), runOf('steady'));

    expect(parseEvents(text).at(-1)).toMatchObject(FINISHED);
  });
});
