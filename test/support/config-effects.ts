import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Provider } from '@nestjs/common';
import { vi } from 'vitest';
import { Toolkit, type Agent, type AguiFeatureOptions } from 'nestjs-agui';
import { aborted, agentOf, reply, sayer } from './agents.js';
import type { TestApp } from './app.js';
import {
  eventsOf,
  inputOf,
  openSocket,
  openStream,
  post,
  run,
  typesOf,
} from './client.js';
import { ask, tellerOf } from './module-app.js';

/** One key of the configuration and what can be seen of it from outside. */
export interface Effect {
  /** A value that is not the default: in code, and as text. */
  value: unknown;
  text: string;
  /** What is seen of it. Something that takes time is true once it has happened, false when patience (ms) is at an end. */
  see: (app: TestApp, patience: number) => Promise<unknown>;
  byDefault: unknown;
  configured: unknown;
  /** Other options that it needs to be seen. */
  also?: Record<string, unknown>;
}

const replyId = 'r';
const call = { replyId, toolCallId: 'c1', toolCallName: 'look' };

/** Says something of every kind that an option may keep back. */
const rich: Agent = agentOf(async function* () {
  yield reply.start();
  yield reply.thought('hm');
  yield { type: 'TOOL_CALL_START', ...call };
  yield { type: 'TOOL_CALL_DELTA', ...call, delta: '{"a":1}' };
  yield { type: 'TOOL_CALL_END', ...call };
  yield { type: 'TOOL_RESULT_END', ...call, state: 'success' };
  yield { type: 'STATE_UPDATE', state: { a: 1 } };
  yield { ...reply.text('from below', 'sub'), source: 'main/sub' };
  yield {
    type: 'MODEL_CALL_END',
    replyId,
    usage: { inputTokens: 1, outputTokens: 2 },
  };
  yield reply.text('done');
  yield reply.end();
});

const failing = agentOf(async function* () {
  yield reply.start();
  throw new Error('secret detail');
});

const toolbox: Agent = {
  ...tellerOf((_messages, { toolkit }) =>
    toolkit
      .list()
      .map(({ name }) => name)
      .join(),
  ),
  toolkit: new Toolkit([{ name: 'own' }]),
};

/** Says more than a socket holds. */
let flooded = 0;
const flood = agentOf(async function* () {
  yield reply.start();
  for (;;) {
    flooded++;
    yield reply.text('x'.repeat(100_000));
  }
});

/** Waits until the flood has begun and goes no further. */
async function floodIsHeldUp(): Promise<void> {
  const start = flooded;
  let before: number;
  do {
    before = flooded;
    await sleep(50);
  } while (flooded === start || flooded !== before);
}

/** The threads whose runs were stopped. */
const stopped = new Set<string>();
const waiting = agentOf(async function* (_messages, { signal, sessionId }) {
  yield reply.start();
  await aborted(signal);
  stopped.add(sessionId);
});

/** Says more than a small log holds, then a word, and waits. */
const wordy = agentOf(async function* (_messages, { signal }) {
  yield reply.start();
  yield { type: 'CUSTOM', name: 'note', value: 'x'.repeat(1000) };
  yield reply.text('word');
  await aborted(signal);
});

/** Tells which instance it is and how many messages it got. */
let made = 0;
const rememberer = () => {
  const number = ++made;
  return tellerOf((messages) => `${number}:${messages.length}`);
};

export const AGENTS: AguiFeatureOptions['agents'] = {
  default: sayer('default'),
  other: sayer('other'),
  rich,
  failing,
  flood,
  waiting,
  wordy,
  rememberer,
  toolbox,
};

/** An agent that nothing declares one. */
export const UNDECORATED: Provider = {
  provide: 'undecorated',
  useValue: sayer('undecorated'),
};

const to = (id: string) => ({ path: `/agui/run/${id}` });

async function has(app: TestApp, type: string): Promise<boolean> {
  return typesOf(await run(app, inputOf(), to('rich'))).includes(type);
}

async function lastError(app: TestApp, id: string): Promise<unknown> {
  const events = await run(app, inputOf(), to(id));
  return events.findLast(({ type }) => type === 'RUN_ERROR')?.message;
}

/** What the rememberer says of three messages sent one after the other, in one thread or in several. */
async function recall(
  app: TestApp,
  threads: string[],
  { edited = false } = {},
): Promise<string> {
  made = 0;
  const said = [];
  for (const [index, threadId] of threads.entries()) {
    const messages = Array.from({ length: index + 1 }, (_, at) => ({
      id: `u${at}`,
      role: 'user',
      content: edited ? `Hi, for the ${index}. time` : 'Hi',
    }));
    said.push(
      await ask(app, { ...to('rememberer'), input: { threadId, messages } }),
    );
  }
  return said.join(' ');
}

/** Whether a run runs out of time. */
async function timesOut(app: TestApp, patience: number): Promise<boolean> {
  try {
    const response = await post(app, inputOf(), {
      ...to('waiting'),
      signal: AbortSignal.timeout(patience),
    });
    return (await eventsOf(response)).at(-1)?.code === 'TIMEOUT_ERROR';
  } catch {
    return false;
  }
}

/** Whether something comes true in time. */
async function within(
  patience: number,
  happened: () => boolean,
): Promise<boolean> {
  for (let waited = 0; waited < patience && !happened(); waited += 10)
    await sleep(10);
  return happened();
}

async function corsOf(app: TestApp, origin: string): Promise<string | null> {
  const response = await post(app, inputOf(), { headers: { origin } });
  await response.body?.cancel();
  return response.headers.get('access-control-allow-origin');
}

const flag = (
  byDefault: boolean,
  see: Effect['see'],
  seen: [byDefault: unknown, configured: unknown] = [byDefault, !byDefault],
): Effect => ({
  value: !byDefault,
  text: String(!byDefault),
  see,
  byDefault: seen[0],
  configured: seen[1],
});

const origin = 'https://app.example.com';

/** Every key of the configuration. */
export const EFFECTS: Record<string, Effect> = {
  pathPrefix: {
    value: '/chat',
    text: '/chat',
    see: (app) => ask(app, { path: '/chat/run' }),
    byDefault: 404,
    configured: 'default',
  },
  corsEnabled: flag(true, (app) => corsOf(app, origin), ['*', null]),
  corsAllowedOrigins: {
    value: ['http://localhost:3000', origin],
    text: `http://localhost:3000, ${origin}`,
    see: async (app) => [
      await corsOf(app, origin),
      await corsOf(app, 'https://evil.example.com'),
    ],
    byDefault: ['*', '*'],
    configured: [origin, null],
  },
  runTimeout: {
    value: 30,
    text: '30ms',
    see: timesOut,
    byDefault: false,
    configured: true,
  },
  defaultToolMergeMode: {
    value: 'AGENT_ONLY',
    text: 'AGENT_ONLY',
    see: (app) =>
      ask(app, {
        ...to('toolbox'),
        input: { tools: [{ name: 'theirs', description: '', parameters: {} }] },
      }),
    byDefault: 'own,theirs',
    configured: 'own',
  },
  emitStateEvents: flag(true, (app) => has(app, 'STATE_SNAPSHOT')),
  emitToolCallArgs: flag(true, (app) => has(app, 'TOOL_CALL_ARGS')),
  emitTokenUsage: flag(false, async (app) => {
    const events = await run(app, inputOf(), to('rich'));
    return events.some(({ name }) => name === 'token_usage');
  }),
  enableReasoning: flag(false, (app) => has(app, 'REASONING_MESSAGE_CONTENT')),
  emitRunFinishedAfterError: flag(
    false,
    async (app) => typesOf(await run(app, inputOf(), to('failing'))).at(-1),
    ['RUN_ERROR', 'RUN_FINISHED'],
  ),
  subagentEvents: {
    value: 'attributed',
    text: 'attributed',
    see: (app) => has(app, 'SUBAGENT_STARTED'),
    byDefault: false,
    configured: true,
  },
  emitSubagentEventsAsNative: flag(false, async (app) => {
    const events = await run(app, inputOf(), to('rich'));
    return events.some(
      ({ type, delta }) =>
        type === 'TEXT_MESSAGE_CONTENT' && delta === 'from below',
    );
  }),
  baseEventPropertiesEnricherEnabled: flag(false, async (app) => {
    const events = await run(app, inputOf(), to('rich'));
    return events.every(({ timestamp }) => typeof timestamp === 'number');
  }),
  exposeErrors: flag(false, async (app) =>
    String(await lastError(app, 'failing')).includes('secret detail'),
  ),
  logPayloads: flag(false, async (app, patience) => {
    await run(app, inputOf(), to('rich'));
    return within(patience, () => app.log.some((line) => /"done"/.test(line)));
  }),
  defaultAgentId: {
    value: 'other',
    text: 'other',
    see: (app) => ask(app),
    byDefault: 'default',
    configured: 'other',
  },
  serveUndecoratedAgents: flag(true, (app) => ask(app, to('undecorated')), [
    'undecorated',
    404,
  ]),
  agentIdHeader: {
    value: 'X-My-Agent',
    text: 'X-My-Agent',
    see: (app) => ask(app, { headers: { 'x-my-agent': 'other' } }),
    byDefault: 'default',
    configured: 'other',
  },
  enablePathRouting: flag(true, (app) => ask(app, to('other')), ['other', 404]),
  listAgents: flag(
    false,
    async (app) => (await fetch(`${app.url}/agui/agents`)).status,
    [404, 200],
  ),
  serverSideMemory: flag(false, (app) => recall(app, ['t', 't', 't']), [
    '1:1 2:2 3:3',
    '1:1 1:1 1:1',
  ]),
  divergence: {
    value: 'reject',
    text: 'reject',
    also: { serverSideMemory: true },
    see: (app) => recall(app, ['t', 't', 't'], { edited: true }),
    byDefault: '1:1 2:2 3:3',
    configured: '1:1 409 409',
  },
  concurrentRuns: {
    value: 'queue',
    text: 'queue',
    see: async (app) => {
      const input = inputOf({ threadId: randomUUID() });
      const first = await openStream(app, input, to('waiting'));
      await first.untilType('RUN_STARTED');
      const second = run(app, input);
      // Behind the second one, which has arrived when this is answered.
      await ask(app);
      first.leave();
      return typesOf(await second).at(-1);
    },
    byDefault: 'RUN_ERROR',
    configured: 'RUN_FINISHED',
  },
  eventLogLimit: {
    value: 100,
    text: '100b',
    see: async (app) => {
      const threadId = randomUUID();
      const input = inputOf({ threadId });
      const stream = await openStream(app, input, to('wordy'));
      await stream.untilType('TEXT_MESSAGE_CONTENT');
      const path = '/agui/connect';
      const heard = await openStream(app, { threadId }, { path });
      const text = await heard.untilType('TEXT_MESSAGE_START');
      stream.leave();
      return text.includes('agui.events_dropped');
    },
    byDefault: false,
    configured: true,
  },
  maxThreadSessions: {
    value: 1,
    text: '1',
    also: { serverSideMemory: true },
    see: (app) => recall(app, ['a', 'b', 'a']),
    byDefault: '1:1 2:2 1:2',
    configured: '1:1 2:2 3:3',
  },
  maxThreadMemory: {
    value: 5000,
    text: '5000b',
    see: async (app) => {
      const threadId = randomUUID();
      const messages = [{ id: 'u', role: 'user', content: 'x'.repeat(3000) }];
      await ask(app, { input: { threadId, messages } });
      await ask(app, { input: { messages } });
      const connected = await post(
        app,
        { threadId },
        { path: '/agui/connect' },
      );
      await connected.body?.cancel();
      return connected.status;
    },
    byDefault: 200,
    configured: 404,
  },
  sessionTimeoutMinutes: {
    value: 5,
    text: '5',
    also: { serverSideMemory: true },
    see: async (app) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        const threadId = randomUUID();
        const told = [];
        for (const id of ['u1', 'u2']) {
          const messages = [{ id, role: 'user', content: 'Hi' }];
          const input = { threadId, messages };
          const before = made;
          await ask(app, { ...to('rememberer'), input });
          told.push(made - before);
          vi.setSystemTime(Date.now() + 6 * 60_000);
        }
        return told;
      } finally {
        vi.useRealTimers();
      }
    },
    byDefault: [1, 0],
    configured: [1, 1],
  },
  sseTimeout: {
    value: 30,
    text: '30ms',
    see: timesOut,
    byDefault: false,
    configured: true,
  },
  slowClientTimeout: {
    value: 50,
    text: '50ms',
    see: async (app, patience) => {
      const socket = await openSocket(app, inputOf(), ['X-Agent-Id: flood']);
      await floodIsHeldUp();
      const isDropped = () =>
        app.log.join('\n').includes('took nothing for 50 ms');
      const dropped = await within(patience, isDropped);
      socket.destroy();
      return dropped;
    },
    byDefault: false,
    configured: true,
  },
  interruptOnDisconnect: flag(true, async (app, patience) => {
    const threadId = randomUUID();
    const input = inputOf({ threadId });
    const stream = await openStream(app, input, to('waiting'));
    await stream.untilType('RUN_STARTED');
    stream.leave();
    return within(patience, () => stopped.has(threadId));
  }),
  heartbeatInterval: {
    value: 20,
    text: '20ms',
    see: async (app, patience) => {
      const stream = await openStream(app, inputOf(), to('waiting'));
      const beats = () => stream.text.includes(': keep-alive');
      const beat = await within(patience, beats);
      stream.leave();
      return beat;
    },
    byDefault: false,
    configured: true,
  },
  bodyLimit: {
    value: 1024,
    text: '1kb',
    see: (app) => ask(app, { input: { state: 'x'.repeat(2000) } }),
    byDefault: 'default',
    configured: 413,
  },
  bodyTimeout: {
    value: 30,
    text: '30ms',
    see: async (app, patience) => {
      const socket = await openSocket(app, inputOf());
      // A request of which no more comes, behind one that is complete.
      socket.resume().write('POST /agui/run HTTP/1.1\r\nHost: x\r\n');
      socket.write('Content-Length: 5\r\n\r\n');
      const closed = await within(patience, () => socket.closed);
      socket.destroy();
      return closed;
    },
    byDefault: false,
    configured: true,
  },
  allowedMediaSchemes: {
    value: ['http', 'https'],
    text: 'http, https',
    see: async (app) => {
      const at = (value: string) => {
        const image = { type: 'image', source: { type: 'url', value } };
        const content = [image];
        const messages = [{ id: 'u', role: 'user', content }];
        return ask(app, { input: { messages } });
      };
      return [await at('http://a.example/b'), await at('data:,b')];
    },
    byDefault: [400, 'default'],
    configured: ['default', 400],
  },
  shutdownGrace: {
    value: 50,
    text: '50ms',
    see: async (app, patience) => {
      const socket = await openSocket(app, inputOf(), ['X-Agent-Id: flood']);
      await floodIsHeldUp();
      let closed = false;
      const closing = app.app.close().then(() => (closed = true));
      const soon = await within(patience, () => closed);
      socket.destroy();
      await closing;
      return soon;
    },
    byDefault: false,
    configured: true,
  },
};
