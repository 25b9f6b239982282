import type {
  Interrupt,
  Message,
  ResumeEntry,
  RunAgentInput,
} from '@ag-ui/core';
import { Injectable, Logger } from '@nestjs/common';
import { INTERRUPT_KIND } from '../adapter/interrupts.js';
import { FRONTEND_CALL } from '../agent/interrupt-kind.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import {
  ThreadStore,
  type ThreadLease,
  type ThreadRecord,
} from '../thread/thread-store.js';
import { keyOf, type ThreadKey } from '../thread/thread-key.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { AguiProperties } from '../agui.properties.js';
import { listed } from '../log-text.js';
import { ConcurrentRuns } from './concurrent-runs.js';
import { misfitOf } from './response-schema.js';
import { ThreadRun } from './thread-run.js';
import { NeverBegunError, WaitingRuns } from './waiting-runs.js';
import { refuseUnreachable } from './thread-store-unavailable.error.js';

/** After how many milliseconds a run that replaces another one looks whether a third one came between. */
const REPLACE_AGAIN = 200;

const logger = new Logger('AguiModule');

type Entries = ReadonlyMap<string, ResumeEntry>;

/**
 * Sees to the contract of interrupts (AG-UI: "Interrupts and Resume"; AgentScope: "HITL Interrupts"): one
 * run per thread at a time, and the next one answers everything the last one stopped for.
 */
@Injectable()
export class AguiResumeCoordinator {
  constructor(
    private readonly store: ThreadStore,
    private readonly waiting: WaitingRuns,
    private readonly properties: AguiProperties,
  ) {}

  /**
   * Takes hold of the run's thread.
   *
   * @throws AguiError with `AGUI_INTERRUPT_CONTRACT_ERROR` if the run may not start like this;
   * NeverBegunError if it was cancelled while it waited; ThreadStoreUnavailableError.
   */
  async begin(
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<ThreadRun> {
    const { signal } = context;
    const agentId = context.get('agui.agentId');
    const lease = await this.leaseOf(
      keyOf(input, context),
      input.runId,
      signal,
    );
    if (lease === undefined)
      throw broken(`Thread "${input.threadId}" already has an active run.`);
    try {
      signal.throwIfAborted();
      refuseOtherAgent(agentId, lease.record);
      return new ThreadRun(lease, agentId, answeredBy(input, lease.record));
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  private async leaseOf(
    thread: ThreadKey,
    runId: string,
    signal: AbortSignal,
  ): Promise<ThreadLease | undefined> {
    const { concurrentRuns } = this.properties;
    try {
      switch (concurrentRuns) {
        case ConcurrentRuns.REJECT:
          return await this.store.begin(thread, runId);
        case ConcurrentRuns.QUEUE:
          return await this.waiting.during(thread, runId, signal, (patience) =>
            this.store.begin(thread, runId, patience),
          );
        case ConcurrentRuns.CANCEL_PREVIOUS:
          this.waiting.cancel(thread);
          return await this.waiting.during(thread, runId, signal, (patience) =>
            this.replace(thread, runId, patience),
          );
      }
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof NeverBegunError) throw error;
      return refuseUnreachable(error);
    }
  }

  /** Begins when what is before has been cancelled; another server may have begun in between. */
  private async replace(
    thread: ThreadKey,
    runId: string,
    patience: AbortSignal,
  ): Promise<ThreadLease | undefined> {
    for (;;) {
      await this.store.cancel(thread);
      const soon = AbortSignal.timeout(REPLACE_AGAIN);
      try {
        const wait = AbortSignal.any([patience, soon]);
        return await this.store.begin(thread, runId, wait);
      } catch (error) {
        patience.throwIfAborted();
        if (!soon.aborted) throw error;
      }
    }
  }
}

/** What an agent waits for is not for another one. */
function refuseOtherAgent(
  agentId: string | undefined,
  { agentId: asking, interrupts }: ThreadRecord,
): void {
  if (interrupts.length > 0 && asking !== undefined && asking !== agentId)
    throw broken(
      `The thread waits for answers to the agent "${asking}", not "${agentId}".`,
    );
}

/** The open interrupts that the input's `resume` answers. */
function answeredBy(
  { resume = [], messages }: RunAgentInput,
  { interrupts, answered, mustAnswer }: ThreadRecord,
): Interrupt[] {
  const entries = entriesById(resume);
  const open = interrupts.filter(
    (one) => !isToldByMessage(one, entries.get(one.id), messages),
  );
  if (mustAnswer) refuseIncomplete(open, entries);
  refuseUnasked(entries, [...interrupts, ...answered]);
  const given = open.filter(({ id }) => entries.has(id));
  for (const interrupt of given) {
    refuseLate(interrupt, entries);
    refuseMisfit(interrupt, entries);
  }
  return given;
}

function entriesById(resume: readonly ResumeEntry[]): Entries {
  const entries = new Map<string, ResumeEntry>();
  for (const entry of resume) {
    const { interruptId, status } = entry;
    if (entries.has(interruptId))
      throw broken(`"resume" answers "${interruptId}" twice.`);
    if (status !== 'resolved' && status !== 'cancelled')
      throw broken(
        `"resume" answers "${interruptId}" with the status "${String(status)}"; it must be "resolved" or "cancelled".`,
      );
    entries.set(interruptId, entry);
  }
  return entries;
}

/** Whether the front end has answered a call of its own tool by a message, as it does without interrupts. */
function isToldByMessage(
  { toolCallId, metadata }: Interrupt,
  entry: ResumeEntry | undefined,
  messages: readonly Message[],
): boolean {
  return (
    metadata?.[INTERRUPT_KIND] === FRONTEND_CALL &&
    entry?.payload === undefined &&
    entry?.status !== 'cancelled' &&
    messages.some(
      (message) => message.role === 'tool' && message.toolCallId === toolCallId,
    )
  );
}

function refuseIncomplete(open: readonly Interrupt[], entries: Entries): void {
  const missing = open.filter(({ id }) => !entries.has(id));
  if (missing.length === 0) return;
  throw broken(
    entries.size === 0
      ? `The thread waits for answers to ${idsOf(missing)}; "resume" brings none.`
      : `"resume" leaves ${idsOf(missing)} unanswered.`,
  );
}

/** What was acted upon already may be answered again, to no effect: a client whose run failed does not know. */
function refuseUnasked(entries: Entries, asked: readonly Interrupt[]): void {
  const known = new Set(asked.map(({ id }) => id));
  const unknown = [...entries.keys()].filter((id) => !known.has(id));
  if (unknown.length === 0) return;
  if (asked.length === 0)
    throw broken('"resume" answers interrupts, but none is open.');
  logger.warn(
    `"resume" answers ${listed(unknown)}, which nobody asked; ignored.`,
  );
}

/** An interrupt that has expired can be given up, but not answered. */
function refuseLate({ id, expiresAt }: Interrupt, entries: Entries): void {
  if (expiresAt === undefined || entries.get(id)?.status === 'cancelled')
    return;
  if (Date.parse(expiresAt) <= Date.now())
    throw broken(
      `Interrupt "${id}" expired at ${expiresAt} and can no longer be answered; cancel it.`,
    );
}

/** What an agent has asked for in a form of its own has to come in it. */
function refuseMisfit(interrupt: Interrupt, entries: Entries): void {
  const { status, payload } = entries.get(interrupt.id)!;
  if (interrupt.reason !== 'input_required' || status === 'cancelled') return;
  const misfit = misfitOf(interrupt, payload);
  if (misfit !== undefined)
    throw broken(
      `The answer to interrupt "${interrupt.id}" does not fit its responseSchema: ${misfit}.`,
    );
}

function idsOf(interrupts: readonly Interrupt[]): string {
  return interrupts.map(({ id }) => `"${id}"`).join(', ');
}

function broken(message: string): AguiError {
  return new AguiError(message, AguiErrorCode.AGUI_INTERRUPT_CONTRACT_ERROR);
}
