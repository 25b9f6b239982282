import { setImmediate as breath } from 'node:timers/promises';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { textOf, type Agent } from 'nestjs-agui';
import { agentOf, reply } from './support/agents.js';
import { closeApps, PLATFORMS, serve, type TestApp } from './support/app.js';
import { inputOf, run, type Received } from './support/client.js';
import { BY_USER, as, user } from './support/threads.js';

afterEach(closeApps);

/** What differs between the platforms does not touch what runs know: one of them has the thousand. */
const RUNS = { express: 200, fastify: 1_000 };
/** How many are on their way at a time; all of them have sockets. */
const AT_ONCE = 250;

/** What a run brings: different in every part from what others bring. */
interface Brought {
  thread: number;
  tools: string[];
  state: unknown;
  context: string;
  said: string;
  /** How often its agent lets others go first, before each of its words. */
  pauses: number[];
}

/** As it is after a way over the wire. */
const json = fc
  .jsonValue()
  // Fastify refuses bodies with such a key.
  .filter((value) => !JSON.stringify(value).includes('__proto__'))
  .map((value) => JSON.parse(JSON.stringify(value)) as unknown);

const brought: fc.Arbitrary<Omit<Brought, 'thread'>> = fc.record({
  tools: fc.uniqueArray(fc.stringMatching(/^[a-z]{3,8}$/), { maxLength: 3 }),
  state: fc.dictionary(fc.stringMatching(/^[a-z]{1,4}$/), json),
  context: fc.string(),
  said: fc.string({ minLength: 1 }),
  pauses: fc.array(fc.nat(3), { minLength: 4, maxLength: 4 }),
});

/** Says what it knows of its run, piece by piece, with pauses; changes the state, its session and its context. */
const echo: Agent = agentOf(async function* (messages, context) {
  const input = context.get('agui.input')!;
  const { pauses } = input.forwardedProps as { pauses: number[] };
  const id = `m-${input.threadId}-${input.runId}`;
  const session = context.get('agui.session')!;
  const pause = async (n: number) => {
    for (let times = pauses[n]!; times > 0; times--) await breath();
  };
  yield reply.start(id);
  await pause(0);
  session['runs'] = [...((session['runs'] as string[]) ?? []), input.runId];
  context.put('mine', input.threadId);
  const tools = context.toolkit.list().map(({ name }) => name);
  yield reply.text(JSON.stringify(tools), id);
  await pause(1);
  const history = context.get('agui.history') ?? [];
  const talk = [...history, ...messages].map(({ content }) => textOf(content));
  yield reply.text(JSON.stringify([talk, context.get('agui.context')]), id);
  await pause(2);
  yield {
    type: 'STATE_UPDATE',
    state: { was: context.get('agui.state'), by: context.userId },
  };
  await pause(3);
  const mine = [context.sessionId, context.get('mine'), session['runs']];
  yield reply.text(JSON.stringify(mine), id);
  yield reply.end(id);
});

const first = ({ thread, said }: Brought) => user(`u${thread}`, said);

const second = ({ thread }: Brought) => user(`v${thread}`, `more of ${thread}`);

const contextOf = ({ thread, context }: Brought) => [
  { description: `of ${thread}`, value: context },
];

/** The two runs of a thread, the second one with what is new only. */
async function talkOf(app: TestApp, one: Brought): Promise<Received[][]> {
  const { thread, state, tools, pauses } = one;
  const send = (runId: string, message: object) =>
    run(
      app,
      inputOf({
        threadId: `thread-${thread}`,
        runId,
        state,
        messages: [message],
        context: contextOf(one),
        tools: tools.map((name) => ({ name, description: '', parameters: {} })),
        forwardedProps: { pauses },
      }),
      as(`user-${thread}`),
    );
  return [await send('r1', first(one)), await send('r2', second(one))];
}

/** What a run has to say of itself, in the words of the agent. */
function expected(one: Brought, runs: string[], talk: string[]): object[] {
  const { thread, state, tools } = one;
  const threadId = `thread-${thread}`;
  const runId = runs.at(-1)!;
  const messageId = `m-${threadId}-${runId}`;
  const text = (...said: unknown[]) =>
    said.map((value) => ({
      type: 'TEXT_MESSAGE_CONTENT',
      messageId,
      delta: JSON.stringify(value),
    }));
  return [
    { type: 'RUN_STARTED', threadId, runId, protocolVersion: '1.0' },
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
    ...text(tools, [talk, contextOf(one)]),
    {
      type: 'STATE_SNAPSHOT',
      snapshot: { was: state, by: `user-${thread}` },
    },
    ...text([threadId, threadId, runs]),
    { type: 'TEXT_MESSAGE_END', messageId },
    { type: 'RUN_FINISHED', threadId, runId },
  ];
}

const deltas = (events: readonly object[]) =>
  events.map((event) => (event as { delta?: string }).delta ?? '').join('');

/** What the wire says, without the time. */
const timeless = (events: readonly Received[]) =>
  events.map((event) => ({ ...event, timestamp: undefined }));

describe.each(PLATFORMS)('Many runs at once on %s', (platform) => {
  it('should not have a byte of each other', async () => {
    const app = await serve(platform, echo, {
      ...BY_USER,
      serverSideMemory: true,
    });
    const seed = Date.now();
    const queue = fc
      .sample(brought, { seed, numRuns: RUNS[platform] / 2 })
      .map((one, thread) => ({ ...one, thread }));
    const talkToTheEnd = async () => {
      for (let one = queue.pop(); one !== undefined; one = queue.pop()) {
        const [before, after] = await talkOf(app, one);
        const own = expected(one, ['r1'], [one.said]);
        expect(timeless(before!), `seed ${seed}`).toEqual(own);
        const talk = [one.said, deltas(own), second(one).content];
        const next = expected(one, ['r1', 'r2'], talk);
        expect(timeless(after!), `seed ${seed}`).toEqual(next);
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, talkToTheEnd));
    expect(queue).toEqual([]);
  }, 60_000);
});
