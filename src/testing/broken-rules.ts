import { EventType, PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core';
import { EventSchemas } from '@ag-ui/core/schemas';
import type { AguiEvent } from '../protocol/agui-event.js';
import { typeOf } from '../protocol/completed-event.js';
import type { GuardRule } from '../protocol/guard-rule.js';
import { ProtocolGuard } from '../protocol/protocol-guard.js';

const { RUN_STARTED, RUN_ERROR, RUN_FINISHED } = EventType;
const NO_IDS = { threadId: undefined, runId: undefined };

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
  const all = [...events];
  const last = all.findLastIndex((event) => typeOf(event) === RUN_STARTED);
  let run: CheckedRun | undefined;
  for (const [index, event] of all.entries()) {
    const type = typeOf(event);
    // Runs of before may be told again; what was asked for is the last one.
    if (run === undefined || (run.isOver && type === RUN_STARTED))
      run = new CheckedRun(
        event,
        input && index < last ? { ...input, ...NO_IDS } : input,
      );
    for (const fault of run.check(event))
      broken.push({ ...fault, index, type });
  }
  if (run?.isOver !== true)
    broken.push({
      rule: 'not-finished',
      detail: 'there is neither RUN_FINISHED nor RUN_ERROR',
      index: all.length,
      type: undefined,
    });
  return broken;
}

type Fault = Pick<BrokenRule, 'rule' | 'detail'>;

/** One run, held against the protocol guard. */
class CheckedRun {
  private readonly guard: ProtocolGuard;
  /** Those of its events, as far as they are known. */
  private readonly ids: KnownInput;
  private faults: Fault[] = [];
  private hasBegun = false;

  constructor(first: unknown, input: KnownInput | undefined) {
    const begun = (first ?? {}) as KnownInput;
    const { threadId = begun.threadId, runId = begun.runId } = input ?? {};
    this.ids = { threadId, runId };
    this.guard = new ProtocolGuard({
      input: {
        threadId: String(threadId),
        runId: String(runId),
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

  private checkBeginning(type: string | undefined): void {
    if (this.hasBegun) return;
    this.hasBegun = true;
    if (type !== RUN_STARTED && type !== RUN_ERROR)
      this.faults.push({
        rule: 'not-started',
        detail: 'a run begins with RUN_STARTED or RUN_ERROR',
      });
  }

  private checkIds(event: AguiEvent): void {
    if (event?.type !== RUN_STARTED && event?.type !== RUN_FINISHED) return;
    for (const member of ['threadId', 'runId'] as const) {
      const expected = this.ids[member];
      const found: unknown = event[member];
      if (typeof expected !== 'string' || typeof found !== 'string') continue;
      if (found !== expected)
        this.faults.push({
          rule: 'another-run',
          detail: `${member} "${found}" instead of "${expected}"`,
        });
    }
  }

  private checkShape(event: unknown): void {
    const { error } = EventSchemas.safeParse(event);
    if (error === undefined) return;
    const detail = error.issues
      .map(({ path, message }) => `/${path.map(String).join('/')}: ${message}`)
      .join('; ');
    this.faults.push({ rule: 'unknown-or-malformed', detail });
  }
}
