import { EventType, type RunAgentInput } from '@ag-ui/core';
import { Injectable } from '@nestjs/common';
import { ModuleRef, type ContextId } from '@nestjs/core';
import {
  ADAPTER_DEFAULTS,
  type AguiAdapterConfig,
} from '../adapter/agui-adapter-config.js';
import { AguiAgentAdapter } from '../adapter/agui-agent-adapter.js';
import { AguiRun } from '../adapter/agui-run.js';
import type { AnyAgent } from '../agent/agent.js';
import { AnswerClaims } from '../agent/answer-claims.js';
import type { RegisteredAgent } from '../agent/agui-agent.registry.js';
import {
  AguiAgentResolver,
  type AgentSelection,
} from '../agent/agui-agent.resolver.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { AguiExtensions } from '../agui-extensions.js';
import { AguiProperties } from '../agui.properties.js';
import { RunScope } from '../extension-ref.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { ThreadSessionManager } from '../thread/thread-session.manager.js';
import {
  AguiResumeCoordinator,
  type ThreadRun,
} from './agui-resume-coordinator.js';
import { UnknownAgentError } from './unknown-agent.error.js';

/** What a transport asks to be run. */
export interface AguiRunRequest extends AgentSelection {
  input: RunAgentInput;
  /** What the request knows: the user, and whatever resolvers found. */
  context?: RuntimeContext;
  /** The platform's request, for request-scoped providers. */
  nativeRequest?: unknown;
}

/**
 * Prepares runs, for any transport: finds the agent, puts the thread's memory and the application's
 * extensions around it. Nothing is sent before it is known that the run can start.
 */
@Injectable()
export class AguiRequestProcessor {
  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly properties: AguiProperties,
    private readonly agents: AguiAgentResolver,
    private readonly extensions: AguiExtensions,
    private readonly sessions: ThreadSessionManager,
    private readonly coordinator: AguiResumeCoordinator,
  ) {}

  /**
   * @returns the run, not started.
   * @throws UnknownAgentError if there is no such agent; whatever an agent's factory throws.
   */
  async process(request: AguiRunRequest): Promise<AguiRun> {
    const { input } = request;
    const agent = this.agents.resolve(request, input);
    if (agent === undefined)
      throw new UnknownAgentError(this.agents.requestedId(request, input));
    const scope = RunScope.of(this.moduleRef, request.nativeRequest);
    const context = (request.context ?? new RuntimeContext()).with({
      sessionId: input.threadId,
      entries: { 'agui.agentId': agent.id },
    });
    context.put(RunScope, scope);
    return this.onThread(input, context, () =>
      this.properties.serverSideMemory
        ? this.withMemory(agent, input, context)
        : this.runOf(agent.resolve(context, input), input, context),
    );
  }

  /** Prepares the run with a hold on its thread, or one that tells why it may not start. */
  private async onThread(
    input: RunAgentInput,
    context: RuntimeContext,
    prepare: () => Promise<AguiRun>,
  ): Promise<AguiRun> {
    let thread: ThreadRun;
    try {
      thread = await this.coordinator.begin(input, context.userId);
    } catch (error) {
      const config = await this.configFor(context.get(RunScope)!.id);
      return AguiRun.refused(error, input, context, config);
    }
    try {
      context
        .put('agui.resume.interrupts', thread.interrupts)
        .put(AnswerClaims, new AnswerClaims((id) => thread.claim(id)));
      const run = await prepare();
      run.observe((event) => thread.observe(event));
      run.beforeEnd((terminal) => thread.complete(terminal));
      run.whenDone(() => void thread.abandon());
      return run;
    } catch (error) {
      await thread.abandon();
      throw error;
    }
  }

  private async withMemory(
    agent: RegisteredAgent,
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const { userId } = context;
    const { threadId } = input;
    const session = this.sessions.acquire({ userId, threadId });
    try {
      // The agent outlives this run, and with it the run's signal.
      const { signal } = new AbortController();
      const instance = await session.agent(agent.id, () =>
        agent.resolve(context.with({ signal }), input),
      );
      const messages = session.unseen(agent.id, input.messages);
      const run = await this.runOf(instance, { ...input, messages }, context);
      const see = (id: string) => session.see(agent.id, id);
      let failed = false;
      run.observe((event) => {
        seeMessagesOf(event, see);
        failed ||= event.type === EventType.RUN_ERROR;
        // Until the run has succeeded, the client may have to say it again.
        if (succeeds(event) && !failed) for (const { id } of messages) see(id);
      });
      run.whenDone(() => this.sessions.release({ userId, threadId }));
      return run;
    } catch (error) {
      this.sessions.release({ userId, threadId });
      throw error;
    }
  }

  private async runOf(
    resolved: AnyAgent | Promise<AnyAgent>,
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const agent = await resolved;
    const scope = context.get(RunScope)!.id;
    const config = await this.configFor(scope);
    const [factory] = await this.extensions.resolve('adapter-factory', scope);
    const adapter =
      (await factory?.create(agent, config)) ??
      new AguiAgentAdapter(agent, config);
    return adapter.run === AguiAgentAdapter.prototype.run
      ? (adapter.run(input, context) as AguiRun)
      : AguiRun.ofAdapter(adapter, input, context, config);
  }

  private async configFor(scope: ContextId): Promise<AguiAdapterConfig> {
    const config: Record<string, unknown> = {};
    for (const name of Object.keys(ADAPTER_DEFAULTS))
      config[name] = this.properties[name as keyof AguiProperties];
    return {
      ...config,
      converters: await this.extensions.resolve('converter', scope),
      enrichers: await this.extensions.resolve('enricher', scope),
    };
  }
}

function succeeds(event: AguiEvent): boolean {
  return (
    event.type === EventType.RUN_FINISHED && event.outcome?.type !== 'cancelled'
  );
}

/** The client will send back what it was sent; that is nothing new. */
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
