/* oxlint-disable require-yield, no-unsafe-finally -- as bad agents do */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Agent, AgentEvent, RuntimeContext } from 'nestjs-agui';
import { Observable, range, map, type Subscriber } from 'rxjs';
import { HOSTILE } from '../../../src/thrown.fixture.js';
import { agentOf, reply } from '../../support/agents.js';

type Events = AsyncGenerator<unknown>;

export const SECRET = 'postgres://admin:hunter2@10.0.0.5';

/** An agent that says whatever a function yields, events or not. */
const saying = (script: (context: RuntimeContext) => Events): Agent =>
  agentOf(
    (_messages, context) => script(context) as AsyncGenerator<AgentEvent>,
  );

const observing = (subscribe: (subscriber: Subscriber<AgentEvent>) => void) =>
  agentOf(() => new Observable<AgentEvent>(subscribe));

/** An agent that has begun to speak and then does something. */
const beginning = (then: (context: RuntimeContext) => Events): Agent =>
  saying(async function* (context) {
    yield reply.start();
    yield reply.text('Well');
    yield* then(context);
  });

const throwing = (thrown: unknown): Agent =>
  beginning(async function* () {
    throw thrown;
  });

const circle: Record<string, unknown> = { name: 'circle' };
circle['self'] = circle;

const call = { replyId: 'r', toolCallId: 'c1', toolCallName: 'f' };

const THROWING = Object.fromEntries(
  Object.entries({
    ...HOSTILE,
    'a text': SECRET,
    null: null,
    'a number': 0,
    'an error': new Error(SECRET),
  }).map(([name, thrown]) => [`throws ${name}`, throwing(thrown)]),
);

/** How many events the talkative agents say. */
export const MANY = 1_000_000;

/** An agent that behaves, and takes its time. */
export const steady: Agent = beginning(async function* () {
  for (let n = 0; n < 20; n++) {
    await sleep(5);
    yield reply.text(` ${n}`);
  }
  yield reply.end();
});

/** Agents that do what agents should not do, by what they do. */
export const BAD_AGENTS: Record<string, Agent> = {
  ...THROWING,
  'throws when it is asked': agentOf(() => {
    throw new Error(SECRET);
  }),
  'throws before it says anything': saying(async function* () {
    throw new Error(SECRET);
  }),
  'throws between events': saying(async function* () {
    yield reply.start();
    yield { type: 'TOOL_CALL_START', ...call };
    yield reply.thought('Hm');
    throw new Error(SECRET);
  }),
  'throws after its end': saying(async function* () {
    yield reply.start();
    yield reply.text('Well');
    yield reply.end();
    throw new Error(SECRET);
  }),
  'throws when it is told to stop': saying(async function* ({ signal }) {
    yield reply.start();
    try {
      await new Promise<void>((resolve) =>
        signal.addEventListener('abort', () => resolve()),
      );
    } finally {
      throw new Error(SECRET);
    }
  }),
  'never ends': beginning(async function* () {
    await new Promise(() => undefined);
  }),
  'never starts': agentOf((() => new Promise(() => undefined)) as never),
  'never says anything': saying(async function* () {
    await new Promise(() => undefined);
  }),
  'says nothing at all': saying(async function* () {}),
  'stops short': beginning(async function* () {}),
  'returns nothing': agentOf((() => undefined) as never),
  'returns a text': agentOf((() => 'Hello') as never),
  'returns a promise of nothing': agentOf((async () => null) as never),

  'goes on from several promises after its end': observing((subscriber) => {
    subscriber.next(reply.start());
    subscriber.next(reply.end());
    for (const wait of [0, 1, 5])
      void sleep(wait).then(() => {
        subscriber.next(reply.text('late'));
        subscriber.next(reply.end());
        if (wait === 5) subscriber.complete();
      });
  }),
  'goes on behind its end': saying(async function* () {
    yield reply.start();
    yield reply.end();
    yield reply.text('late');
    yield { type: 'TOOL_CALL_START', ...call };
    yield reply.start('again');
    yield reply.end('again');
  }),
  'blocks the event loop': beginning(async function* () {
    const end = performance.now() + 500;
    while (performance.now() < end);
    yield reply.end();
  }),
  'says circles': beginning(async function* () {
    yield { type: 'CUSTOM', name: 'circle', value: circle };
    yield { type: 'STATE_UPDATE', state: circle };
    yield { type: 'TOOL_CALL_START', ...call, metadata: circle };
    yield reply.end();
  }),
  'says BigInts': beginning(async function* () {
    yield { type: 'CUSTOM', name: 'number', value: 10n ** 30n };
    yield { type: 'STATE_UPDATE', state: { number: 1n } };
    yield {
      type: 'MODEL_CALL_END',
      replyId: 'r',
      usage: { inputTokens: 1n, outputTokens: Number.NaN },
    };
    yield reply.end();
  }),
  'says what is no event': beginning(async function* () {
    yield* [null, undefined, 5, 'text', [], {}, { type: 7 }, { type: 'X' }];
    yield { type: '__proto__' };
    yield { type: 'TEXT_BLOCK_DELTA', replyId: 5, delta: { a: 1 } };
    yield { type: 'TEXT_BLOCK_DELTA' };
    yield { type: 'TOOL_CALL_DELTA', delta: 1n };
    yield { type: 'AGUI_EVENT', event: circle };
    yield { type: 'AGUI_EVENT' };
    yield reply.end();
  }),
  'says what throws when it is looked at': beginning(async function* () {
    yield Proxy.revocable({}, {}).proxy;
    yield new Proxy(
      {},
      {
        get: () => {
          throw new Error(SECRET);
        },
      },
    );
    yield reply.end();
  }),

  'ignores its signal': beginning(async function* () {
    for (;;) {
      await sleep(5);
      yield reply.text('more');
    }
  }),
  'says more after it was stopped': beginning(async function* ({ signal }) {
    await new Promise<void>((resolve) =>
      signal.addEventListener('abort', () => resolve()),
    );
    yield reply.text('too late');
    yield reply.end();
  }),

  'says a million things': saying(async function* () {
    yield reply.start();
    for (let n = 0; n < MANY; n++) yield reply.text(`${n} `);
    yield reply.end();
  }),
  'says a million things at once': agentOf(
    () =>
      new Observable<AgentEvent>((subscriber) => {
        subscriber.next(reply.start());
        for (let n = 0; n < MANY; n++) subscriber.next(reply.text(`${n} `));
        subscriber.next(reply.end());
        subscriber.complete();
      }),
  ),
  'says 10 MB at once': saying(async function* () {
    yield reply.start();
    yield reply.text('x'.repeat(10 * 1024 ** 2));
    yield reply.end();
  }),
  'emits for ever without a pause': observing((subscriber) => {
    subscriber.next(reply.start());
    for (;;) subscriber.next(reply.text('more'));
  }),
  'emits for ever while somebody listens': agentOf(() =>
    range(0, Number.POSITIVE_INFINITY).pipe(map((n) => reply.text(`${n} `))),
  ),
};
