import { isObservable, type Observable } from 'rxjs';

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

function observableIterator<T>(source: Observable<T>): AsyncIterator<T> {
  const queue: T[] = [];
  let ended: { failure?: { error: unknown } } | undefined;
  let waiting: (() => void) | undefined;
  const wake = () => {
    waiting?.();
    waiting = undefined;
  };
  const subscription = source.subscribe({
    next: (value) => {
      queue.push(value);
      wake();
    },
    error: (error: unknown) => {
      ended = { failure: { error } };
      wake();
    },
    complete: () => {
      ended = {};
      wake();
    },
  });
  return {
    async next() {
      while (queue.length === 0 && ended === undefined)
        await new Promise<void>((resolve) => (waiting = resolve));
      if (queue.length > 0) return { done: false, value: queue.shift()! };
      const { failure } = ended!;
      ended = {};
      if (failure !== undefined) throw failure.error;
      return { done: true, value: undefined };
    },
    async return() {
      subscription.unsubscribe();
      queue.length = 0;
      ended ??= {};
      wake();
      return { done: true, value: undefined };
    },
  };
}
