import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Agent } from '../agent/agent.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { HOSTILE } from '../thrown.fixture.js';
import {
  agentOf,
  collect,
  END,
  FINISHED,
  scripted,
  START,
  STARTED,
  text,
  thinking,
  watchLogs,
} from './adapter.fixture.js';
import { HI, END_HI, failure, runOf, waiting } from './agui-run.fixture.js';

describe('AguiRun', () => {
  const logs = watchLogs();

  afterEach(() => {
    vi.useRealTimers();
  });

  it('should announce the run before it asks the agent', async () => {
    const asked = vi.fn<Agent['streamEvents']>((messages, context) =>
      scripted([START, END]).streamEvents(messages, context),
    );
    const events = runOf(agentOf(asked))[Symbol.asyncIterator]();

    expect(asked).not.toHaveBeenCalled();
    expect(await events.next()).toEqual({ done: false, value: STARTED });
    expect(await events.next()).toEqual({ done: false, value: FINISHED });
    expect(await events.next()).toEqual({ done: true, value: undefined });
    expect(asked).toHaveBeenCalledOnce();
  });

  it('should end in an error if the agent stops without AGENT_END', async () => {
    expect(await collect(runOf(scripted([START, text('hi')])))).toEqual([
      STARTED,
      ...HI,
      END_HI,
      failure('INTERNAL_ERROR', 'The agent ended before it finished the run.'),
    ]);
    expect(logs.warnings[0]).toContain('not-finished');
  });

  it('should drop what comes after AGENT_END, with one warning', async () => {
    const agent = scripted([START, END, text('late'), END, text('later')]);

    expect(await collect(runOf(agent))).toEqual([STARTED, FINISHED]);
    await vi.waitFor(() => expect(logs.warnings).toHaveLength(1));
    expect(logs.warnings[0]).toContain('after-the-end');
  });

  it('should drop what is no event, with one warning', async () => {
    const nonsense = [null, undefined, 1, 'text', {}, { type: 7 }];

    expect(await collect(runOf(scripted([START, ...nonsense, END])))).toEqual([
      STARTED,
      FINISHED,
    ]);
    expect(logs.warnings).toHaveLength(1);
  });

  it('should not cut off an agent that works on after AGENT_END', async () => {
    let aborted: boolean | undefined;
    const agent = agentOf(async function* (_, { signal }) {
      yield START;
      yield END;
      await sleep(5);
      aborted = signal.aborted;
    });

    expect(await collect(runOf(agent))).toEqual([STARTED, FINISHED]);
    expect(aborted).toBeUndefined();
    await vi.waitFor(() => expect(aborted).toBe(false));
  });

  it.each([
    ['that says too much', text('x')],
    ['whose events are left out', thinking('x')],
    ['that goes on after its end', END],
  ])(
    'should let others have their turn beside an agent %s without waiting',
    async (_, said) => {
      const agent = agentOf(async function* () {
        yield START;
        if (said === END) yield END;
        for (;;) yield said;
      });
      const run = runOf(agent, { runTimeout: 50 });

      await run.pipe({ write: () => undefined });

      expect(logs.warnings.at(-1)).toContain('took longer than 50 ms');
    },
  );

  it('should survive whatever an agent throws', async () => {
    for (const thrown of Object.values(HOSTILE))
      expect(
        await collect(runOf(scripted([START], { error: thrown }))),
      ).toMatchObject([STARTED, { type: 'RUN_ERROR', code: 'INTERNAL_ERROR' }]);
  });

  it('should survive whatever an agent throws while it cleans up', async () => {
    for (const thrown of Object.values(HOSTILE)) {
      const agent = {
        ...agentOf(() => {
          const said = [START, text('hi')];
          return {
            [Symbol.asyncIterator]: () => ({
              next: async () => ({ done: false, value: said.shift()! }),
              return: () => Promise.reject(thrown),
            }),
          };
        }),
        interrupt: () => Promise.reject(thrown),
      };
      for await (const event of runOf(agent))
        if (event.type === 'TEXT_MESSAGE_CONTENT') break;
    }
    await vi.waitFor(() =>
      expect(logs.errors.length).toBeGreaterThanOrEqual(
        Object.keys(HOSTILE).length,
      ),
    );
  });

  it('should not interrupt an agent that is done', async () => {
    const interrupt = vi.fn<() => void>();
    const agent = { ...scripted([START, END]), interrupt };
    const run = runOf(agent);
    await run.pipe({ write: () => {} });

    run.cancel();
    run.fail(new Error('too late'));

    expect(interrupt).not.toHaveBeenCalled();
  });

  it('should log, but not tell, what fails after AGENT_END', async () => {
    const agent = scripted([START, END], { error: new Error('belated') });

    expect(await collect(runOf(agent))).toEqual([STARTED, FINISHED]);
    await vi.waitFor(() => expect(logs.errors).toHaveLength(1));
    expect(logs.errors[0]![0]).toContain('failed after its end');
  });

  it('should wait for a consumer before it asks the agent for more', async () => {
    let asked = 0;
    const agent = agentOf(async function* () {
      yield START;
      for (asked = 1; asked <= 3; asked++) yield text(String(asked));
      yield END;
    });
    const events = runOf(agent)[Symbol.asyncIterator]();

    await events.next();
    await sleep(2);
    expect(asked).toBe(1);
    await events.next();
    await events.next();
    await sleep(2);
    expect(asked).toBe(1);
    await events.next();
    expect(asked).toBe(2);
    await events.return!();
  });

  it('should ask the agent for more only when the sink has room', async () => {
    let asked = 0;
    const agent = agentOf(async function* () {
      for (asked = 1; asked <= 3; asked++) yield text(String(asked));
      yield END;
    });
    let drain!: () => void;
    const run = runOf(agent).pipe({
      write: () => {},
      ready: () =>
        asked === 2 ? new Promise((resolve) => (drain = resolve)) : undefined,
    });

    await vi.waitFor(() => expect(drain).toBeDefined());
    await sleep(2);
    expect(asked).toBe(2);
    drain();
    await run;
    expect(asked).toBe(4);
  });

  it('should tell observers of each event before it is handed out', async () => {
    const order: string[] = [];
    const run = runOf(scripted([START, END]));
    run.observe(({ type }) => order.push(`observed ${type}`));
    await run.pipe({ write: ({ type }) => void order.push(type) });

    expect(order).toEqual([
      'observed RUN_STARTED',
      'RUN_STARTED',
      'observed RUN_FINISHED',
      'RUN_FINISHED',
    ]);
  });

  it('should fail, and not hang, when an event cannot be delivered', async () => {
    const diary: string[] = [];
    const written: AguiEvent[] = [];

    await runOf(waiting(diary)).pipe({
      write: (event) => {
        if (event.type === 'TEXT_MESSAGE_CONTENT') throw new Error('no');
        written.push(event);
      },
    });

    expect(written).toEqual([
      STARTED,
      HI[0],
      END_HI,
      failure('INTERNAL_ERROR', 'The agent failed. The server log says why.'),
    ]);
  });

  it('should be stopped even if its end cannot be delivered', async () => {
    const diary: string[] = [];
    const run = runOf(waiting(diary));
    const done = run.pipe({
      write: ({ type }) => {
        if (type === 'TEXT_MESSAGE_END') throw new Error('no');
      },
    });
    await sleep(1);

    expect(() => run.cancel()).not.toThrow();
    await done;

    expect(diary).toContain('interrupt');
  });

  it.each(['RUN_STARTED', 'TEXT_MESSAGE_CONTENT'])(
    'should come to an end even if nothing can be delivered from %s on',
    async (type) => {
      let broken = false;
      await runOf(waiting([])).pipe({
        write: (event) => {
          broken ||= event.type === type;
          if (broken) throw new Error('no');
        },
      });

      expect(logs.errors.length).toBeGreaterThan(0);
    },
  );

  it.each([
    ['interrupt()', { interrupt: () => Promise.reject(new Error('will not')) }],
    [
      'an interrupt() that throws',
      {
        interrupt: () => {
          throw new Error('will not');
        },
      },
    ],
  ])('should log what fails in %s', async (_, rest) => {
    const run = runOf(
      agentOf(async function* () {
        yield START;
        await new Promise(() => {});
      }, rest),
    );
    for await (const _ of run) break;

    await vi.waitFor(() => expect(logs.errors).toHaveLength(1));
    expect(logs.errors[0]![0]).toBe('The agent failed to interrupt its run.');
  });

  it('should log what fails in the clean-up of an agent', async () => {
    const run = runOf(
      agentOf(() => {
        const iterator = scripted([START, text('hi')]).streamEvents(
          [],
          new RuntimeContext(),
        ) as AsyncGenerator<AgentEvent>;
        iterator.return = () => Promise.reject(new Error('clean-up'));
        return iterator;
      }),
    );

    for await (const event of run)
      if (event.type === 'TEXT_MESSAGE_START') break;

    await vi.waitFor(() => expect(logs.errors).toHaveLength(1));
    expect(logs.errors[0]![0]).toBe('The agent failed to clean up.');
  });
});
