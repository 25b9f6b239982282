import type { AbstractAgent, RunFinishedEvent } from '@ag-ui/client';

/** One change of the shared state, as a JSON Patch says it. */
export interface Patch {
  id: number;
  op: string;
  path: string;
  value?: unknown;
}

/** What a run tells besides its messages. */
export interface RunFacts {
  steps: readonly { name: string; isDone: boolean }[];
  patches: readonly Patch[];
  inputTokens: number;
  outputTokens: number;
  model?: string;
  failure?: string;
}

const NOTHING: RunFacts = {
  steps: [],
  patches: [],
  inputTokens: 0,
  outputTokens: 0,
};

/** Collects a thread's facts, for the parts of the page that no message is. */
export class RunInfo {
  private facts = NOTHING;
  private readonly listeners = new Set<() => void>();
  private patchCount = 0;

  constructor(agent: AbstractAgent) {
    agent.subscribe({
      onRunInitialized: () =>
        this.set({ steps: [], patches: [], failure: undefined }),
      onStepStartedEvent: ({ event }) =>
        this.set({
          steps: [...this.facts.steps, { name: event.stepName, isDone: false }],
        }),
      onStepFinishedEvent: ({ event }) =>
        this.set({
          steps: this.facts.steps.map((step) =>
            step.name === event.stepName ? { ...step, isDone: true } : step,
          ),
        }),
      onStateDeltaEvent: ({ event }) =>
        this.set({
          patches: [...this.facts.patches, ...event.delta.map(this.numbered)],
        }),
      onRunFinishedEvent: ({ event }) => this.count(event),
    });
  }

  readonly snapshot = () => this.facts;

  readonly subscribe = (listener: () => void) => {
    this.listeners.add(listener);
    return () => void this.listeners.delete(listener);
  };

  fail(error: Error): void {
    const { code } = error as { code?: string };
    this.set({ failure: code ?? error.message });
  }

  private count({ usage = [] }: RunFinishedEvent): void {
    const sum = (of: 'inputTokens' | 'outputTokens') =>
      usage.reduce((total, one) => total + (one[of] ?? 0), this.facts[of]);
    this.set({
      inputTokens: sum('inputTokens'),
      outputTokens: sum('outputTokens'),
      model: usage[0]?.model ?? this.facts.model,
    });
  }

  private readonly numbered = (patch: Omit<Patch, 'id'>): Patch => ({
    ...patch,
    id: this.patchCount++,
  });

  private set(facts: Partial<RunFacts>): void {
    this.facts = { ...this.facts, ...facts };
    for (const listener of this.listeners) listener();
  }
}
