import { EventType, type Interrupt } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { AguiRun } from '../adapter/agui-run.js';
import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import { quoted } from '../log-text.js';
import { detailsOf } from '../thrown.js';
import { asJson } from '../protocol/held-state.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { Conversation } from '../thread/conversation.js';
import {
  ThreadLostError,
  type ThreadLease,
  type ThreadRecord,
} from '../thread/thread-store.js';

const logger = new Logger('AguiModule');

/** What a run goes on with: the answers that it brings, and its hold on the thread. */
export class ThreadRun {
  private over = false;
  private left = 0;

  constructor(
    private readonly lease: ThreadLease,
    private readonly agentId: string | undefined,
    /** The recorded interrupts that the run's `resume` answers. */
    readonly interrupts: readonly Interrupt[],
  ) {}

  /** The thread as the run found it. */
  get record(): Readonly<ThreadRecord> {
    return this.lease.record;
  }

  /** Fires when the run shall stop: somebody cancels it, or, with a {@link ThreadLostError}, the hold is lost. */
  get stop(): AbortSignal {
    return this.lease.stop;
  }

  /** The branch of the conversation that the run goes on with. */
  get branch(): number {
    return this.record.branch + this.left;
  }

  /** The client has left what was kept of the conversation. */
  leaveBranch(): void {
    this.left = 1;
  }

  /** Takes the answer about a tool call; false if it was acted upon before. */
  async claim(toolCallId: string): Promise<boolean> {
    const { interrupts, answered } = this.lease.record;
    const interrupt = [...interrupts, ...answered].find(
      (one) => one.toolCallId === toolCallId || one.id === toolCallId,
    );
    return interrupt === undefined || this.lease.claim(interrupt.id);
  }

  /** The run starts: whoever follows the thread hears it from here. */
  start(from: Conversation): void {
    this.lease.start(from);
  }

  /** Has the thread keep what the run says, and the run stop when it shall. */
  bind(run: AguiRun): void {
    const { stop } = this;
    const act = () =>
      stop.reason instanceof ThreadLostError
        ? run.fail(stop.reason)
        : run.cancel();
    if (stop.aborted) act();
    else stop.addEventListener('abort', act, { once: true });
    run.observe((event) => this.observe(event));
    run.beforeEnd((terminal) => this.complete(terminal));
    run.whenDone(() => void this.abandon());
  }

  /**
   * Takes note of what left: a result is an answer that was acted upon. The terminal event comes by
   * {@link complete}.
   */
  private observe(event: AguiEvent): void {
    if (isTerminal(event)) return;
    this.lease.add(event);
    if (event.type === EventType.TOOL_CALL_RESULT)
      this.claim(event.toolCallId).catch((error: unknown) =>
        logger.error(
          `The answer to the call ${quoted(event.toolCallId)} could not be marked as given.`,
          detailsOf(error),
        ),
      );
  }

  /**
   * Ends the run with its terminal event. What a run that did not finish had not acted upon stays open.
   *
   * @throws if an interrupt could not be kept: nobody could answer it.
   */
  private async complete(terminal: AguiEvent): Promise<void> {
    this.over = true;
    this.lease.add(terminal);
    const changes = changesBy(terminal);
    const conversation = this.lease.conversation();
    try {
      await this.lease.end({
        ...conversation,
        branch: this.branch,
        ...(changes !== undefined && {
          ...changes,
          agentId: this.agentId,
          session: asJson(this.lease.record.session) as Record<string, unknown>,
        }),
      });
    } catch (error) {
      logger.error('What a run left could not be kept.', detailsOf(error));
      if (changes?.interrupts?.length)
        throw new AguiError(
          'What the run waits for could not be kept, so nobody can answer it; please try again.',
          AguiErrorCode.INTERNAL_ERROR,
          { cause: error },
        );
    }
  }

  /** Ends a run that was left without a terminal event, or did not start. */
  async abandon(): Promise<void> {
    if (this.over) return;
    this.over = true;
    this.lease.add({
      type: EventType.RUN_ERROR,
      message: 'The run was stopped, because its client has left.',
      code: AguiErrorCode.INTERRUPTED_ERROR,
    });
    try {
      const { branch } = this;
      await this.lease.end({ ...this.lease.conversation(), branch });
    } catch (error) {
      logger.error('What a run left could not be kept.', detailsOf(error));
    }
  }
}

function isTerminal({ type }: AguiEvent): boolean {
  return type === EventType.RUN_FINISHED || type === EventType.RUN_ERROR;
}

/** What a run that finished changes of the thread, besides what was said. */
function changesBy(terminal: AguiEvent): Partial<ThreadRecord> | undefined {
  if (terminal.type !== EventType.RUN_FINISHED) return undefined;
  const { outcome } = terminal;
  if (outcome?.type === 'cancelled') return { mustAnswer: false };
  const interrupts = outcome?.type === 'interrupt' ? outcome.interrupts : [];
  return { interrupts, answered: [], mustAnswer: true };
}
