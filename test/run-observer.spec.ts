import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as sleep } from 'node:timers/promises';
import { ConflictException } from '@nestjs/common';
import { jsonSchema } from 'ai';
import { concat, defer, from, timer, type Observable } from 'rxjs';
import { map } from 'rxjs/operators';
import {
  type Agent,
  type AgentEvent,
  type AguiRunObserver,
  type ObservedRun,
  type RunObservation,
  type RunSummary,
} from 'nestjs-agui';
import { agentTool, AiSdkAgent } from 'nestjs-agui/ai-sdk';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { agentOf, reply, sayer, silentAgent } from './support/agents.js';
import { closeApps, PLATFORMS, serve } from './support/app.js';
import { inputOf, openStream, post, run, typesOf } from './support/client.js';
import { HARMFUL_OBSERVERS } from './support/harmful-observers.js';
import { calls, useMockModels } from './support/mock-models.js';

const models = useMockModels();
afterEach(closeApps);

/** An observer that keeps what it is told. */
function watcher(more: Partial<RunObservation> = {}) {
  const told = {
    runs: [] as ObservedRun[],
    agentEvents: [] as AgentEvent[],
    events: [] as string[],
    ends: [] as RunSummary[],
  };
  const observer: AguiRunObserver = {
    begin: (observed) => {
      told.runs.push(observed);
      return {
        agentEvent: (event) => void told.agentEvents.push(event),
        event: ({ type }) => void told.events.push(type),
        end: (summary) => void told.ends.push(summary),
        ...more,
      };
    },
  };
  const ended = () =>
    vi.waitFor(() => {
      expect(told.ends).toHaveLength(1);
      return told.ends[0]!;
    });
  return { ...told, observer, ended };
}

describe.each(PLATFORMS)('A run observer on %s', (platform) => {
  it('should be told of the run, of what the agent says, what leaves, and how it ends', async () => {
    const watch = watcher();
    const app = await serve(platform, sayer('Hi'), {
      runObservers: [watch.observer],
      contextResolvers: [{ resolve: () => ({ userId: 'ada' }) }],
    });
    const events = await run(app, inputOf(), { headers: { 'X-Trace': '7' } });

    const [observed] = watch.runs;
    expect(watch.runs).toHaveLength(1);
    expect(observed).toMatchObject({
      agentId: 'default',
      input: { threadId: 't1', runId: 'r1' },
      context: { userId: 'ada' },
      headers: { 'x-trace': '7' },
    });
    expect(watch.agentEvents).toEqual([
      reply.start(),
      reply.text('Hi'),
      reply.end(),
    ]);
    expect(watch.events).toEqual(typesOf(events));
    expect(await watch.ended()).toEqual({
      outcome: 'success',
      events: events.length,
      bytes: expect.any(Number) as number,
      duration: expect.any(Number) as number,
    });
  });

  it('should be told of events by their present names, and of none that are none, or come too late', async () => {
    const watch = watcher();
    const strange = agentOf(async function* () {
      yield { type: 'REPLY_START', replyId: 'r' } as never;
      yield null as never;
      yield 'text' as never;
      yield reply.end();
      yield reply.text('late');
    });
    const app = await serve(platform, strange, {
      runObservers: [watch.observer],
    });
    await run(app);
    await watch.ended();
    expect(watch.agentEvents.map(({ type }) => type)).toEqual([
      'AGENT_START',
      'AGENT_END',
    ]);
  });

  it('should be told what was thrown', async () => {
    const watch = watcher();
    const error = new Error('out of order');
    const failing = agentOf(async function* () {
      yield reply.start();
      throw error;
    });
    const app = await serve(platform, failing, {
      runObservers: [watch.observer],
    });
    await run(app);
    const { outcome, code, error: told } = await watch.ended();
    expect({ outcome, code }).toEqual({
      outcome: 'error',
      code: 'INTERNAL_ERROR',
    });
    expect(told).toBe(error);
  });

  it('should be told of a run that could not start', async () => {
    const watch = watcher();
    const app = await serve(
      platform,
      () => Promise.reject(new ConflictException('Not now.')),
      { runObservers: [watch.observer] },
    );
    expect((await post(app)).status).toBe(409);
    expect(await watch.ended()).toMatchObject({
      outcome: 'error',
      code: 'HTTP_409',
      events: 0,
      bytes: 0,
    });
  });

  it('should be told that the client left before the start', async () => {
    const watch = watcher();
    let asked!: () => void;
    const isAsked = new Promise<void>((resolve) => (asked = resolve));
    const app = await serve(
      platform,
      ({ signal }) => {
        asked();
        return new Promise((_, reject) =>
          signal.addEventListener('abort', () =>
            reject(signal.reason as Error),
          ),
        );
      },
      { runObservers: [watch.observer] },
    );
    const client = new AbortController();
    const answer = post(app, inputOf(), { signal: client.signal });
    await isAsked;
    client.abort();
    await expect(answer).rejects.toThrow('aborted');
    expect(await watch.ended()).toMatchObject({
      outcome: 'disconnected',
      events: 0,
    });
  });

  it('should surround the agent, from its factory to its clean-up', async () => {
    const place = new AsyncLocalStorage<string>();
    const seen: Record<string, string | undefined> = {};
    const look = (where: string) => (seen[where] = place.getStore());
    const watch = watcher({ around: (act) => place.run('inside', act) });
    const agent: Agent = {
      async *streamEvents(_messages, { signal }) {
        look('first');
        try {
          yield reply.start();
          look('second');
          await sleep(1);
          look('after a wait');
          yield reply.text('Hi');
          await new Promise((resolve) =>
            signal.addEventListener('abort', resolve),
          );
        } finally {
          look('finally');
        }
      },
      interrupt: () => void look('interrupt'),
    };
    const app = await serve(
      platform,
      () => {
        look('factory');
        return agent;
      },
      {
        runObservers: [watch.observer],
        enrichers: [
          {
            enrich: (_source, events) => {
              look('enricher');
              return events;
            },
          },
        ],
      },
    );
    const stream = await openStream(app);
    await stream.untilType('TEXT_MESSAGE_CONTENT');
    stream.leave();
    await watch.ended();
    await vi.waitFor(() => expect(seen).toHaveProperty('finally'));
    expect(Object.values(seen)).toEqual(
      Object.values(seen).map(() => 'inside'),
    );
    expect(Object.keys(seen)).toHaveLength(7);
  });

  it('should surround an agent that is an Observable', async () => {
    const place = new AsyncLocalStorage<string>();
    const watch = watcher({ around: (act) => place.run('inside', act) });
    const app = await serve(
      platform,
      agentOf((): Observable<AgentEvent> =>
        concat(
          from([reply.start()]),
          defer(() => timer(1)).pipe(
            map(() => reply.text(String(place.getStore()))),
          ),
          from([reply.end()]),
        ),
      ),
      { runObservers: [watch.observer] },
    );
    const events = await run(app);
    expect(events.find(({ delta }) => delta !== undefined)?.delta).toBe(
      'inside',
    );
  });

  it('should surround the tools of AiSdkAgent', async () => {
    const place = new AsyncLocalStorage<string>();
    const watch = watcher({
      aroundTool: ({ toolCallId, toolCallName }, act) =>
        place.run(`${toolCallName} ${toolCallId}`, act),
    });
    models.script(
      calls('look', {}, 'c1'),
      calls('look', {}, 'c2'),
      'That is all.',
    );
    const seen: unknown[] = [];
    const look = agentTool({
      inputSchema: jsonSchema<object>({ type: 'object' }),
      execute: async () => {
        await sleep(1);
        seen.push(place.getStore());
        return undefined;
      },
    });
    const app = await serve(
      platform,
      new AiSdkAgent({ model: models.model(), tools: { look } }),
      { runObservers: [watch.observer] },
    );
    await run(app);
    expect(seen).toEqual(['look c1', 'look c2']);
  });

  it('should not harm the run by failing', async () => {
    const broken = () => {
      throw new Error('broken observer');
    };
    const watch = watcher();
    const app = await serve(platform, sayer('Hi', 'there'), {
      runObservers: [
        { begin: broken },
        {
          begin: () => ({ agentEvent: broken, event: broken, end: broken }),
        },
        watch.observer,
      ],
    });
    const types = typesOf(await run(app));
    expect(types.at(-1)).toBe('RUN_FINISHED');
    await watch.ended();
    expect(watch.events).toEqual(types);
    expect(watch.agentEvents).toHaveLength(4);
    await vi.waitFor(() => expect(app.complaints).toHaveLength(2));
    for (const complaint of app.complaints)
      expect(complaint).toMatch(
        /^error: The run observer that is a plain object failed\..*broken observer/s,
      );
  });

  it.each(Object.entries(HARMFUL_OBSERVERS))(
    'should not harm the run by %s',
    async (_name, { begin, fault }) => {
      models.script(calls('look', {}, 'c1'), 'That is all.');
      const execute = vi.fn<() => string>(() => 'seen');
      const look = agentTool({
        inputSchema: jsonSchema<object>({ type: 'object' }),
        execute,
      });
      const watch = watcher();
      class Harmful implements AguiRunObserver {
        begin = begin as AguiRunObserver['begin'];
      }
      const app = await serve(
        platform,
        new AiSdkAgent({ model: models.model(), tools: { look } }),
        { runObservers: [new Harmful(), watch.observer] },
      );
      const events = await run(app);
      expect(events.at(-1)!.type).toBe('RUN_FINISHED');
      expect(events).toContainEqual(
        expect.objectContaining({ type: 'TOOL_CALL_RESULT', content: 'seen' }),
      );
      expect(execute).toHaveBeenCalledOnce();
      expect(await watch.ended()).toMatchObject({ outcome: 'success' });
      expect(watch.events).toEqual(typesOf(events));
      const blame = 'error: The run observer Harmful failed.';
      const expected = fault === undefined ? [] : [[blame, fault]];
      await vi.waitFor(() =>
        expect(app.complaints).toEqual(
          expected.map(
            ([start, reason]) =>
              expect.stringMatching(
                new RegExp(`^${start}.*${reason}`, 's'),
              ) as string,
          ),
        ),
      );
    },
  );

  it('should take the failure of a run for its own, not for the observer that surrounds it', async () => {
    const watch = watcher({
      around: (async <T>(act: () => T) =>
        await act()) as RunObservation['around'],
    });
    const app = await serve(
      platform,
      () => Promise.reject(new ConflictException('Not now.')),
      { runObservers: [watch.observer] },
    );
    expect((await post(app)).status).toBe(409);
    expect(await watch.ended()).toMatchObject({ code: 'HTTP_409' });
    expect(app.complaints).toEqual([]);
  });

  it('should be told of one end, whatever comes later', async () => {
    const watch = watcher();
    const agent = silentAgent([reply.start()]);
    const app = await serve(platform, agent, {
      runObservers: [watch.observer],
    });
    const stream = await openStream(app);
    await stream.untilType('RUN_STARTED');
    await app.close();
    expect(await watch.ended()).toMatchObject({
      outcome: 'error',
      code: 'INTERRUPTED_ERROR',
    });
  });
});
