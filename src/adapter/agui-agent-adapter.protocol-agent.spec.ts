import { setTimeout as sleep } from 'node:timers/promises';
import { AbstractAgent } from '@ag-ui/client';
import { AbstractAgent as EarlierAgent } from 'agui-client-0.0.59';
import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import { from, Observable, of, throwError } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { ProtocolAgent } from '../agent/agent.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import {
  collect,
  FINISHED,
  inputOf,
  STARTED,
  watchLogs,
} from './adapter.fixture.js';

const events = (...given: object[]) => of(...(given as BaseEvent[]));
const started = { type: 'RUN_STARTED', threadId: 'x', runId: 'y' };
const finished = { type: 'RUN_FINISHED', threadId: 'x', runId: 'y' };
const message = (messageId: string, delta: string) => [
  { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId, delta },
  { type: 'TEXT_MESSAGE_END', messageId },
];
const runOf = (agent: ProtocolAgent, config?: AguiAdapterConfig) =>
  collect(new AguiAgentAdapter(agent, config).run(inputOf()));

describe('AguiAgentAdapter with an agent that speaks AG-UI itself', () => {
  const logs = watchLogs();

  it('should let its events through, under the ids of the run', async () => {
    const agent = {
      run: () => events(started, ...message('m1', 'hi'), finished),
    };

    expect(await runOf(agent)).toEqual([
      STARTED,
      ...message('m1', 'hi'),
      FINISHED,
    ]);
    expect(logs.warnings).toEqual([]);
  });

  it('should give it the whole input', async () => {
    const run = vi.fn<ProtocolAgent['run']>(() => events(started, finished));
    const input = inputOf({ state: { a: 1 } });

    await collect(new AguiAgentAdapter({ run }).run(input));

    expect(run).toHaveBeenCalledExactlyOnceWith(input);
  });

  it('should take an async iterable, too', async () => {
    const agent = {
      async *run() {
        yield* [started, finished] as BaseEvent[];
      },
    };

    expect(await runOf(agent)).toEqual([STARTED, FINISHED]);
  });

  it('should spell out chunks and open what was not opened', async () => {
    const agent = {
      run: () =>
        events(
          { type: 'TEXT_MESSAGE_CHUNK', messageId: 'm1', delta: 'h' },
          { type: 'TEXT_MESSAGE_CHUNK', delta: 'i' },
          { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm2', delta: 'ho' },
          finished,
        ),
    };

    expect(await runOf(agent)).toEqual([
      STARTED,
      message('m1', '')[0],
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'h' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'm1', delta: 'i' },
      message('m1', '')[2],
      ...message('m2', 'ho'),
      FINISHED,
    ]);
  });

  it('should let enrichers see its events, without an agent event, but not converters', async () => {
    const convert = vi.fn<() => void>();
    const agent = { run: () => events(started, finished) };

    const all = await runOf(agent, {
      converters: [{ eventTypes: () => ['AGENT_START', 'CUSTOM'], convert }],
      enrichers: [
        {
          enrich: (source, made) =>
            made.map((event) => ({ ...event, metadata: { source } })),
        },
      ],
      baseEventPropertiesEnricherEnabled: true,
    });

    const enriched = {
      metadata: { source: null },
      timestamp: expect.any(Number),
    };
    expect(all).toEqual([
      { ...STARTED, ...enriched },
      { ...FINISHED, ...enriched },
    ]);
    expect(convert).not.toHaveBeenCalled();
  });

  it('should fail when it fails, masking the error', async () => {
    const agent = {
      run: () =>
        new Observable<BaseEvent>((observer) => {
          observer.next(started as BaseEvent);
          for (const event of message('m1', 'hi').slice(0, 2))
            observer.next(event as BaseEvent);
          observer.error(new Error('10.0.0.5 refused'));
        }),
    };

    expect(await runOf(agent)).toEqual([
      STARTED,
      ...message('m1', 'hi').slice(0, 2),
      {
        type: 'RUN_ERROR',
        message: 'The agent failed. The server log says why.',
        code: 'INTERNAL_ERROR',
        timestamp: expect.any(Number),
      },
    ]);
  });

  it('should fail when it fails before its first event', async () => {
    const agent = { run: () => throwError(() => new Error('no')) };

    expect(await runOf(agent)).toEqual([
      STARTED,
      expect.objectContaining({ type: 'RUN_ERROR', code: 'INTERNAL_ERROR' }),
    ]);
  });

  it('should let it report its own failure, and nothing after that', async () => {
    const failure = { type: 'RUN_ERROR', message: 'Sold out.', code: 'E1' };
    const agent = { run: () => events(started, failure, finished) };

    expect(await runOf(agent)).toEqual([STARTED, failure]);
  });

  it('should fail when it ends without a terminal event', async () => {
    expect(await runOf({ run: () => events(started) })).toEqual([
      STARTED,
      {
        type: 'RUN_ERROR',
        message: 'The agent ended before it finished the run.',
        code: 'INTERNAL_ERROR',
        timestamp: expect.any(Number),
      },
    ]);
  });

  it('should drop what is no event', async () => {
    const agent = {
      run: () => events(started, null as never, undefined as never, finished),
    };

    expect(
      await runOf(agent, { baseEventPropertiesEnricherEnabled: true }),
    ).toHaveLength(2);
  });

  it('should stop it when the run is cancelled, and close what it has open', async () => {
    const stop = new AbortController();
    const unsubscribed = vi.fn<() => void>();
    const agent = {
      abortRun: vi.fn<() => void>(),
      run: () =>
        new Observable<BaseEvent>((observer) => {
          observer.next(started as BaseEvent);
          observer.next(message('m1', '')[0] as BaseEvent);
          return unsubscribed;
        }),
    };
    const adapter = new AguiAgentAdapter(agent);
    const all: AguiEvent[] = [];
    const context = new RuntimeContext({ signal: stop.signal });
    for await (const event of adapter.run(inputOf(), context)) {
      all.push(event);
      if (event.type === 'TEXT_MESSAGE_START') stop.abort();
    }

    expect(all).toEqual([
      STARTED,
      message('m1', '')[0],
      message('m1', '')[2],
      { ...FINISHED, outcome: { type: 'cancelled' } },
    ]);
    expect(agent.abortRun).toHaveBeenCalledOnce();
    expect(unsubscribed).toHaveBeenCalledOnce();
  });

  it("should work with @ag-ui/client's agents, on a clone for each run", async () => {
    const instances = new Set<unknown>();
    class Echo extends AbstractAgent {
      override run({
        threadId,
      }: RunAgentInput): ReturnType<AbstractAgent['run']> {
        instances.add(this);
        this.threadId = threadId;
        const said = async function* (this: Echo) {
          yield started;
          await sleep(Math.random() * 3);
          yield* message('m1', this.threadId);
          yield finished;
        };
        // The client has a copy of RxJS of its own.
        return from(said.call(this)) as never;
      }
    }
    const echo = new Echo();
    const adapter = new AguiAgentAdapter(echo);

    await Promise.all(
      Array.from({ length: 20 }, async (_, n) => {
        const threadId = `t${n}`;
        expect(await collect(adapter.run(inputOf({ threadId })))).toEqual([
          { ...STARTED, threadId },
          ...message('m1', threadId),
          { ...FINISHED, threadId },
        ]);
      }),
    );

    expect(instances.size).toBe(20);
    expect(instances).not.toContain(echo);
  });

  it.each([
    ['@ag-ui/client 1.0', AbstractAgent],
    ['@ag-ui/client 0.0.59', EarlierAgent as unknown as typeof AbstractAgent],
  ])(
    'should apply the middlewares of agents of %s, also of one whose clone has lost them',
    async (_version, Base) => {
      class Forgetful extends Base {
        override run({ context }: RunAgentInput) {
          const description = context[0]?.description ?? 'nothing';
          const all = [started, ...message('m1', description), finished];
          return from(all) as unknown as ReturnType<AbstractAgent['run']>;
        }
        override clone() {
          return new Forgetful();
        }
      }
      const context = [{ description: 'added', value: '' }];
      const agent = new Forgetful();
      agent.use((input, next) => next.run({ ...input, context }));

      expect(await runOf(agent)).toEqual([
        STARTED,
        ...message('m1', 'added'),
        FINISHED,
      ]);
    },
  );

  it('should give a clone the thread of the run, and leave the agent itself alone', async () => {
    class Looking extends AbstractAgent {
      override run() {
        const { threadId, messages, state } = this;
        const seen = JSON.stringify([threadId, messages.length, state]);
        const all = [started, ...message('m1', seen), finished];
        return from(all) as unknown as ReturnType<AbstractAgent['run']>;
      }
    }
    const agent = new Looking({ threadId: 'own' });
    const input = inputOf({ state: { n: 1 } });
    const events = await collect(new AguiAgentAdapter(agent).run(input));

    const seen = JSON.stringify([
      input.threadId,
      input.messages.length,
      { n: 1 },
    ]);
    expect(events).toContainEqual(message('m1', seen)[1]);
    const { threadId, messages, state } = agent;
    expect({ threadId, messages, state }).toEqual({
      threadId: 'own',
      messages: [],
      state: {},
    });
  });
});
