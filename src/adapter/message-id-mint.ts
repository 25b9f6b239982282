/** Makes message ids that neither the thread's history nor this run has used. */
export class MessageIdMint {
  private readonly used: Set<string>;

  constructor(history: Iterable<{ id: string }>) {
    this.used = new Set(Array.from(history, ({ id }) => id));
  }

  /** The wished id, or the wish with the first number that is free. */
  mint(wish: string): string {
    let id = wish;
    for (let n = 2; this.used.has(id); n++) id = `${wish}-${n}`;
    this.used.add(id);
    return id;
  }
}
