import type { RunAgentInput } from '@ag-ui/core';
import { Injectable } from '@nestjs/common';
import { ModuleRef, type ContextId } from '@nestjs/core';
import {
  ADAPTER_DEFAULTS,
  type AguiAdapterConfig,
} from '../adapter/agui-adapter-config.js';
import { AguiAgentAdapter } from '../adapter/agui-agent-adapter.js';
import type { AguiRun } from '../adapter/agui-run.js';
import { adapterRun, refusedRun } from '../adapter/converted-runs.js';
import { ToldInput } from '../adapter/told-input.js';
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
import { AguiError } from '../protocol/agui-error.js';
import { refuseForbiddenMedia } from './allowed-media.js';
import { AguiResumeCoordinator } from './agui-resume-coordinator.js';
import type { RequestHeaders } from './agui-run-observer.js';
import { RunObservers } from './run-observers.js';
import { ThreadMemory } from './thread-memory.js';
import type { ThreadRun } from './thread-run.js';
import { NeverBegunError } from './waiting-runs.js';
import { UnknownAgentError } from './unknown-agent.error.js';
import { unlessAborted } from '../unless-aborted.js';

/** What a transport asks to be run. */
export interface AguiRunRequest extends AgentSelection {
  input: RunAgentInput;
  /** What the request knows: the user, and whatever resolvers found. */
  context?: RuntimeContext;
  /** What came along with the request, for observers: headers of a trace, for one. */
  headers?: RequestHeaders;
  /** Has `RUN_STARTED` carry the input, with those messages that the thread has not seen. Default false. */
  tellInput?: boolean;
  /** The platform's request, for request-scoped providers. */
  nativeRequest?: unknown;
}

/**
 * Prepares runs, for any transport: finds the agent, puts the thread's memory and the application's
 * extensions around it. Nothing is sent before it is known that the run can start.
 */
@Injectable()
export class AguiRequestProcessor {
  /** The last run's, which the next one has, too, if its extensions are the same. */
  private config: AguiAdapterConfig | undefined;

  constructor(
    private readonly moduleRef: ModuleRef,
    private readonly properties: AguiProperties,
    private readonly agents: AguiAgentResolver,
    private readonly extensions: AguiExtensions,
    private readonly memory: ThreadMemory,
    private readonly coordinator: AguiResumeCoordinator,
    private readonly observers: RunObservers,
  ) {}

  /**
   * @returns the run, not started.
   * @throws UnknownAgentError if there is no such agent; ForbiddenMediaError if a message has a file that
   * the agent must not be given; whatever an agent's factory throws.
   */
  async process(request: AguiRunRequest): Promise<AguiRun> {
    const { input } = request;
    const agent = this.agents.resolve(request, input);
    if (agent === undefined)
      throw new UnknownAgentError(this.agents.requestedId(request, input));
    refuseForbiddenMedia(input.messages, this.properties.allowedMediaSchemes);
    const scope = RunScope.of(this.moduleRef, request.nativeRequest);
    const context = (request.context ?? new RuntimeContext()).with({
      sessionId: input.threadId,
      entries: { 'agui.agentId': agent.id },
    });
    context.put(RunScope, scope);
    const { headers = {} } = request;
    const watch = await this.observers.begin(
      { agentId: agent.id, input, context, headers },
      scope.id,
    );
    return watch.over(() =>
      this.onThread(input, context, (thread) => {
        if (request.tellInput)
          context.put(ToldInput, new ToldInput(input, thread.record.messages));
        return this.prepare(thread, agent, input, context);
      }),
    );
  }

  /** Prepares the run with a hold on its thread, or one that tells why it may not start. */
  private async onThread(
    input: RunAgentInput,
    context: RuntimeContext,
    prepare: (thread: ThreadRun) => Promise<AguiRun>,
  ): Promise<AguiRun> {
    let thread: ThreadRun;
    try {
      thread = await this.coordinator.begin(input, context);
    } catch (error) {
      if (!isRefusal(error)) throw error;
      return this.refused(error, input, context);
    }
    const { stop } = thread;
    try {
      return await prepare(thread).catch(async (error: unknown) => {
        if (!stop.aborted || error !== stop.reason) throw error;
        const run = await this.refused(error, input, context);
        thread.bind(run);
        return run;
      });
    } catch (error) {
      await thread.abandon();
      throw error;
    }
  }

  private async refused(
    error: unknown,
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const config = await this.configFor(context.get(RunScope)!.id);
    const run = refusedRun(error, input, context, config);
    if (error instanceof NeverBegunError) run.cancel();
    return run;
  }

  private async prepare(
    thread: ThreadRun,
    agent: RegisteredAgent,
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const { interrupts, record } = thread;
    context
      .put('agui.resume.interrupts', interrupts)
      .put('agui.session', record.session)
      .put(AnswerClaims, new AnswerClaims((id) => thread.claim(id)));
    const { serverSideMemory } = this.properties;
    const full = serverSideMemory ? this.memory.recall(input, thread) : input;
    const make = (instance: AnyAgent, of: RunAgentInput) =>
      this.runOf(instance, of, context);
    const making = serverSideMemory
      ? this.memory.runOf(agent, full, thread, context, make)
      : resolved(agent, full, context).then((own) => make(own, full));
    // Whoever waits for it may be gone, and the thread is not to be kept from others.
    const run = await unlessAborted(
      making,
      [context.signal, thread.stop],
      (late) => late.discard(),
    );
    thread.start({ messages: full.messages, state: full.state });
    thread.bind(run);
    return run;
  }

  private async runOf(
    agent: AnyAgent,
    input: RunAgentInput,
    context: RuntimeContext,
  ): Promise<AguiRun> {
    const scope = context.get(RunScope)!.id;
    const config = await this.configFor(scope);
    const [factory] = await this.extensions.resolve('adapter-factory', scope);
    const adapter =
      (await factory?.create(agent, config)) ??
      new AguiAgentAdapter(agent, config);
    return adapter.run === AguiAgentAdapter.prototype.run
      ? (adapter.run(input, context) as AguiRun)
      : adapterRun(adapter, input, context, config);
  }

  private async configFor(scope: ContextId): Promise<AguiAdapterConfig> {
    const converters = await this.extensions.resolve('converter', scope);
    const enrichers = await this.extensions.resolve('enricher', scope);
    const { config } = this;
    return config?.converters === converters && config.enrichers === enrichers
      ? config
      : (this.config = {
          ...adapterPart(this.properties),
          converters,
          enrichers,
        });
  }
}

async function resolved(
  agent: RegisteredAgent,
  input: RunAgentInput,
  context: RuntimeContext,
): Promise<AnyAgent> {
  return agent.resolve(context, input);
}

/** What a run is refused for in its stream. */
function isRefusal(error: unknown): boolean {
  return error instanceof NeverBegunError || error instanceof AguiError;
}

function adapterPart(properties: AguiProperties): AguiAdapterConfig {
  const part: Record<string, unknown> = {};
  for (const name of Object.keys(ADAPTER_DEFAULTS))
    part[name] = properties[name as keyof AguiProperties];
  return part;
}
