import { Injectable } from '@nestjs/common';
import {
  context,
  isSpanContextValid,
  propagation,
  trace,
  type Context,
} from '@opentelemetry/api';
import {
  AguiRunObserver,
  type ObservedRun,
  type RequestHeaders,
  type RunObservation,
} from '../run/agui-run-observer.js';
import { ATTRIBUTE, OPERATION } from './attributes.js';
import { ModelCalls } from './model-calls.js';
import { RunMetrics } from './run-metrics.js';
import { RunTrace } from './run-trace.js';
import { ToolSpans } from './tool-spans.js';

/** Traces and measures each run, if somebody reads it. */
@Injectable()
@AguiRunObserver()
export class RunTelemetry implements AguiRunObserver {
  private readonly tracer = trace.getTracer('nestjs-agui');
  private readonly metrics = new RunMetrics();

  begin({ agentId, input, headers }: ObservedRun): RunObservation | undefined {
    const { tracer, metrics } = this;
    const agent = {
      [ATTRIBUTE.OPERATION]: OPERATION.RUN,
      [ATTRIBUTE.AGENT_ID]: agentId,
    };
    const parent = callerOf(headers);
    const attributes = {
      ...agent,
      [ATTRIBUTE.AGENT_NAME]: agentId,
      [ATTRIBUTE.CONVERSATION]: input.threadId,
      [ATTRIBUTE.RUN_ID]: input.runId,
    };
    const span = tracer.startSpan('agui.run', { attributes }, parent);
    if (metrics.isIdle && !isSpanContextValid(span.spanContext()))
      return undefined;
    const within = trace.setSpan(parent, span);
    const tools = new ToolSpans(tracer, within);
    const models = new ModelCalls(tracer, metrics, (event) =>
      tools.contextOf(event),
    );
    metrics.begin(agent);
    return new RunTrace(span, within, models, tools, (summary) =>
      metrics.end(agent, summary),
    );
  }
}

/** Where a run belongs: to the request's own span, if something made one, or to whoever sent it. */
function callerOf(headers: RequestHeaders): Context {
  const active = context.active();
  return trace.getSpan(active) === undefined
    ? propagation.extract(active, headers)
    : active;
}
