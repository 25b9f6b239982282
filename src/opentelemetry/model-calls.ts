import {
  SpanKind,
  type Attributes,
  type Context,
  type Span,
  type Tracer,
} from '@opentelemetry/api';
import type { AgentEvent, AgentEventOf } from '../agent/agent-event.js';
import { ATTRIBUTE, OPERATION, usageAttributes } from './attributes.js';
import type { RunMetrics } from './run-metrics.js';
import { fail } from './fail.js';

interface OpenCall {
  span: Span;
  attributes: Attributes;
  begun: number;
}

/** The model calls of one run: a span each, and what they cost. */
export class ModelCalls {
  private readonly open = new Map<string, OpenCall>();
  private readonly total = { inputTokens: 0, outputTokens: 0 };
  private last: AgentEventOf<'MODEL_CALL_END'> | undefined;

  /** @param contextOf finds the context that an event belongs to. */
  constructor(
    private readonly tracer: Tracer,
    private readonly metrics: RunMetrics,
    private readonly contextOf: (event: AgentEvent) => Context,
  ) {}

  start(event: AgentEventOf<'MODEL_CALL_START'>): void {
    this.open.set(keyOf(event), this.begin(event, timeOf(event)));
  }

  /** Ends a call; an agent may have told of its end only. */
  end(event: AgentEventOf<'MODEL_CALL_END'>): void {
    const { provider, model, responseId, finishReason, usage } = event;
    const { span, attributes, begun } =
      this.open.get(keyOf(event)) ?? this.begin(event, Date.now());
    this.open.delete(keyOf(event));
    const call = {
      ...attributes,
      ...(provider !== undefined && { [ATTRIBUTE.PROVIDER]: provider }),
      ...(model !== undefined && { [ATTRIBUTE.RESPONSE_MODEL]: model }),
    };
    span.setAttributes({
      ...call,
      ...usageAttributes(usage),
      [ATTRIBUTE.RESPONSE_ID]: responseId,
      [ATTRIBUTE.FINISH_REASONS]: reasons(finishReason),
    });
    span.end();
    this.metrics.modelCall(call, Date.now() - begun, usage);
    this.total.inputTokens += known(usage?.inputTokens);
    this.total.outputTokens += known(usage?.outputTokens);
    if (event.source === undefined) this.last = event;
  }

  /** Ends the calls that the run has left open: they failed as it did, or were broken off. */
  close(failure: string | undefined): void {
    for (const { span, attributes, begun } of this.open.values()) {
      if (failure !== undefined) fail(span, failure);
      span.end();
      this.metrics.modelCall(
        {
          ...attributes,
          ...(failure !== undefined && { [ATTRIBUTE.ERROR]: failure }),
        },
        Date.now() - begun,
        undefined,
      );
    }
    this.open.clear();
  }

  /** What is told of the whole run: all tokens, and how the agent's last call ended. */
  summary(): Attributes {
    if (this.last === undefined) return {};
    const { model, finishReason } = this.last;
    return {
      ...usageAttributes(this.total),
      [ATTRIBUTE.RESPONSE_MODEL]: model,
      [ATTRIBUTE.FINISH_REASONS]: reasons(finishReason),
    };
  }

  private begin(
    event: AgentEventOf<'MODEL_CALL_START' | 'MODEL_CALL_END'>,
    startTime: number,
  ): OpenCall {
    const { provider, model, source } = event;
    const attributes: Attributes = {
      [ATTRIBUTE.OPERATION]: OPERATION.MODEL_CALL,
      ...(provider !== undefined && { [ATTRIBUTE.PROVIDER]: provider }),
      ...(model !== undefined && { [ATTRIBUTE.REQUEST_MODEL]: model }),
    };
    const options = {
      kind: SpanKind.CLIENT,
      startTime,
      attributes: {
        ...attributes,
        ...(source !== undefined && {
          [ATTRIBUTE.AGENT_NAME]: source.split('/').at(-1),
        }),
      },
    };
    const name = [OPERATION.MODEL_CALL, model ?? ''].join(' ').trim();
    const span = this.tracer.startSpan(name, options, this.contextOf(event));
    return { span, attributes, begun: startTime };
  }
}

/** Subagents that work at the same time may use one reply id. */
function keyOf({
  replyId,
  source = '',
  metadata,
}: AgentEventOf<'MODEL_CALL_START' | 'MODEL_CALL_END'>): string {
  return JSON.stringify([replyId, source, metadata?.['taskId']]);
}

/** When the model was asked, if the agent says so; its first word may come much later. */
function timeOf({ createdAt }: AgentEvent): number {
  const now = Date.now();
  const told = createdAt === undefined ? NaN : Date.parse(createdAt);
  return told <= now ? told : now;
}

function reasons(finishReason: string | undefined): string[] | undefined {
  return finishReason === undefined ? undefined : [finishReason];
}

function known(count: number | undefined): number {
  return Number.isFinite(count) ? count! : 0;
}
