import { setImmediate } from 'node:timers/promises';

/** How long one run may keep the event loop to itself, in milliseconds. */
const SLICE = 10;

/**
 * Lets others have their turn. An agent whose events need no waiting would otherwise keep timers,
 * other runs and its own client's departure from being heard of.
 */
export class TimeSlice {
  private since = performance.now();

  /** A promise of the next turn if this one has been long enough. */
  over(): Promise<void> | undefined {
    return performance.now() - this.since < SLICE ? undefined : this.next();
  }

  private async next(): Promise<void> {
    await setImmediate();
    this.since = performance.now();
  }
}
