import type { Agent } from '../agent/agent.js';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import {
  eventsOf,
  type FakeEvent,
  type FakeRun,
  type FakeStep,
  type FakeTurn,
} from './fake-step.js';

/**
 * An agent that does what a test has written down. Each argument is what it does in one run; the last
 * one is done again in all runs that follow. The reply's start and end come by themselves.
 *
 * @example
 * ```ts
 * const agent = new FakeAgent(
 *   { interrupt: { message: 'Which city?' } },
 *   [{ toolCall: 'get_weather', args: { city: 'Paris' }, result: 'sunny' }, 'It is sunny.'],
 * );
 * ```
 */
export class FakeAgent implements Agent {
  /** What it was asked so far, run by run. */
  readonly runs: FakeRun[] = [];
  private readonly turns: readonly FakeTurn[];

  constructor(...turns: FakeTurn[]) {
    this.turns = turns;
  }

  async *streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    const turn = this.turns[this.runs.length] ?? this.turns.at(-1) ?? [];
    const reply = new FakeReply({ messages, context }, this.runs.length + 1);
    this.runs.push(reply.run);
    const { replyId } = reply;
    yield { type: 'AGENT_START', replyId };
    for await (const event of reply.play(turn))
      yield { replyId, ...event } as AgentEvent;
    yield { type: 'AGENT_END', replyId };
  }
}

/** One run of a fake agent. */
class FakeReply {
  private readonly name: string;
  private things = 0;

  constructor(
    readonly run: FakeRun,
    number: number,
  ) {
    // Neither another agent of the thread nor a later run with the same id may use the same ids.
    this.name = [number, run.context.get('agui.runId')].join('-');
  }

  get replyId(): string {
    return `reply-${this.name}`;
  }

  async *play(turn: FakeTurn): AsyncGenerator<FakeEvent> {
    if (!isList(turn)) return yield* this.take(turn);
    for (const step of turn) yield* this.take(step);
  }

  private async *take(step: FakeStep): AsyncGenerator<FakeEvent> {
    if (step instanceof Error) throw step;
    if (typeof step === 'string')
      yield { type: 'TEXT_BLOCK_DELTA', delta: step };
    else if (typeof step === 'function') {
      const next = (await this.settled(step(this.run))) as FakeTurn | undefined;
      if (next !== undefined) yield* this.play(next);
    } else if (isPromise(step)) await this.settled(step);
    else
      yield* eventsOf(step, (what) => `${what}-${this.name}-${++this.things}`);
  }

  /** The value of a promise; a run that must stop does not wait for it. */
  private settled<T>(value: T | PromiseLike<T>): Promise<T> {
    const { signal } = this.run.context;
    return new Promise((resolve, reject) => {
      const stop = () => reject(signal.reason as Error);
      if (signal.aborted) return stop();
      signal.addEventListener('abort', stop, { once: true });
      Promise.resolve(value)
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', stop));
    });
  }
}

function isList(turn: FakeTurn): turn is readonly FakeStep[] {
  return Array.isArray(turn);
}

function isPromise(step: object): step is PromiseLike<unknown> {
  return 'then' in step;
}
