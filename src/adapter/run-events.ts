import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiEventSink } from './agui-event-sink.js';

/** A run that hands its events to a sink. */
interface PipedRun {
  readonly ended: boolean;
  pipe(sink: AguiEventSink): Promise<void>;
  abandon(): void;
}

/** The events of a run, one by one; the agent waits until the last one was asked for. */
export async function* eventsOf(
  run: PipedRun,
): AsyncGenerator<AguiEvent, void> {
  const queue: AguiEvent[] = [];
  let done = false;
  let wake: (() => void) | undefined;
  let drained: (() => void) | undefined;
  const piped = run.pipe({
    write: (event) => {
      queue.push(event);
      wake?.();
    },
    ready: () =>
      queue.length === 0
        ? undefined
        : new Promise((resolve) => (drained = resolve)),
  });
  void piped.then(() => {
    done = true;
    wake?.();
  });
  try {
    while (true) {
      while (queue.length > 0) yield queue.shift()!;
      if (done || run.ended) return;
      drained?.();
      await new Promise<void>((resolve) => (wake = resolve));
    }
  } finally {
    drained?.();
    if (!run.ended) run.abandon();
  }
}
