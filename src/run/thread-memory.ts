import { EventType, type Message, type RunAgentInput } from '@ag-ui/core';
import { ConflictException, Injectable } from '@nestjs/common';
import { HandedOver } from '../adapter/handed-over.js';
import type { AguiRun } from '../adapter/agui-run.js';
import { isAgent, type AnyAgent } from '../agent/agent.js';
import type { RegisteredAgent } from '../agent/agui-agent.registry.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { AguiProperties } from '../agui.properties.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { Divergence } from '../thread/divergence.js';
import { joined } from '../thread/history.js';
import { keyOf } from '../thread/thread-key.js';
import { ThreadSessionManager } from '../thread/thread-session.manager.js';
import type { ThreadRun } from './thread-run.js';

/** Makes a run of an agent, on an input. */
type MakeRun = (agent: AnyAgent, input: RunAgentInput) => Promise<AguiRun>;

/**
 * Server-side memory: the conversation is what the server keeps and what the client adds; an agent has
 * an instance per thread, which is handed only what it has not seen.
 */
@Injectable()
export class ThreadMemory {
  constructor(
    private readonly properties: AguiProperties,
    private readonly sessions: ThreadSessionManager,
  ) {}

  /**
   * The input with the whole conversation.
   *
   * @throws ConflictException if the client's messages have left what the server keeps, and must not.
   */
  recall(input: RunAgentInput, thread: ThreadRun): RunAgentInput {
    const { record } = thread;
    const { messages, cut } = joined(record.messages, input.messages, {
      resumes: (input.resume ?? []).length > 0,
    });
    if (cut.length > 0) {
      if (this.properties.divergence === Divergence.REJECT)
        throw new ConflictException(
          'The messages leave out or change what the server keeps of the thread.',
        );
      thread.leaveBranch();
    }
    return { ...input, messages, state: input.state ?? record.state };
  }

  /** The run of the thread's own instance of an agent. */
  async runOf(
    agent: RegisteredAgent,
    input: RunAgentInput,
    { branch, stop }: ThreadRun,
    context: RuntimeContext,
    make: MakeRun,
  ): Promise<AguiRun> {
    const key = keyOf(input, context);
    const session = this.sessions.acquire(key);
    session.goOnWith(branch);
    try {
      const own = new AbortController();
      const unfollow = follow(context.signal, own);
      const instance = await session.agent(
        agent.id,
        () => agent.resolve(context.with({ signal: own.signal }), input),
        [context.signal, stop],
      );
      // An agent of the thread outlives this run; one that speaks AG-UI was made for it.
      if (isAgent(instance)) unfollow();
      const unseen = session.unseen(agent.id, input.messages);
      context.put(HandedOver, new HandedOver(unseen));
      const run = await make(instance, input);
      this.watch(run, unseen, (id) => session.see(agent.id, id));
      run.whenDone(() => this.sessions.release(key));
      return run;
    } catch (error) {
      this.sessions.release(key);
      throw error;
    }
  }

  private watch(
    run: AguiRun,
    handed: readonly Message[],
    see: (id: string) => void,
  ): void {
    let failed = false;
    run.observe((event) => {
      seeMessagesOf(event, see);
      failed ||= event.type === EventType.RUN_ERROR;
      // Until the run has succeeded, the client may have to say it again.
      if (succeeds(event) && !failed) for (const { id } of handed) see(id);
    });
  }
}

/** @returns what ends it. */
function follow(signal: AbortSignal, own: AbortController): () => void {
  const abort = () => own.abort(signal.reason);
  if (signal.aborted) abort();
  else signal.addEventListener('abort', abort, { once: true });
  return () => signal.removeEventListener('abort', abort);
}

function succeeds(event: AguiEvent): boolean {
  return (
    event.type === EventType.RUN_FINISHED && event.outcome?.type !== 'cancelled'
  );
}

/** What the agent said itself is nothing new to it. */
function seeMessagesOf(event: AguiEvent, see: (id: string) => void): void {
  switch (event.type) {
    case EventType.TEXT_MESSAGE_START:
    case EventType.REASONING_MESSAGE_START:
    case EventType.TOOL_CALL_RESULT:
      return see(event.messageId);
    case EventType.TOOL_CALL_START:
      return see(event.parentMessageId ?? event.toolCallId);
    case EventType.MESSAGES_SNAPSHOT:
      for (const { id } of event.messages) see(id);
  }
}
