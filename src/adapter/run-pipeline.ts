import { EventType, type RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import { withCurrentType, type AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { GuardRule } from '../protocol/guard-rule.js';
import { ProtocolGuard } from '../protocol/protocol-guard.js';
import { AgentEventConverterRegistry } from './agent-event-converter.registry.js';
import {
  SubagentEvents,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import {
  BaseEventPropertiesEnricher,
  type AguiEventEnricher,
} from './agui-event-enricher.js';
import { AguiStreamContext } from './agui-stream-context.js';
import { failureOf } from './run-failure.js';

/** One run's events on their way: converters, then enrichers, then the protocol guard. All of it is synchronous. */
export class RunPipeline {
  private readonly context: AguiStreamContext;
  private readonly converters: AgentEventConverterRegistry;
  private readonly enrichers: readonly AguiEventEnricher[];
  private readonly guard: ProtocolGuard;
  private readonly reported = new Set<string>();

  constructor(
    private readonly input: RunAgentInput,
    runtimeContext: RuntimeContext,
    private readonly config: FullAdapterConfig,
    emit: (event: AguiEvent) => void,
    private readonly logger: Logger,
  ) {
    this.context = new AguiStreamContext(input, runtimeContext, config, logger);
    this.converters = new AgentEventConverterRegistry(
      config.converters,
      config.subagentEvents,
    );
    this.enrichers = config.baseEventPropertiesEnricherEnabled
      ? [...config.enrichers, new BaseEventPropertiesEnricher()]
      : config.enrichers;
    this.guard = new ProtocolGuard({
      input,
      emit,
      finishAfterError: config.emitRunFinishedAfterError,
      onRepair: (rule, detail) => this.report(rule, detail),
    });
  }

  /** True once the terminal event has left. */
  get ended(): boolean {
    return this.guard.ended;
  }

  /**
   * Announces the run before the agent is asked, so that clients need not wait for its first word;
   * not if the application makes the announcement itself.
   */
  announce(): void {
    if (this.converters.isCustom('AGENT_START')) return;
    const { threadId, runId } = this.context;
    this.leave(null, [{ type: EventType.RUN_STARTED, threadId, runId }]);
  }

  agentEvent(raw: AgentEvent): void {
    if (typeof raw?.type !== 'string')
      return this.report(
        'unknown-or-malformed',
        'what has no type is no event',
      );
    if (this.ended) return this.report('after-the-end', raw.type);
    const event = withCurrentType(raw);
    this.convert(event);
    this.leave(event, this.context.takeEmitted());
  }

  /** An event that is AG-UI already: of a protocol agent, or of an adapter of the application's. */
  protocolEvent(event: AguiEvent): void {
    this.leave(null, [event]);
  }

  /** An event that has been through an adapter; only the guard looks at it. */
  finishedEvent(event: AguiEvent): void {
    this.guard.accept(event);
  }

  /** The agent has no more to say. */
  end(): void {
    this.guard.end();
  }

  cancel(): void {
    this.guard.cancel();
  }

  /** Ends the run with what may be said of an error. */
  fail(error: unknown): void {
    if (this.ended) return;
    this.context.takeEmitted();
    this.context.closeAll();
    const usage = this.config.emitTokenUsage
      ? this.context.usage.entries()
      : undefined;
    const { threadId, runId } = this.context;
    const events: AguiEvent[] = [
      ...this.context.takeEmitted(),
      {
        type: EventType.RUN_ERROR,
        ...failureOf(error, this.config.exposeErrors),
        timestamp: Date.now(),
        ...(usage !== undefined && { usage }),
      },
    ];
    if (this.config.emitRunFinishedAfterError)
      events.push({ type: EventType.RUN_FINISHED, threadId, runId });
    try {
      this.leave(null, events);
    } catch (fault) {
      this.logger.error('An enricher failed on a failing run.', fault);
      for (const event of events) this.guard.accept(event);
    }
  }

  private convert(event: AgentEvent): void {
    const { context } = this;
    const converter = this.converters.of(event);
    if (!event.source || this.config.subagentEvents === SubagentEvents.CUSTOM)
      return converter.convert(event, context);
    const { lane, announcement } = context.subagents.of(
      event as AgentEvent & { source: string },
    );
    if (announcement !== undefined) context.emit(announcement);
    context.within(lane, () => converter.convert(event, context));
  }

  private leave(source: AgentEvent | null, made: AguiEvent[]): void {
    let events = made;
    for (const enricher of this.enrichers) {
      events = enricher.enrich(source, events, this.context);
      if (!Array.isArray(events))
        throw new TypeError(
          `The enricher ${enricher.constructor.name} returned no list of events.`,
        );
    }
    for (const event of events) this.guard.accept(event);
  }

  private report(rule: GuardRule, detail: string): void {
    if (this.reported.has(rule)) return;
    this.reported.add(rule);
    const { runId, threadId } = this.input;
    this.logger.warn(
      `The protocol guard applied "${rule}" (${detail}) to run "${runId}" of thread "${threadId}".`,
    );
  }
}
