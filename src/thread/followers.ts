import { AguiError, AguiErrorCode } from '../protocol/agui-error.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { EventBuffer } from './event-buffer.js';

/** What may wait for anybody, in characters: much at once is not yet more than he can take. */
const LEAST_LIMIT = 64 * 1024;

/** How much may wait for a follower of a run whose log has a limit. */
export function backlogOf(eventLogLimit: number): number {
  return Math.max(eventLogLimit, LEAST_LIMIT);
}

/** Those who follow one run in this process. */
export class Followers {
  private readonly all = new Set<Follower>();

  add(event: AguiEvent): void {
    for (const follower of this.all) follower.add(event);
  }

  /** The run is over. */
  end(): void {
    for (const follower of this.all) follower.end();
  }

  /**
   * What is past, then what comes.
   *
   * @param limit how many characters of events may wait for the follower while more come.
   */
  follow(
    past: readonly AguiEvent[],
    limit: number,
    signal: AbortSignal,
  ): AsyncIterable<readonly AguiEvent[]> {
    const follower = new Follower(backlogOf(limit));
    const leave = () => {
      this.all.delete(follower);
      follower.end();
    };
    this.all.add(follower);
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return follower.events(past);
  }
}

class Follower {
  private readonly waiting = new EventBuffer();
  private wake: (() => void) | undefined;
  private over = false;
  private tooSlow = false;

  constructor(private readonly limit: number) {}

  add(event: AguiEvent): void {
    // Of one event, however large, nobody can say that it was not taken in time.
    this.tooSlow ||= this.waiting.size > this.limit;
    if (!this.tooSlow) this.waiting.add(event);
    this.wake?.();
  }

  end(): void {
    this.over = true;
    this.wake?.();
  }

  async *events(
    past: readonly AguiEvent[],
  ): AsyncGenerator<readonly AguiEvent[]> {
    yield past;
    for (;;) {
      if (this.tooSlow) throw new FellBehindError();
      const events = this.waiting.take();
      if (events.length > 0) yield events;
      else if (this.over) return;
      else await new Promise<void>((resolve) => (this.wake = resolve));
    }
  }
}

/** Somebody who follows a run takes its events more slowly than they come. */
export class FellBehindError extends AguiError {
  constructor() {
    super(
      'The events came faster than they were taken; connect again.',
      AguiErrorCode.INTERRUPTED_ERROR,
    );
  }
}
