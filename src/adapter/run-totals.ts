import { EventType } from '@ag-ui/core';
import { AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';

/**
 * How a run ended: `success`; `interrupt`, to wait for an answer; `cancelled`, because somebody wanted
 * it so; `error`; `disconnected`, because its client had left.
 */
export type RunOutcome =
  'success' | 'interrupt' | 'cancelled' | 'error' | 'disconnected';

/** How a run ended, and how much it said. */
export interface RunTotals {
  outcome: RunOutcome;
  /** The code of `RUN_ERROR`, or what it would have been. */
  code?: string;
  /** What was thrown; absent if nothing was, as with an agent that says `RUN_ERROR` itself. */
  error?: unknown;
  /** How many AG-UI events it sent. */
  events: number;
  /** How many bytes its frames took, before compression; absent if the transport does not count them. */
  bytes?: number;
}

/** How a run ended, by the event that ended it; a run without one was left by its client. */
export function outcomeOf(
  terminal: AguiEvent | undefined,
): Pick<RunTotals, 'outcome' | 'code'> {
  switch (terminal?.type) {
    case EventType.RUN_FINISHED:
      return { outcome: terminal.outcome?.type ?? 'success' };
    case EventType.RUN_ERROR:
      // What clients from before AG-UI 1.0 are told of a cancelled run.
      return terminal.code === AguiErrorCode.CANCELLED
        ? { outcome: 'cancelled' }
        : { outcome: 'error', code: terminal.code };
    default:
      return { outcome: 'disconnected' };
  }
}
