import {
  EventType,
  type Interrupt,
  type ResumeEntry,
  type RunAgentInput,
} from '@ag-ui/core';
import { Injectable, Logger } from '@nestjs/common';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { ThreadStore, type ThreadLease } from '../thread/thread-store.js';

/** What a run goes on with: the answers that it brings, and its hold on the thread. */
export class ThreadRun {
  constructor(
    private readonly lease: ThreadLease,
    /** The recorded interrupts that the run's `resume` answers. */
    readonly interrupts: readonly Interrupt[],
  ) {}

  /** Takes the answer about a tool call; false if it was acted upon before. */
  async claim(toolCallId: string): Promise<boolean> {
    const interrupt = this.interrupts.find(
      (one) => one.toolCallId === toolCallId || one.id === toolCallId,
    );
    return interrupt === undefined || this.lease.claim(interrupt.id);
  }

  /** Takes note of what left: a result is an answer that was acted upon. */
  observe(event: AguiEvent): void {
    if (event.type === EventType.TOOL_CALL_RESULT)
      void this.claim(event.toolCallId);
  }

  /** Ends the run with its terminal event. What a failed run had not acted upon stays open. */
  async complete(terminal: AguiEvent): Promise<void> {
    if (terminal.type === EventType.RUN_FINISHED) {
      const { outcome } = terminal;
      await this.lease.end({
        interrupts: outcome?.type === 'interrupt' ? outcome.interrupts : [],
      });
    } else await this.lease.end();
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
  private readonly logger = new Logger('AguiModule');

  constructor(private readonly store: ThreadStore) {}

  /** @throws AguiError with `AGUI_INTERRUPT_CONTRACT_ERROR` if the run may not start like this. */
  async begin(
    input: RunAgentInput,
    userId: string | undefined,
  ): Promise<ThreadRun> {
    const { threadId, runId, resume = [] } = input;
    const lease = await this.store.begin({ userId, threadId }, runId);
    if (lease === undefined)
      throw broken(`Thread "${threadId}" already has an active run.`);
    try {
      return new ThreadRun(
        lease,
        this.answered(lease.record.interrupts, resume),
      );
    } catch (error) {
      await lease.end();
      throw error;
    }
  }

  private answered(
    open: readonly Interrupt[],
    resume: readonly ResumeEntry[],
  ): Interrupt[] {
    if (resume.length === 0) {
      if (open.length === 0) return [];
      throw broken(
        `The thread waits for answers to ${listed(open)}; "resume" brings none.`,
      );
    }
    if (open.length === 0)
      throw broken('"resume" answers interrupts, but none is open.');
    const entries = entriesById(resume);
    const missing = open.filter(({ id }) => !entries.has(id));
    if (missing.length > 0)
      throw broken(`"resume" leaves ${listed(missing)} unanswered.`);
    for (const interrupt of open) refuseLate(interrupt, entries);
    const known = new Set(open.map(({ id }) => id));
    const unknown = [...entries.keys()].filter((id) => !known.has(id));
    if (unknown.length > 0)
      this.logger.warn(
        `"resume" answers ${unknown.join(', ')}, which nobody asked; ignored.`,
      );
    return [...open];
  }
}

function entriesById(resume: readonly ResumeEntry[]): Map<string, ResumeEntry> {
  const entries = new Map<string, ResumeEntry>();
  for (const entry of resume) {
    if (entries.has(entry.interruptId))
      throw broken(`"resume" answers "${entry.interruptId}" twice.`);
    entries.set(entry.interruptId, entry);
  }
  return entries;
}

/** An interrupt that has expired can be given up, but not answered. */
function refuseLate(
  { id, expiresAt }: Interrupt,
  entries: ReadonlyMap<string, ResumeEntry>,
): void {
  if (expiresAt === undefined || entries.get(id)?.status === 'cancelled')
    return;
  const time = Date.parse(expiresAt);
  if (time <= Date.now())
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
