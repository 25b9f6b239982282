import type { Message } from '@ag-ui/core';

/** What a message id stands for; clients keep all messages of a thread under one set of ids. */
export type MessageKind = Message['role'];

/** The event families that name messages; within one of them an old id finds its new one. */
export type MessageFamily = 'text' | 'reasoning' | 'activity';

/**
 * Sees to it that one message id never stands for two kinds of message: clients would append an
 * answer to the reasoning, or to what the user wrote. The second kind gets a new id, everywhere.
 */
export class MessageIds {
  private readonly kinds = new Map<string, MessageKind>();
  private readonly renamed = new Map<string, string>();

  /** Takes note of messages that the client already holds. */
  know(messages: readonly Message[]): void {
    for (const message of messages) this.kinds.set(message.id, message.role);
  }

  kindOf(id: string): MessageKind | undefined {
    return this.kinds.get(id);
  }

  /** The id that a family's events now use for one they name. */
  find(family: MessageFamily, id: string): string {
    if (this.renamed.size === 0) return id;
    return this.renamed.get(`${family} ${id}`) ?? id;
  }

  /** The id that a message may use: the one asked for, or a new one if another kind has it. */
  claim(family: MessageFamily, kind: MessageKind, id: string): string {
    const known = this.find(family, id);
    const holder = this.kinds.get(known) ?? kind;
    if (holder !== kind) return this.rename(family, kind, id);
    this.kinds.set(known, kind);
    return known;
  }

  /** A new id, which the family's later events find by the old one. */
  rename(family: MessageFamily, kind: MessageKind, id: string): string {
    const fresh = this.mint(kind, `${id}-${family}`);
    this.renamed.set(`${family} ${id}`, fresh);
    return fresh;
  }

  /** The wished id, or the wish with the first number that nobody has. */
  mint(kind: MessageKind, wish: string): string {
    let id = wish;
    for (let n = 2; this.kinds.has(id); n++) id = `${wish}-${n}`;
    this.kinds.set(id, kind);
    return id;
  }
}
