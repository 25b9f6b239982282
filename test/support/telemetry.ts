import {
  context,
  metrics,
  propagation,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from '@opentelemetry/sdk-metrics';
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  SimpleSpanProcessor,
  type ReadableSpan,
} from '@opentelemetry/sdk-trace-base';
import { afterAll, afterEach, beforeAll, vi } from 'vitest';

/** Where a trace comes from. */
export const REMOTE = {
  traceId: '4bf92f3577b34da6a3ce929d0e0e4736',
  spanId: '00f067aa0ba902b7',
};

/** The header that says so. */
export const TRACEPARENT = {
  traceparent: `00-${REMOTE.traceId}-${REMOTE.spanId}-01`,
};

/** One value of a metric, with its attributes. */
export interface Measured {
  attributes: Record<string, unknown>;
  value: number | { sum?: number; count: number };
}

/** OpenTelemetry's SDK as an application has it, which keeps what it is told. */
export class Telemetry {
  private readonly spans = new InMemorySpanExporter();
  private readonly measurements = new InMemoryMetricExporter(
    AggregationTemporality.DELTA,
  );
  private readonly reader = new PeriodicExportingMetricReader({
    exporter: this.measurements,
    exportIntervalMillis: 1_000_000,
  });

  start(): void {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({
        spanProcessors: [new SimpleSpanProcessor(this.spans)],
      }),
    );
    metrics.setGlobalMeterProvider(
      new MeterProvider({ readers: [this.reader] }),
    );
  }

  async stop(): Promise<void> {
    await this.reader.shutdown();
    for (const api of [context, propagation, trace, metrics]) api.disable();
  }

  async reset(): Promise<void> {
    await this.reader.forceFlush();
    this.spans.reset();
    this.measurements.reset();
  }

  /** The spans that have ended. */
  ended(): ReadableSpan[] {
    return this.spans.getFinishedSpans();
  }

  /** The spans of one name, as soon as there are so many. */
  named(name: string, count = 1): Promise<ReadableSpan[]> {
    return vi.waitFor(() => {
      const found = this.ended().filter((span) => span.name === name);
      if (found.length !== count)
        throw new Error(
          `There are ${found.length} spans "${name}" among ${this.ended()
            .map((span) => span.name)
            .join(', ')}.`,
        );
      return found;
    });
  }

  /** The spans of a run as a tree of their names, once the run has ended. */
  async tree(count = 1): Promise<Tree> {
    await this.named('agui.run', count);
    const all = this.ended();
    const ids = new Set(all.map((span) => span.spanContext().spanId));
    return treeOf(
      all,
      all.filter((span) => !ids.has(span.parentSpanContext?.spanId ?? '')),
    );
  }

  /** What was measured since the last time, by the metrics' names. */
  async measured(): Promise<Record<string, Measured[]>> {
    this.measurements.reset();
    await this.reader.forceFlush();
    return Object.fromEntries(
      this.measurements
        .getMetrics()
        .flatMap(({ scopeMetrics }) => scopeMetrics)
        .flatMap(({ metrics: all }) => all)
        .map(({ descriptor, dataPoints }) => [
          descriptor.name,
          dataPoints.map(({ attributes, value }) => ({
            attributes,
            value: value as Measured['value'],
          })),
        ]),
    );
  }
}

/** Names of spans, each with those below it. */
export interface Tree {
  [name: string]: Tree;
}

/** Spans of one name are one branch. */
function treeOf(
  all: readonly ReadableSpan[],
  spans: readonly ReadableSpan[],
): Tree {
  return Object.fromEntries(
    [...new Set(spans.map(({ name }) => name))].map((name) => {
      const ids = spans
        .filter((span) => span.name === name)
        .map((span) => span.spanContext().spanId);
      const below = all.filter(({ parentSpanContext }) =>
        ids.includes(parentSpanContext?.spanId ?? ''),
      );
      return [name, treeOf(all, below)];
    }),
  );
}

/** The type of the error that a span ended with; undefined if it ended well. */
export function failureOf({ status, attributes }: ReadableSpan): unknown {
  return status.code === SpanStatusCode.ERROR
    ? attributes['error.type']
    : undefined;
}

/** Does something within a span of the application's own. */
export function traced<T>(name: string, act: () => T): T {
  return trace.getTracer('application').startActiveSpan(name, (span) => {
    try {
      return act();
    } finally {
      span.end();
    }
  });
}

/** The SDK for a file's tests; each test begins with nothing told. */
export function useTelemetry(): Telemetry {
  const telemetry = new Telemetry();
  beforeAll(() => telemetry.start());
  afterEach(() => telemetry.reset());
  afterAll(() => telemetry.stop());
  return telemetry;
}
