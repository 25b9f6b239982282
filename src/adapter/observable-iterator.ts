import {
  isObservable,
  type Observable,
  type Observer,
  type Unsubscribable,
} from 'rxjs';

/**
 * What an agent returned, as an async iterator. An Observable cannot wait, so what it emits while
 * nobody asks is queued; returning the iterator unsubscribes.
 */
export function iteratorOf<T>(
  stream: AsyncIterable<T> | Observable<T>,
): AsyncIterator<T> {
  // By its method too: the application may have another copy of rxjs.
  if (isObservable(stream)) return observableIterator(stream);
  if (typeof stream?.[Symbol.asyncIterator] === 'function')
    return stream[Symbol.asyncIterator]();
  const subscribable = stream as unknown as Observable<T> | undefined;
  if (typeof subscribable?.subscribe === 'function')
    return observableIterator(subscribable);
  throw new TypeError(
    'The agent returned neither an async iterable nor an Observable of events.',
  );
}

/** What an iterator gave, as `for await` takes it. */
export function resultOf<T>(given: IteratorResult<T>): IteratorResult<T> {
  if (typeof given === 'object' && given !== null) return given;
  throw new TypeError(
    `The agent's iterator gave ${String(given)} instead of a result.`,
  );
}

function observableIterator<T>(source: Observable<T>): AsyncIterator<T> {
  // Taken from the front by an index: shifting is slow when an Observable says much at once.
  let queue: T[] = [];
  let taken = 0;
  let ended: { failure?: { error: unknown } } | undefined;
  let waiting: (() => void) | undefined;
  const wake = () => {
    waiting?.();
    waiting = undefined;
  };
  const fail = (error: unknown) => {
    ended = { failure: { error } };
    wake();
  };
  const subscription = subscribed(
    source,
    {
      next: (value) => {
        queue.push(value);
        wake();
      },
      error: fail,
      complete: () => {
        ended = {};
        wake();
      },
    },
    fail,
  );
  return {
    async next() {
      while (taken === queue.length && ended === undefined) {
        queue = [];
        taken = 0;
        await new Promise<void>((resolve) => (waiting = resolve));
      }
      if (taken < queue.length) return { done: false, value: queue[taken++]! };
      const { failure } = ended!;
      ended = {};
      if (failure !== undefined) throw failure.error;
      return { done: true, value: undefined };
    },
    async return() {
      queue = [];
      taken = 0;
      ended ??= {};
      wake();
      subscription?.unsubscribe();
      return { done: true, value: undefined };
    },
  };
}

/** The subscription; undefined if the source, all said, fails to clean up, which must not lose what it said. */
function subscribed<T>(
  source: Observable<T>,
  observer: Observer<T>,
  fail: (error: unknown) => void,
): Unsubscribable | undefined {
  try {
    return source.subscribe(observer);
  } catch (error) {
    fail(error);
    return undefined;
  }
}
