import type { AguiEvent } from '../protocol/agui-event.js';

/** Takes a run's events, one by one. */
export interface AguiEventSink {
  write(event: AguiEvent): void;
  /** A promise while the sink is full: the agent is not asked for more before it resolves. */
  ready?(): Promise<void> | undefined;
  /** How many bytes the events have taken so far. */
  readonly bytes?: number;
}
