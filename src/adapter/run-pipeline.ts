import { EventType, type RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import { inCurrentForm } from '../agent/current-form.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { AguiError } from '../protocol/agui-error.js';
import { oneLine } from '../log-text.js';
import { detailsOf } from '../thrown.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { GuardRule } from '../protocol/guard-rule.js';
import { ProtocolGuard } from '../protocol/protocol-guard.js';
import {
  SubagentEvents,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { AguiStreamContext } from './agui-stream-context.js';
import { subagentCustomConverter } from './converters/subagent-custom.converter.js';
import { describeRun } from './run-description.js';
import { runError } from './run-failure.js';
import { nameOf } from './extension-name.js';
import type { SubagentEvent } from './subagent-lanes.js';
import { ToldInput } from './told-input.js';

/** One run's events on their way: converters, then enrichers, then the protocol guard. All of it is synchronous. */
export class RunPipeline {
  private readonly context: AguiStreamContext;
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
    this.guard = new ProtocolGuard({
      input,
      toldInput: runtimeContext.get(ToldInput)?.input,
      emit: (event) => {
        this.context.sent(event);
        emit(event);
      },
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
    if (this.config.converters.isCustom('AGENT_START')) return;
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
    const event = inCurrentForm(raw);
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

  /** The agent has no more to say: a run that has not ended did not succeed. */
  end(): void {
    if (this.ended) return;
    this.report('not-finished', 'the agent ended without AGENT_END');
    this.fail(new AguiError('The agent ended before it finished the run.'));
  }

  /** Ends the run because somebody wants it so. */
  cancel(): void {
    const { threadId, runId } = this.context;
    this.conclude({
      type: EventType.RUN_FINISHED,
      threadId,
      runId,
      outcome: { type: 'cancelled' },
      ...this.context.usageSoFar(),
    });
  }

  /** Ends the run with what may be said of an error. */
  fail(error: unknown): void {
    const { threadId, runId } = this.context;
    const failure = {
      ...runError(error, this.config.exposeErrors),
      ...this.context.usageSoFar(),
    };
    if (this.config.emitRunFinishedAfterError)
      this.conclude(failure, { type: EventType.RUN_FINISHED, threadId, runId });
    else this.conclude(failure);
  }

  private convert(event: AgentEvent): void {
    const { config, context } = this;
    const converter = config.converters.of(event.type);
    const convert = () =>
      refusePromise(converter.convert(event, context), converter);
    if (event.source === undefined) return convert();
    if (config.subagentEvents === SubagentEvents.CUSTOM)
      return subagentCustomConverter.convert(event, context);
    const subagent = context.subagents.of(event as SubagentEvent);
    if (subagent === undefined) return convert();
    if (subagent.announcement !== undefined)
      context.emit(subagent.announcement);
    context.within(subagent.lane, convert);
  }

  private leave(source: AgentEvent | null, made: AguiEvent[]): void {
    let events = this.eventsAmong(made);
    for (const enricher of this.config.enrichers) {
      const enriched: unknown = enricher.enrich(source, events, this.context);
      refusePromise(enriched, enricher);
      if (!Array.isArray(enriched))
        throw new TypeError(
          `The enricher ${nameOf(enricher)} returned no list of events.`,
        );
      events = this.eventsAmong(enriched);
    }
    for (const event of events) this.guard.accept(event);
  }

  /** Ends the run: closes what is open, then says how it ended, whatever enrichers make of it. */
  private conclude(...last: AguiEvent[]): void {
    if (this.ended) return;
    this.context.takeEmitted();
    this.context.closeAll();
    const closing = this.context.takeEmitted();
    try {
      this.leave(null, [...closing, ...last]);
    } catch (fault) {
      this.logger.error(
        'An enricher failed at the end of a run.',
        detailsOf(fault),
      );
      for (const event of closing) this.guard.accept(event);
    }
    if (!this.ended) for (const event of last) this.guard.accept(event);
  }

  private eventsAmong(made: unknown[]): AguiEvent[] {
    if (made.every(isObject)) return made as AguiEvent[];
    return made.filter((event): event is AguiEvent => {
      if (isObject(event)) return true;
      this.report(
        'unknown-or-malformed',
        `what is ${typeof event} is no event`,
      );
      return false;
    });
  }

  private report(rule: GuardRule, detail: string): void {
    if (this.reported.has(rule)) return;
    this.reported.add(rule);
    this.logger.warn(
      `The protocol guard applied "${rule}" (${oneLine(detail)}) to ${describeRun(this.input, this.context.runtimeContext)}.`,
    );
  }
}

/** An extension that works on after it returned would come too late, and its error would end the process. */
function refusePromise(returned: unknown, extension: object): void {
  if (!(returned instanceof Promise)) return;
  returned.catch(() => {});
  throw new TypeError(
    `The extension ${nameOf(extension)} is asynchronous; what it has to say must be said when it returns.`,
  );
}

function isObject(value: unknown): boolean {
  return typeof value === 'object' && value !== null;
}
