/** Makes message ids that neither the thread's history nor this run has used. */
export class MessageIdMint {
  private readonly used: Set<string>;
  /** The last number that was tried after a wish; a reply of many turns wishes for one id again and again. */
  private readonly numbers = new Map<string, number>();

  constructor(history: Iterable<{ id: string }>) {
    this.used = new Set(Array.from(history, ({ id }) => id));
  }

  /** The wished id, or the wish with the first number that is free. */
  mint(wish: string): string {
    let id = wish;
    let number = this.numbers.get(wish) ?? 1;
    while (this.used.has(id)) id = `${wish}-${++number}`;
    if (number > 1) this.numbers.set(wish, number);
    this.used.add(id);
    return id;
  }
}
