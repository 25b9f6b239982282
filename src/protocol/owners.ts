/** The kinds of item that a subagent may own; an id is unique within its kind only. */
export type OwnedKind = 'text' | 'reasoning' | 'call' | 'activity';

/** Who opened which item: a subagent's id, or undefined for the agent itself (AG-UI: "Subagents", ownership). */
export class Owners {
  private readonly owners = new Map<string, string | undefined>();

  /** The first to open an item owns it. */
  open(kind: OwnedKind, id: string, owner: string | undefined): void {
    const key = keyOf(kind, id);
    if (!this.owners.has(key)) this.owners.set(key, owner);
  }

  /** A later owner takes the item over, as a replacing snapshot does. */
  take(kind: OwnedKind, id: string, owner: string | undefined): void {
    this.owners.set(keyOf(kind, id), owner);
  }

  ownerOf(kind: OwnedKind, id: string): string | undefined {
    return this.owners.get(keyOf(kind, id));
  }

  /** Whether a tag contradicts the item's owner. No tag contradicts nobody. */
  disagree(kind: OwnedKind, id: string, tag: string | undefined): boolean {
    if (tag === undefined) return false;
    const key = keyOf(kind, id);
    return this.owners.has(key) && this.owners.get(key) !== tag;
  }
}

function keyOf(kind: OwnedKind, id: string): string {
  return `${kind} ${id}`;
}
