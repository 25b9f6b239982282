import {
  EventType,
  type Interrupt,
  type Message,
  type ResumeEntry,
  type RunAgentInput,
} from '@ag-ui/core';
import { Injectable, Logger } from '@nestjs/common';
import { INTERRUPT_KIND } from '../adapter/interrupts.js';
import { FRONTEND_CALL } from '../agent/interrupt-kind.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  IDLE_THREAD,
  ThreadStore,
  type ThreadLease,
  type ThreadRecord,
} from '../thread/thread-store.js';

const logger = new Logger('AguiModule');

type Entries = ReadonlyMap<string, ResumeEntry>;

/** What a run goes on with: the answers that it brings, and its hold on the thread. */
export class ThreadRun {
  constructor(
    private readonly lease: ThreadLease,
    /** The recorded interrupts that the run's `resume` answers. */
    readonly interrupts: readonly Interrupt[],
  ) {}

  /** Takes the answer about a tool call; false if it was acted upon before. */
  async claim(toolCallId: string): Promise<boolean> {
    const { interrupts, answered } = this.lease.record;
    const interrupt = [...interrupts, ...answered].find(
      (one) => one.toolCallId === toolCallId || one.id === toolCallId,
    );
    return interrupt === undefined || this.lease.claim(interrupt.id);
  }

  /** Takes note of what left: a result is an answer that was acted upon. */
  observe(event: AguiEvent): void {
    if (event.type === EventType.TOOL_CALL_RESULT)
      this.claim(event.toolCallId).catch((error: unknown) =>
        logger.error('An answer could not be marked as given.', error),
      );
  }

  /** Ends the run with its terminal event. What a run that did not finish had not acted upon stays open. */
  async complete(terminal: AguiEvent): Promise<void> {
    if (terminal.type !== EventType.RUN_FINISHED) return this.abandon();
    const { outcome } = terminal;
    if (outcome?.type === 'cancelled')
      return this.lease.end({ mustAnswer: false });
    const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
    await this.lease.end({ ...IDLE_THREAD, interrupts });
  }

  /** Ends the run without a word. */
  async abandon(): Promise<void> {
    await this.lease.end();
  }
}

/**
 * Sees to the contract of interrupts (AG-UI: "Interrupts and Resume"; seed: "HITL Interrupts"): one
 * run per thread at a time, and the next one answers everything the last one stopped for.
 */
@Injectable()
export class AguiResumeCoordinator {
  constructor(private readonly store: ThreadStore) {}

  /** @throws AguiError with `AGUI_INTERRUPT_CONTRACT_ERROR` if the run may not start like this. */
  async begin(
    input: RunAgentInput,
    userId: string | undefined,
  ): Promise<ThreadRun> {
    const { threadId, runId } = input;
    const lease = await this.store.begin({ userId, threadId }, runId);
    if (lease === undefined)
      throw broken(`Thread "${threadId}" already has an active run.`);
    try {
      return new ThreadRun(lease, answeredBy(input, lease.record));
    } catch (error) {
      await lease.end();
      throw error;
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
  for (const interrupt of given) refuseLate(interrupt, entries);
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
    `"resume" answers ${unknown.join(', ')}, which nobody asked; ignored.`,
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

function listed(interrupts: readonly Interrupt[]): string {
  return interrupts.map(({ id }) => `"${id}"`).join(', ');
}

function broken(message: string): AguiError {
  return new AguiError(message, AguiErrorCode.AGUI_INTERRUPT_CONTRACT_ERROR);
}
