import { EventType, type RunAgentInput } from '@ag-ui/core';
import { Injectable } from '@nestjs/common';
import type { AguiRun } from '../adapter/agui-run.js';
import { relayedRun } from '../adapter/converted-runs.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { keyOf } from '../thread/thread-key.js';
import {
  ThreadStore,
  type CancelResult,
  type FollowedRun,
  type ThreadView,
} from '../thread/thread-store.js';
import { refuseUnreachable } from './thread-store-unavailable.error.js';
import { WaitingRuns } from './waiting-runs.js';
import { UnknownThreadError } from './unknown-thread.error.js';

/** What can be done with threads besides running agents on them. */
@Injectable()
export class AguiThreads {
  constructor(
    private readonly store: ThreadStore,
    private readonly waiting: WaitingRuns,
  ) {}

  /**
   * A thread as it is now, as one legal stream: its messages, its state and what it waits for; while a
   * run is active, that run from its beginning, then live.
   *
   * @param input names the thread; the rest is what the stream is shaped for.
   * @throws UnknownThreadError; ThreadStoreUnavailableError.
   */
  async connect(
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const { threadId } = input;
    const follower = new AbortController();
    const view = await this.store
      .read(keyOf(input, context), follower.signal)
      .catch(refuseUnreachable);
    if (view === undefined) throw new UnknownThreadError(threadId);
    const of = { ...input, runId: view.run?.runId ?? input.runId };
    const run = relayedRun(() => restated(view, of), of, context);
    run.whenDone(() => follower.abort());
    return run;
  }

  /**
   * Stops a thread's run, on whichever server it is, and those that wait for the thread on this one;
   * they end with the outcome `cancelled`.
   *
   * @returns false if the run was over already.
   * @throws UnknownThreadError if there is no such thread, or no such run on it; ThreadStoreUnavailableError.
   */
  async cancel(
    threadId: string,
    context: RuntimeContext,
    runId?: string,
  ): Promise<boolean> {
    const thread = keyOf({ threadId }, context);
    const hasWaited = this.waiting.cancel(thread, runId);
    const result: CancelResult = await this.store
      .cancel(thread, runId)
      .catch(refuseUnreachable);
    if (hasWaited) return true;
    if (result === 'unknown') throw new UnknownThreadError(threadId, runId);
    return result === 'cancelled';
  }
}

async function* restated(
  { record, run }: ThreadView,
  { threadId, runId }: RunAgentInput,
): AsyncGenerator<AguiEvent> {
  const { messages, state } = run?.start ?? record;
  yield { type: EventType.RUN_STARTED, threadId, runId };
  if (messages.length > 0)
    yield { type: EventType.MESSAGES_SNAPSHOT, messages: [...messages] };
  yield { type: EventType.STATE_SNAPSHOT, snapshot: state ?? {} };
  if (run !== undefined) return yield* followed(run);
  const interrupts = record.mustAnswer ? record.interrupts : [];
  yield {
    type: EventType.RUN_FINISHED,
    threadId,
    runId,
    ...(interrupts.length > 0 && {
      outcome: { type: 'interrupt', interrupts },
    }),
  };
}

async function* followed({ events }: FollowedRun): AsyncGenerator<AguiEvent> {
  for await (const some of events)
    for (const event of some)
      if (event.type !== EventType.RUN_STARTED) yield event;
}
