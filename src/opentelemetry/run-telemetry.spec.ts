import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import {
  AlwaysOffSampler,
  BasicTracerProvider,
} from '@opentelemetry/sdk-trace-base';
import { afterEach, describe, expect, it } from 'vitest';
import { inputOf } from '../adapter/adapter.fixture.js';
import { RuntimeContext } from '../agent/runtime-context.js';
import { RunTelemetry } from './run-telemetry.js';

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';

const run = {
  agentId: 'default',
  input: inputOf(),
  context: new RuntimeContext(),
  headers: { traceparent: `00-${TRACE}-00f067aa0ba902b7-00` },
};

afterEach(() => {
  for (const api of [context, propagation, trace]) api.disable();
});

describe('RunTelemetry', () => {
  it('should do nothing about a run when there is no SDK', () => {
    expect(new RunTelemetry().begin(run)).toBeUndefined();
  });

  it('should hand on a trace that is not sampled', () => {
    context.setGlobalContextManager(new AsyncLocalStorageContextManager());
    propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    trace.setGlobalTracerProvider(
      new BasicTracerProvider({ sampler: new AlwaysOffSampler() }),
    );
    const sent: Record<string, string> = {};
    new RunTelemetry().begin(run)!.around!(() =>
      propagation.inject(context.active(), sent),
    );
    expect(sent['traceparent']).toMatch(new RegExp(`^00-${TRACE}-\\w+-00$`));
  });
});
