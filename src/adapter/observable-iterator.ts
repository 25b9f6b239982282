import {
  isObservable,
  Observable,
  Subscriber,
  type Observer,
  type Unsubscribable,
} from 'rxjs';

/** How many events an Observable may be ahead of its client. */
const MAX_AHEAD = 2 ** 20;

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
    () => {
      if (queue.length - taken < MAX_AHEAD) return false;
      queue = [];
      taken = 0;
      return true;
    },
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

/**
 * The subscription; undefined if the source, all said, fails to clean up, which must not lose what it said.
 *
 * @param isFull whether no more may come; then the source has failed.
 */
function subscribed<T>(
  source: Observable<T>,
  { next, error: fail, complete }: Observer<T>,
  isFull: () => boolean,
): Unsubscribable | undefined {
  let subscribing = true;
  const subscriber = new Subscriber<T>({
    next(value) {
      if (!isFull()) return next(value);
      const overflow = new Error(
        `The agent's Observable was ${MAX_AHEAD} events ahead of the client and was stopped.`,
      );
      fail(overflow);
      subscriber.unsubscribe();
      // Nothing else ends a loop that does not look whether anybody listens.
      if (subscribing && source instanceof Observable) throw overflow;
    },
    error: fail,
    complete,
  });
  try {
    return source.subscribe(subscriber);
  } catch (error) {
    fail(error);
    return undefined;
  } finally {
    subscribing = false;
  }
}
