import { setTimeout as sleep } from 'node:timers/promises';
import { Injectable, Scope } from '@nestjs/common';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  AguiAgent,
  AguiModule,
  textOf,
  type Agent,
  type Msg,
} from 'nestjs-agui';
import { aborted, agentOf, deferred, reply } from './support/agents.js';
import { closeApps, PLATFORMS, startApp, type TestApp } from './support/app.js';
import { inputOf, openStream, run } from './support/client.js';
import {
  ask as askOnce,
  textOfRun,
  type Ask,
  type RootOptions,
} from './support/module-app.js';
import { BY_USER, user } from './support/threads.js';

afterEach(async () => {
  vi.useRealTimers();
  await closeApps();
});

/** What an agent was given: the ids of its messages, or what a tool's result says. */
function briefly({ id, role, content }: Msg): string {
  const [block] = content;
  return block?.type === 'tool_result'
    ? `${role}(${textOf(block.output)})`
    : `${role}:${id}`;
}

interface Recorder {
  make: () => Agent;
  made: number;
  /** What each run was given. */
  given: string[][];
}

/** Agents that record what they are given; each says which one of them it is. */
function recorder(): Recorder {
  const record: Recorder = {
    made: 0,
    given: [],
    make: () => {
      const number = ++record.made;
      return agentOf(async function* (messages) {
        record.given.push(messages.map(briefly));
        yield reply.start(`reply-${record.given.length}`);
        yield reply.text(`agent ${number}`, `reply-${record.given.length}`);
        yield reply.end(`reply-${record.given.length}`);
      });
    },
  };
  return record;
}

/** How many messages the user has said. */
let said = 0;
beforeEach(() => void (said = 0));

/** Says something new. */
function ask(app: TestApp, { input, ...given }: Ask = {}) {
  const messages = [user(`u${++said}`)];
  return askOnce(app, { ...given, input: { messages, ...input } });
}

describe.each(PLATFORMS)('Server-side memory on %s', (platform) => {
  function start(
    agents: RootOptions['agents'],
    options: RootOptions = {},
    providers: Parameters<typeof startApp>[1]['providers'] = [],
  ): Promise<TestApp> {
    return startApp(platform, {
      imports: [
        AguiModule.forRoot({
          serverSideMemory: true,
          agents,
          ...BY_USER,
          ...options,
        }),
      ],
      providers,
    });
  }

  it('should be off unless it is asked for', async () => {
    const record = recorder();
    const app = await start(
      { default: record.make },
      { serverSideMemory: undefined },
    );
    await run(app, inputOf({ messages: [user('u1')] }));
    await run(app, inputOf({ messages: [user('u1'), user('u2')] }));
    expect(record.made).toBe(2);
    expect(record.given).toEqual([['user:u1'], ['user:u1', 'user:u2']]);
  });

  it('should hand over only what the server has not seen', async () => {
    const record = recorder();
    const app = await start({ default: record.make });
    const messages: Record<string, unknown>[] = [];
    for (const id of ['u1', 'u2', 'u3']) {
      messages.push(user(id));
      const events = await run(app, inputOf({ messages }));
      // The client keeps what it was sent, under the ids that it was sent under.
      const { messageId } = events.find(
        ({ type }) => type === 'TEXT_MESSAGE_START',
      )!;
      messages.push({
        id: messageId,
        role: 'assistant',
        content: textOfRun(events),
      });
    }
    expect(record.made).toBe(1);
    expect(record.given).toEqual([['user:u1'], ['user:u2'], ['user:u3']]);
  });

  it("should hand over results of the front end's tools", async () => {
    const given: string[][] = [];
    const call = { replyId: 'r', toolCallId: 'c1', toolCallName: 'pick' };
    const app = await start({
      default: () =>
        agentOf(async function* (messages) {
          given.push(messages.map(briefly));
          yield reply.start();
          if (given.length === 1) {
            yield { type: 'TOOL_CALL_START', ...call };
            yield { type: 'TOOL_CALL_DELTA', ...call, delta: '{}' };
            yield { type: 'TOOL_CALL_END', ...call };
          } else yield reply.text('thanks');
          yield reply.end();
        }),
    });
    const tools = [{ name: 'pick', description: '', parameters: {} }];
    const first = await run(app, inputOf({ tools, messages: [user('u1')] }));
    const { parentMessageId } = first.find(
      ({ type }) => type === 'TOOL_CALL_START',
    )!;
    const transcript = [
      user('u1'),
      {
        id: (parentMessageId as string | undefined) ?? 'c1',
        role: 'assistant',
        toolCalls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'pick', arguments: '{}' },
          },
        ],
      },
      { id: 'tool-1', role: 'tool', toolCallId: 'c1', content: 'red' },
    ];
    await run(app, inputOf({ tools, messages: transcript }));
    await run(app, inputOf({ tools, messages: [...transcript, user('u2')] }));
    expect(given).toEqual([['user:u1'], ['tool(red)'], ['user:u2']]);
  });

  it('should keep users and threads apart', async () => {
    const record = recorder();
    const app = await start({ default: record.make });
    const as = (name: string, threadId: string) =>
      ask(app, { headers: { 'x-user': name }, input: { threadId } });
    expect(await as('ann', 't')).toBe('agent 1');
    expect(await as('bob', 't')).toBe('agent 2');
    expect(await as('ann', 'other')).toBe('agent 3');
    expect(await ask(app, { input: { threadId: 't' } })).toBe('agent 4');
    expect(await as('ann', 't')).toBe('agent 1');
    expect(record.given).toEqual(
      [1, 2, 3, 4, 5].map((number) => [`user:u${number}`]),
    );
  });

  it('should not believe the body about the user', async () => {
    const record = recorder();
    const app = await start({ default: record.make });
    await ask(app, { headers: { 'x-user': 'ann' }, input: { threadId: 't' } });
    expect(
      await ask(app, {
        input: { threadId: 't', forwardedProps: { userId: 'ann' } },
      }),
    ).toBe('agent 2');
  });

  it.each([
    ['transient', Scope.TRANSIENT],
    ['request-scoped', Scope.REQUEST],
  ])('should keep a %s provider for its thread', async (_name, scope) => {
    let made = 0;
    @Injectable({ scope })
    @AguiAgent('counter')
    class Counter implements Agent {
      private readonly number = ++made;

      async *streamEvents() {
        yield reply.start();
        yield reply.text(`agent ${this.number}`);
        yield reply.end();
      }
    }
    const app = await start({}, { defaultAgentId: 'counter' }, [Counter]);
    const inThread = (threadId: string) => ask(app, { input: { threadId } });
    expect(await inThread('a')).toBe('agent 1');
    expect(await inThread('b')).toBe('agent 2');
    expect(await inThread('a')).toBe('agent 1');
  });

  it('should make an agent once for runs of a thread that come together', async () => {
    const record = recorder();
    const app = await start({
      default: async () => {
        await sleep(5);
        return record.make();
      },
    });
    await Promise.all(
      ['r1', 'r2', 'r3'].map((runId) =>
        ask(app, { input: { threadId: 't', runId } }),
      ),
    );
    expect(record.made).toBe(1);
  });

  it('should ask the factory again if it failed', async () => {
    const record = recorder();
    let down = true;
    const app = await start({
      default: () => {
        if (down) throw new Error('The model is down.');
        return record.make();
      },
    });
    expect(await askOnce(app)).toBe(500);
    down = false;
    expect(await askOnce(app)).toBe('agent 1');
    expect(record.given).toEqual([['user:u1']]);
  });

  it('should not count a refused run as one that saw its messages', async () => {
    const record = recorder();
    const app = await start({ default: record.make });
    expect(await askOnce(app, { headers: { 'x-agent-id': 'none' } })).toBe(404);
    await askOnce(app);
    expect(record.given).toEqual([['user:u1']]);
  });

  it('should hand over again what a run was told that did not come to its end', async () => {
    const record = recorder();
    let failures = 2;
    const app = await start({
      default: () => {
        const agent = record.make();
        return agentOf((messages, context) => {
          if (failures-- <= 0) return agent.streamEvents(messages, context);
          record.given.push(messages.map(briefly));
          throw new Error('broken');
        });
      },
    });
    const said = (...ids: string[]) =>
      run(app, inputOf({ messages: ids.map((id) => user(id)) }));
    await said('u1');
    await said('u1', 'u2');
    await said('u1', 'u2');
    await said('u1', 'u2', 'u3');

    expect(record.given).toEqual([
      ['user:u1'],
      ['user:u1', 'user:u2'],
      ['user:u1', 'user:u2'],
      ['user:u3'],
    ]);
  });

  it('should keep maxThreadSessions threads, those used last', async () => {
    const record = recorder();
    const app = await start({ default: record.make }, { maxThreadSessions: 2 });
    const inThread = (threadId: string) => ask(app, { input: { threadId } });
    expect(await inThread('a')).toBe('agent 1');
    expect(await inThread('b')).toBe('agent 2');
    expect(await inThread('a')).toBe('agent 1');
    expect(await inThread('c')).toBe('agent 3');
    expect(await inThread('a')).toBe('agent 1');
    expect(await inThread('b')).toBe('agent 4');
  });

  it('should forget a thread that was unused for sessionTimeoutMinutes', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const record = recorder();
    const app = await start(
      { default: record.make },
      { sessionTimeoutMinutes: 5 },
    );
    const after = async (minutes: number) => {
      vi.setSystemTime(Date.now() + minutes * 60_000);
      return ask(app, { input: { threadId: 't' } });
    };
    expect(await after(0)).toBe('agent 1');
    expect(await after(4)).toBe('agent 1');
    expect(await after(4)).toBe('agent 1');
    expect(await after(5)).toBe('agent 2');
    expect(record.given).toEqual(
      [1, 2, 3, 4].map((number) => [`user:u${number}`]),
    );
  });

  it('should never forget a thread that is running', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    let made = 0;
    const finish = deferred();
    const app = await start(
      {
        default: () => {
          const number = ++made;
          return agentOf(async function* (_messages, { sessionId }) {
            yield reply.start();
            if (sessionId === 'long' && number === 1) await finish.promise;
            yield reply.text(`agent ${number}`);
            yield reply.end();
          });
        },
      },
      { maxThreadSessions: 1, sessionTimeoutMinutes: 1 },
    );
    const running = ask(app, { input: { threadId: 'long' } });
    await vi.waitFor(() => expect(made).toBe(1));
    for (const threadId of ['a', 'b', 'c']) {
      vi.setSystemTime(Date.now() + 10 * 60_000);
      await ask(app, { input: { threadId } });
    }
    finish.resolve();
    expect(await running).toBe('agent 1');
    expect(await ask(app, { input: { threadId: 'long' } })).toBe('agent 1');
  });

  it('should let go of a thread whose client left', async () => {
    let made = 0;
    const stopped = deferred();
    const app = await start(
      {
        default: () => {
          const number = ++made;
          return agentOf(async function* (_messages, { sessionId, signal }) {
            yield reply.start();
            if (sessionId === 'left') {
              await aborted(signal);
              stopped.resolve();
            }
            yield reply.text(`agent ${number}`);
            yield reply.end();
          });
        },
      },
      { maxThreadSessions: 1 },
    );
    const stream = await openStream(app, inputOf({ threadId: 'left' }));
    await stream.untilType('RUN_STARTED');
    stream.leave();
    await stopped.promise;
    expect(await ask(app, { input: { threadId: 'a' } })).toBe('agent 2');
    expect(await ask(app, { input: { threadId: 'b' } })).toBe('agent 3');
    expect(await ask(app, { input: { threadId: 'b' } })).toBe('agent 3');
  });

  it('should hand an agent that is new in a thread all messages of it', async () => {
    const one = recorder();
    const two = recorder();
    const app = await start({ one: one.make, two: two.make });
    const to = (id: string) => ({ path: `/agui/run/${id}` });
    await run(app, inputOf({ messages: [user('u1')] }), to('one'));
    const messages = [user('u1'), user('u2')];
    await run(app, inputOf({ messages }), to('two'));
    messages.push(user('u3'));
    await run(app, inputOf({ messages }), to('one'));
    expect(two.given).toEqual([['user:u1', 'assistant:reply-1', 'user:u2']]);
    expect(one.given).toEqual([
      ['user:u1'],
      ['user:u2', 'assistant:reply-1-2', 'user:u3'],
    ]);
  });
});
