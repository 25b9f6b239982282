/** Something that is done once, however often it is asked for. */
export class Once<T> {
  private outcome: { value: T } | { error: unknown } | undefined;
  private rejection: { error: unknown } | undefined;

  constructor(private readonly act: () => T) {}

  get isDone(): boolean {
    return this.outcome !== undefined;
  }

  /** @returns what the first call returned, or throws what it threw. */
  readonly do = (): T => {
    const outcome = (this.outcome ??= this.attempt());
    if ('error' in outcome) throw outcome.error;
    return outcome.value;
  };

  /** Whether an error is its own: it has thrown it, or its promise was rejected with it. */
  hasFailedWith(error: unknown): boolean {
    const { outcome, rejection } = this;
    return (
      (outcome !== undefined &&
        'error' in outcome &&
        outcome.error === error) ||
      (rejection !== undefined && rejection.error === error)
    );
  }

  private attempt(): { value: T } | { error: unknown } {
    try {
      const value = this.act();
      if (value instanceof Promise)
        value.catch((error: unknown) => (this.rejection = { error }));
      return { value };
    } catch (error) {
      return { error };
    }
  }
}
