import { createNoopMeter, metrics, type Attributes } from '@opentelemetry/api';
import type { ModelUsage } from '../agent/agent-event.js';
import type { RunSummary } from '../run/agui-run-observer.js';
import { ATTRIBUTE } from './attributes.js';

/** In seconds, as the semantic conventions advise for model calls; runs may take longer. */
const DURATIONS = [
  0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48,
  40.96, 81.92, 163.84, 327.68, 655.36,
];
/** Powers of four, as the semantic conventions advise. */
const TOKENS = Array.from({ length: 14 }, (_, power) => 4 ** power);

/** The instruments, of the meter provider that is registered when they are made. */
export class RunMetrics {
  /** Whether nobody reads them. */
  readonly isIdle: boolean;
  private readonly meter = metrics.getMeter('nestjs-agui');
  private readonly active = this.meter.createUpDownCounter('agui.active_runs', {
    description: 'Runs that have begun and not ended',
    unit: '{run}',
  });
  private readonly runs = this.meter.createCounter('agui.runs', {
    description: 'Runs that have ended',
    unit: '{run}',
  });
  private readonly errors = this.meter.createCounter('agui.run.errors', {
    description: 'Runs that failed, by the code of their error',
    unit: '{error}',
  });
  private readonly duration = this.meter.createHistogram('agui.run.duration', {
    description: 'From the request until the agent was done',
    unit: 's',
    advice: { explicitBucketBoundaries: DURATIONS },
  });
  private readonly events = this.meter.createCounter('agui.run.events', {
    description: 'AG-UI events sent',
    unit: '{event}',
  });
  private readonly bytes = this.meter.createCounter('agui.run.bytes', {
    description: 'Bytes sent, before compression',
    unit: 'By',
  });
  private readonly modelCalls = this.meter.createHistogram(
    'gen_ai.client.operation.duration',
    {
      description: 'GenAI operation duration',
      unit: 's',
      advice: { explicitBucketBoundaries: DURATIONS },
    },
  );
  private readonly tokens = this.meter.createHistogram(
    'gen_ai.client.token.usage',
    {
      description: 'Number of input and output tokens used',
      unit: '{token}',
      advice: { explicitBucketBoundaries: TOKENS },
    },
  );

  constructor() {
    this.isIdle = this.meter === createNoopMeter();
  }

  begin(agent: Attributes): void {
    this.active.add(1, agent);
  }

  end(agent: Attributes, summary: RunSummary): void {
    const { outcome, code, duration, events, bytes } = summary;
    const ended = { ...agent, [ATTRIBUTE.OUTCOME]: outcome };
    this.active.add(-1, agent);
    this.runs.add(1, ended);
    this.duration.record(duration / 1000, ended);
    this.events.add(events, agent);
    if (bytes !== undefined) this.bytes.add(bytes, agent);
    if (outcome === 'error')
      this.errors.add(1, { ...agent, [ATTRIBUTE.ERROR]: code ?? '_OTHER' });
  }

  /** @param duration in milliseconds. */
  modelCall(
    call: Attributes,
    duration: number,
    usage: ModelUsage | undefined,
  ): void {
    this.modelCalls.record(duration / 1000, call);
    this.countTokens('input', usage?.inputTokens, call);
    this.countTokens('output', usage?.outputTokens, call);
  }

  private countTokens(
    type: 'input' | 'output',
    count: number | undefined,
    call: Attributes,
  ): void {
    if (Number.isFinite(count))
      this.tokens.record(count!, { ...call, [ATTRIBUTE.TOKEN_TYPE]: type });
  }
}
