/**
 * Brings together what a stream yields and what is pushed meanwhile; the stream is asked only when
 * somebody asks here.
 */
export class EventChannel<E> {
  private readonly pushed: E[] = [];
  private wake: (() => void) | undefined;

  push(event: E): void {
    this.pushed.push(event);
    this.wake?.();
  }

  /** The pushed events, and those that each item of the stream becomes, in the order of their coming. */
  async *merge<T>(
    stream: AsyncIterable<T>,
    convert: (item: T) => Iterable<E>,
  ): AsyncGenerator<E> {
    const iterator = stream[Symbol.asyncIterator]();
    try {
      let next = asked(iterator);
      for (;;) {
        yield* this.take();
        const result = await Promise.race([next, this.pushing()]);
        yield* this.take();
        if (result === undefined) continue;
        if (result.done) return;
        yield* convert(result.value);
        next = asked(iterator);
      }
    } finally {
      leave(iterator);
    }
  }

  /** What was pushed and not yet taken. */
  *take(): Generator<E> {
    while (this.pushed.length > 0) yield this.pushed.shift()!;
  }

  private pushing(): Promise<undefined> {
    if (this.pushed.length > 0) return Promise.resolve(undefined);
    return new Promise((resolve) => {
      this.wake = () => resolve(undefined);
    });
  }
}

function asked<T>(iterator: AsyncIterator<T>): Promise<IteratorResult<T>> {
  const next = iterator.next();
  // Whoever races for it later gets the error; until then it is nobody's.
  next.catch(() => undefined);
  return next;
}

/** Without waiting: a stream that is busy may take its time, or for ever. */
function leave(iterator: AsyncIterator<unknown>): void {
  void iterator.return?.().catch(() => undefined);
}
