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
import type { ThreadKey } from '../thread/thread-key.js';
import { AguiProperties } from '../agui.properties.js';
import { quoted } from '../log-text.js';
import { detailsOf } from '../thrown.js';
import { ConcurrentRuns } from './concurrent-runs.js';
import { misfitOf } from './response-schema.js';
import { ThreadRun } from './thread-run.js';
import { ThreadStoreUnavailableError } from './thread-store-unavailable.error.js';

/** How many ids a log line names. */
const MAX_LISTED = 20;

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
    private readonly properties: AguiProperties,
  ) {}

  /**
   * Takes hold of the run's thread.
   *
   * @param signal fires when the run shall not start any more.
   * @throws AguiError with `AGUI_INTERRUPT_CONTRACT_ERROR` if the run may not start like this;
   * ThreadStoreUnavailableError.
   */
  async begin(
    input: RunAgentInput,
    userId: string | undefined,
    signal: AbortSignal,
  ): Promise<ThreadRun> {
    const { threadId } = input;
    const lease = await this.leaseOf({ userId, threadId }, input.runId, signal);
    if (lease === undefined)
      throw broken(`Thread "${threadId}" already has an active run.`);
    try {
      signal.throwIfAborted();
      return new ThreadRun(lease, answeredBy(input, lease.record));
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
      if (concurrentRuns === ConcurrentRuns.REJECT)
        return await this.store.begin(thread, runId);
      if (concurrentRuns === ConcurrentRuns.CANCEL_PREVIOUS)
        await this.store.cancel(thread);
      return await this.store.begin(thread, runId, signal);
    } catch (error) {
      signal.throwIfAborted();
      logger.error('The thread store cannot be reached.', detailsOf(error));
      throw new ThreadStoreUnavailableError(error);
    }
  }
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
      ? `The thread waits for answers to ${listed(missing)}; "resume" brings none.`
      : `"resume" leaves ${listed(missing)} unanswered.`,
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
    `"resume" answers ${unknown.slice(0, MAX_LISTED).map(quoted).join(', ')}, which nobody asked; ignored.`,
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

function listed(interrupts: readonly Interrupt[]): string {
  return interrupts.map(({ id }) => `"${id}"`).join(', ');
}

function broken(message: string): AguiError {
  return new AguiError(message, AguiErrorCode.AGUI_INTERRUPT_CONTRACT_ERROR);
}
