/**
 * What a promise brings, unless one of the signals fires before.
 *
 * @param tooLate is given what comes afterwards.
 * @throws whatever the promise rejects with; the reason of a signal.
 */
export function unlessAborted<T>(
  promise: Promise<T>,
  signals: readonly AbortSignal[],
  tooLate: (value: T) => void = () => undefined,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const forget = () => {
      for (const signal of signals) signal.removeEventListener('abort', abort);
    };
    const abort = () => {
      forget();
      reject(signals.find(({ aborted }) => aborted)!.reason as Error);
      // Nobody waits for it any more, nor for its failure.
      promise.then(tooLate, () => undefined);
    };
    for (const signal of signals)
      signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(forget);
    if (signals.some(({ aborted }) => aborted)) abort();
  });
}
