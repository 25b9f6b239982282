import { concat, NEVER, Observable, of, throwError, type Observer } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import type { AguiRun } from './agui-run.js';
import { iteratorOf } from './observable-iterator.js';
import {
  agentOf,
  collect,
  END,
  FINISHED,
  inputOf,
  START,
  STARTED,
  text,
  watchLogs,
} from './adapter.fixture.js';

const runOf = (stream: unknown) =>
  new AguiAgentAdapter(agentOf(() => stream as Observable<AgentEvent>)).run(
    inputOf(),
  );
const HI = [
  { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
  { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1', delta: 'hi' },
  { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
];
const ERROR = {
  type: 'RUN_ERROR',
  message: 'The agent failed. The server log says why.',
  code: 'INTERNAL_ERROR',
  timestamp: expect.any(Number),
};

describe('iteratorOf', () => {
  const logs = watchLogs();

  it('should take an Observable that emits all at once', async () => {
    expect(await collect(runOf(of(START, text('hi'), END)))).toEqual([
      STARTED,
      ...HI,
      FINISHED,
    ]);
  });

  it('should take an Observable that emits in its own time, and keep what comes too early', async () => {
    let observer!: Observer<AgentEvent>;
    const stream = new Observable<AgentEvent>((given) => {
      observer = given;
      given.next(START);
    });
    const all = collect(runOf(stream));
    await vi.waitFor(() => expect(observer).toBeDefined());

    observer.next(text('h'));
    await Promise.resolve();
    observer.next(text('i'));
    observer.next(END);
    observer.complete();

    expect(await all).toEqual([
      STARTED,
      HI[0],
      { ...HI[1], delta: 'h' },
      { ...HI[1], delta: 'i' },
      HI[2],
      FINISHED,
    ]);
  });

  it.each([new Error('no'), 'no', undefined, null])(
    'should fail the run if the Observable fails with %j',
    async (error) => {
      const stream = concat(
        of(START, text('hi')),
        throwError(() => error),
      );

      expect(await collect(runOf(stream))).toEqual([STARTED, ...HI, ERROR]);
      expect(logs.warnings).toEqual([]);
    },
  );

  it('should fail the run if the Observable emits for ever and nothing is read', async () => {
    const stream = new Observable<AgentEvent>((observer) => {
      for (;;) observer.next(text('more'));
    });

    expect(await collect(runOf(stream))).toEqual([STARTED, ERROR]);
    expect(String(logs.errors[0]![1])).toContain('ahead of the client');
  }, 30_000);

  it('should fail the run if the Observable is too far ahead later on', async () => {
    const unsubscribed = vi.fn<() => void>();
    const stream = new Observable<AgentEvent>((observer) => {
      setTimeout(() => {
        while (!observer.closed) observer.next(text('more'));
      });
      return unsubscribed;
    });

    expect(await collect(runOf(stream))).toEqual([STARTED, ERROR]);
    expect(unsubscribed).toHaveBeenCalledOnce();
  }, 30_000);

  it('should unsubscribe when the consumer stops', async () => {
    const unsubscribed = vi.fn<() => void>();
    const stream = new Observable<AgentEvent>((observer) => {
      observer.next(START);
      observer.next(text('hi'));
      return unsubscribed;
    });

    for await (const { type } of runOf(stream))
      if (type === 'TEXT_MESSAGE_CONTENT') break;

    expect(unsubscribed).toHaveBeenCalledOnce();
  });

  it('should unsubscribe when the run is cancelled while it waits', async () => {
    const unsubscribed = vi.fn<() => void>();
    const stop = new AbortController();
    const agent = agentOf(
      () =>
        new Observable<AgentEvent>((observer) => {
          const inner = concat(of(START), NEVER).subscribe(observer);
          inner.add(unsubscribed);
          return inner;
        }),
    );
    const context = new RuntimeContext({ signal: stop.signal });
    const all = collect(
      new AguiAgentAdapter(agent).run(inputOf(), context) as AguiRun,
    );
    setTimeout(() => stop.abort());

    expect(await all).toEqual([
      STARTED,
      { ...FINISHED, outcome: { type: 'cancelled' } },
    ]);
    expect(unsubscribed).toHaveBeenCalledOnce();
  });

  it('should take a stream that has to be waited for', async () => {
    const stream = Promise.resolve(of(START, END));

    expect(await collect(runOf(stream))).toEqual([STARTED, FINISHED]);
  });

  it("should take another copy's Observable, which only subscribes", async () => {
    const foreign = {
      subscribe: (observer: Observer<AgentEvent>) => {
        observer.next(START);
        observer.next(END);
        observer.complete();
        return { unsubscribe: () => {} };
      },
    };

    expect(await collect(runOf(foreign))).toEqual([STARTED, FINISHED]);
  });

  it('should take a web stream of events', async () => {
    const stream = ReadableStream.from([START, END]);

    expect(await collect(runOf(stream))).toEqual([STARTED, FINISHED]);
  });

  it.each([undefined, null, 7, {}, [START, END]])(
    'should fail the run if the agent returned %j',
    async (nothing) => {
      expect(await collect(runOf(nothing))).toEqual([STARTED, ERROR]);
      expect(String(logs.errors[0]![1])).toContain(
        'neither an async iterable nor an Observable',
      );
    },
  );

  it('should keep what an Observable said that fails to clean up', async () => {
    const stream = new Observable<AgentEvent>((observer) => {
      observer.next(START);
      observer.next(text('hi'));
      observer.complete();
      return () => {
        throw new Error('cannot clean up');
      };
    });

    expect(await collect(runOf(stream))).toEqual([STARTED, ...HI, ERROR]);
  });

  it.each([undefined, null, 7])(
    'should fail the run if the iterator gives %j instead of a result',
    async (result) => {
      const stream = {
        [Symbol.asyncIterator]: () => ({ next: async () => result }),
      };

      expect(await collect(runOf(stream))).toEqual([STARTED, ERROR]);
      expect(String(logs.errors[0]![1])).toContain(
        `The agent's iterator gave ${result} instead of a result.`,
      );
    },
  );

  it('should end at once for those who ask after the end', async () => {
    const iterator = iteratorOf(of(1));

    expect(await iterator.next()).toEqual({ done: false, value: 1 });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
    expect(await iterator.return!()).toEqual({ done: true, value: undefined });
  });

  it('should tell an error once', async () => {
    const iterator = iteratorOf(throwError(() => new Error('once')));

    await expect(iterator.next()).rejects.toThrow('once');
    expect(await iterator.next()).toEqual({ done: true, value: undefined });
  });
});
