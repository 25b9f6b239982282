import { EventType, PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import type { AguiEvent } from '../protocol/agui-event.js';
import { typeOf } from '../protocol/completed-event.js';
import type { GuardRule } from '../protocol/guard-rule.js';
import { ProtocolGuard } from '../protocol/protocol-guard.js';

/** A rule of AG-UI that a stream can break: what the protocol guard would repair, by the guard's own names. */
export type StreamRule = GuardRule | 'not-started' | 'another-run';

/** One event that breaks a rule. */
export interface BrokenRule {
  rule: StreamRule;
  /** The event's place in the stream, from 0; the stream's length for what is missing at its end. */
  index: number;
  /** The event's type; undefined for what has none. */
  type: string | undefined;
  /** What is wrong, such as the id of a message that is not open. */
  detail: string;
}

/** What is known of the run whose stream is looked at. */
export type KnownInput = Partial<
  Pick<RunAgentInput, 'threadId' | 'runId' | 'messages' | 'protocolVersion'>
>;

/**
 * What is illegal in a stream of AG-UI events; nothing if the list is empty. Several runs may follow
 * each other.
 *
 * @param input what the client sent. Without it the ids are those of `RUN_STARTED`, and the client
 * is one that speaks AG-UI 1.0.
 */
export function brokenRules(
  events: Iterable<unknown>,
  input?: KnownInput,
): BrokenRule[] {
  const broken: BrokenRule[] = [];
  let run: CheckedRun | undefined;
  let index = 0;
  for (const event of events) {
    const type = typeOf(event);
    if (run === undefined || (run.isOver && type === EventType.RUN_STARTED))
      run = new CheckedRun(event, input);
    for (const one of run.check(event)) broken.push({ ...one, index, type });
    index++;
  }
  run ??= new CheckedRun(undefined, input);
  for (const one of run.checkEnd())
    broken.push({ ...one, index, type: undefined });
  return broken;
}

type Fault = Pick<BrokenRule, 'rule' | 'detail'>;

/** One run, held against the protocol guard. */
class CheckedRun {
  private readonly guard: ProtocolGuard;
  private readonly ids: Pick<RunAgentInput, 'threadId' | 'runId'>;
  private faults: Fault[] = [];
  private hasBegun = false;

  constructor(first: unknown, input: KnownInput | undefined) {
    const begun = (first ?? {}) as Partial<RunAgentInput>;
    this.ids = {
      threadId: String(input?.threadId ?? begun.threadId),
      runId: String(input?.runId ?? begun.runId),
    };
    this.guard = new ProtocolGuard({
      input: {
        ...this.ids,
        messages: input?.messages ?? [],
        tools: [],
        context: [],
        protocolVersion:
          input === undefined ? PROTOCOL_VERSION : input.protocolVersion,
      },
      emit: () => undefined,
      onRepair: (rule, detail) => this.faults.push({ rule, detail }),
    });
  }

  get isOver(): boolean {
    return this.guard.ended;
  }

  check(event: unknown): Fault[] {
    this.faults = [];
    this.checkBeginning(typeOf(event));
    if (!this.isOver) this.checkIds(event as AguiEvent);
    const known = this.faults.length;
    this.guard.accept(event as AguiEvent);
    // The guard completes some events without a word.
    if (this.faults.length === known) this.checkShape(event);
    return this.faults;
  }

  checkEnd(): Fault[] {
    if (this.isOver) return [];
    return [
      {
        rule: 'not-finished',
        detail: 'there is neither RUN_FINISHED nor RUN_ERROR',
      },
    ];
  }

  private checkBeginning(type: string | undefined): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    if (type !== EventType.RUN_STARTED && type !== EventType.RUN_ERROR)
      this.faults.push({
        rule: 'not-started',
        detail: 'a run begins with RUN_STARTED or RUN_ERROR',
      });
  }

  private checkIds(event: AguiEvent): void {
    if (
      event?.type !== EventType.RUN_STARTED &&
      event?.type !== EventType.RUN_FINISHED
    )
      return;
    for (const member of ['threadId', 'runId'] as const) {
      const expected = this.ids[member];
      if (typeof event[member] === 'string' && event[member] !== expected)
        this.faults.push({
          rule: 'another-run',
          detail: `${member} "${event[member]}" instead of "${expected}"`,
        });
    }
  }

  private checkShape(event: unknown): void {
    const { error } = EventSchemas.safeParse(event);
    for (const { path, message } of error?.issues ?? [])
      this.faults.push({
        rule: 'unknown-or-malformed',
        detail: `/${path.map(String).join('/')}: ${message}`,
      });
  }
}
