import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Agent } from '../agent/agent.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import {
  agentOf,
  collect,
  END,
  FINISHED,
  inputOf,
  scripted,
  START,
  STARTED,
  watchLogs,
} from './adapter.fixture.js';
import { HI, END_HI, failure, runOf, waiting } from './agui-run.fixture.js';

const CANCELLED = { ...FINISHED, outcome: { type: 'cancelled' } };
const TIMEOUT = failure(
  'TIMEOUT_ERROR',
  'The run took too long and was stopped.',
);

describe('AguiRun', () => {
  const logs = watchLogs();

  afterEach(() => {
    vi.useRealTimers();
  });

  describe('when it takes too long', () => {
    it('should fail, and stop the agent: signal, interrupt, finally', async () => {
      vi.useFakeTimers();
      const diary: string[] = [];
      const events: AguiEvent[] = [];
      const done = runOf(waiting(diary), { runTimeout: '5m' }).pipe({
        write: (event) => void events.push(event),
      });

      await vi.advanceTimersByTimeAsync(299_999);
      expect(events).toEqual([STARTED, ...HI]);
      await vi.advanceTimersByTimeAsync(1);
      await done;

      expect(events).toEqual([STARTED, ...HI, END_HI, TIMEOUT]);
      await vi.waitFor(() =>
        expect(diary).toEqual(['signal', 'interrupt', 'works on', 'finally']),
      );
      expect(logs.warnings).toHaveLength(1);
      expect(vi.getTimerCount()).toBe(0);
    });

    it('should tell it by the reason of the signal', async () => {
      vi.useFakeTimers();
      let reason: unknown;
      const agent = agentOf(async function* (_, { signal }) {
        yield START;
        await new Promise((_, reject) =>
          signal.addEventListener('abort', () => {
            reason = signal.reason;
            reject(reason as Error);
          }),
        );
      });
      const all = collect(runOf(agent, { runTimeout: 10 }));

      await vi.advanceTimersByTimeAsync(10);

      expect(await all).toEqual([STARTED, TIMEOUT]);
      expect(reason).toMatchObject({ name: 'TimeoutError' });
    });

    it('should not wait for an agent that hears nothing', async () => {
      vi.useFakeTimers();
      const deaf = agentOf(async function* () {
        yield START;
        await new Promise(() => {});
      });
      const all = collect(runOf(deaf, { runTimeout: 10 }));

      await vi.advanceTimersByTimeAsync(10);

      expect(await all).toEqual([STARTED, TIMEOUT]);
    });

    it.each([0, '0'])(
      'should wait without end for runTimeout %j',
      async (runTimeout) => {
        vi.useFakeTimers();
        const all = collect(runOf(scripted([START, END]), { runTimeout }));

        expect(vi.getTimerCount()).toBe(0);
        expect(await all).toEqual([STARTED, FINISHED]);
      },
    );

    it('should know times longer than timers do', async () => {
      const timer = vi.spyOn(globalThis, 'setTimeout');

      await collect(runOf(scripted([START, END]), { runTimeout: '1000h' }));

      expect(timer.mock.calls.map(([, ms]) => ms)).toEqual([2 ** 31 - 1]);
    });
  });

  describe("when the caller's signal fires", () => {
    it('should be cancelled, and stop the agent: signal, interrupt, finally', async () => {
      const diary: string[] = [];
      const stop = new AbortController();
      const context = new RuntimeContext({ signal: stop.signal });
      const events: AguiEvent[] = [];
      for await (const event of runOf(waiting(diary), {}, context)) {
        events.push(event);
        if (event.type === 'TEXT_MESSAGE_CONTENT') stop.abort();
      }

      expect(events).toEqual([STARTED, ...HI, END_HI, CANCELLED]);
      await vi.waitFor(() => expect(diary).toContain('finally'));
      expect(diary.filter((entry) => entry !== 'works on')).toEqual([
        'signal',
        'interrupt',
        'finally',
      ]);
      expect(logs.warnings).toEqual([]);
    });

    it('should not ask the agent at all if it has fired before', async () => {
      const streamEvents = vi.fn<Agent['streamEvents']>();
      const interrupt = vi.fn<() => void>();
      const agent = { streamEvents, interrupt };
      const context = new RuntimeContext({ signal: AbortSignal.abort() });

      expect(await collect(runOf(agent, {}, context))).toEqual([
        STARTED,
        CANCELLED,
      ]);
      expect(streamEvents).not.toHaveBeenCalled();
      expect(interrupt).not.toHaveBeenCalled();
    });

    it('should not listen to it any more when it is over', async () => {
      const stop = new AbortController();
      const remove = vi.spyOn(stop.signal, 'removeEventListener');
      const context = new RuntimeContext({ signal: stop.signal });

      await collect(runOf(scripted([START, END]), {}, context));

      await vi.waitFor(() => expect(remove).toHaveBeenCalledOnce());
    });

    it('should end as an error for a client from before AG-UI 1.0', async () => {
      const input = inputOf({ protocolVersion: undefined });
      const context = new RuntimeContext({ signal: AbortSignal.abort() });
      const adapter = new AguiAgentAdapter(scripted([START, END]));

      expect(await collect(adapter.run(input, context))).toEqual([
        STARTED,
        {
          type: 'RUN_ERROR',
          code: 'CANCELLED',
          message: 'The run was cancelled.',
        },
      ]);
    });
  });

  describe('when it is stopped before it starts', () => {
    it('should only say that it was cancelled', async () => {
      const streamEvents = vi.fn<Agent['streamEvents']>();
      const run = runOf({ streamEvents });
      run.cancel();

      expect(await collect(run)).toEqual([STARTED, CANCELLED]);
      expect(streamEvents).not.toHaveBeenCalled();
    });

    it('should only say why it failed', async () => {
      const run = runOf(scripted([START, END]));
      run.fail(new DOMException('late', 'TimeoutError'));

      expect(await collect(run)).toEqual([STARTED, TIMEOUT]);
    });
  });

  describe('when nobody listens any more', () => {
    it('should stop the agent of a consumer that stops early', async () => {
      const diary: string[] = [];
      const done = vi.fn<() => void>();
      const run = runOf(waiting(diary));
      run.whenDone(done);

      for await (const event of run)
        if (event.type === 'TEXT_MESSAGE_CONTENT') break;

      await vi.waitFor(() => expect(diary).toContain('finally'));
      expect(diary).toContain('interrupt');
      expect(run.ended).toBe(false);
      await vi.waitFor(() => expect(done).toHaveBeenCalledOnce());
    });

    it('should not stop an agent whose end was heard', async () => {
      const finished = vi.fn<(aborted: boolean) => void>();
      const agent = agentOf(async function* (_, { signal }) {
        yield START;
        yield END;
        await sleep(1);
        finished(signal.aborted);
      });

      for await (const event of runOf(agent))
        if (event.type === 'RUN_FINISHED') break;

      await vi.waitFor(() => expect(finished).toHaveBeenCalledWith(false));
    });

    it('should run once only, whether it was heard to the end or not', async () => {
      const agent = scripted([START, END]);
      const asked = vi.spyOn(agent, 'streamEvents');
      const heard = runOf(agent);
      const left = runOf(agent);

      expect(await collect(heard)).toEqual([STARTED, FINISHED]);
      expect(await collect(heard)).toEqual([]);
      for await (const _ of left) break;
      expect(await collect(left)).toEqual([]);

      expect(asked).toHaveBeenCalledTimes(2);
    });
  });
});
