import { AguiError, AguiErrorCode } from '../../protocol/agui-error.js';
import type { AguiEvent } from '../../protocol/agui-event.js';
import { FellBehindError } from '../followers.js';
import { objectOf, type Fields } from './record-codec.js';
import type { ThreadPlace } from './thread-place.js';
import type { Alarm } from './redis-signals.js';
import { FOLLOW } from './thread-scripts.js';

/** An entry of a run's log as Redis gives it. */
export type Entry = readonly [id: string, fields: Fields];

/** How often to look whether a signal was missed. */
const LOOK_AGAIN = 1_000;

/** A run that is followed, from what was read of it on. */
interface Following {
  place: ThreadPlace;
  runId: string;
  log: readonly Entry[];
  /** Rings when there is something new, and when nobody follows any more. */
  alarm: Alarm;
  signal: AbortSignal;
}

/**
 * The events of a run on any server, until it ends.
 *
 * @throws Error if the run has lost its thread without an end, or its log does not go back to what was read.
 */
export async function* followed(
  { place, runId, log, alarm, signal }: Following,
  done: () => void,
): AsyncGenerator<readonly AguiEvent[]> {
  const reader = new LogReader();
  try {
    let { events, ended } = reader.read(log);
    yield events;
    while (!ended && !signal.aborted) {
      const [isAlive, entries] = await place
        .run<[number, Entry[]]>(FOLLOW, [runId, reader.lastId])
        .catch(unreachable);
      ({ events, ended } = reader.read(entries));
      if (events.length > 0) yield events;
      else if (!ended && isAlive === 0)
        throw new AguiError(
          'The run has stopped without an end; its server may have failed.',
          AguiErrorCode.INTERRUPTED_ERROR,
        );
      else if (!ended) await alarm.wait(LOOK_AGAIN);
    }
  } finally {
    done();
  }
}

/** Reads a log, entry by entry; it has to be without gaps. */
class LogReader {
  lastId = '0-0';
  private next: number | undefined;

  read(entries: readonly Entry[]): { events: AguiEvent[]; ended: boolean } {
    const all: AguiEvent[] = [];
    for (const [id, fields] of this.fromFirst(entries)) {
      const { n, events, first, end } = objectOf(fields);
      const number = Number(n);
      const isNew = this.next === undefined;
      if (!isNew && number !== this.next) throw new FellBehindError();
      // Whoever has heard what opened does not need to hear it again.
      if (isNew || first === undefined)
        all.push(...(JSON.parse(events!) as AguiEvent[]));
      this.next = number + 1;
      this.lastId = id;
      // What comes behind is another run's.
      if (end !== undefined) return { events: all, ended: true };
    }
    return { events: all, ended: false };
  }

  /** Whoever comes begins where the run's conversation has been kept last. */
  private fromFirst(entries: readonly Entry[]): readonly Entry[] {
    if (this.next !== undefined) return entries;
    const isFirst = ([, fields]: Entry) => 'first' in objectOf(fields);
    return entries.slice(Math.max(entries.findLastIndex(isFirst), 0));
  }
}

function unreachable(cause: unknown): never {
  throw new AguiError(
    'The run cannot be followed any more, because Redis cannot be reached; connect again.',
    AguiErrorCode.INTERRUPTED_ERROR,
    { cause },
  );
}
