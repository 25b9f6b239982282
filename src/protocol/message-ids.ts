import type { Message } from '@ag-ui/core';

/** What a message id stands for; clients keep all messages of a thread under one set of ids. */
export type MessageKind = Message['role'];

/** The event families that name messages; within one of them an old id finds its new one. */
export type MessageFamily = 'text' | 'reasoning' | 'activity';

/** A subagent's id, or undefined for the agent itself. */
type Owner = string | undefined;

/** The family whose events stream a kind of message. */
export function familyOf(kind: MessageKind): MessageFamily {
  return kind === 'reasoning' || kind === 'activity' ? kind : 'text';
}

/**
 * Sees to it that one message id never stands for two kinds of message, or for messages of two
 * owners: clients would append an answer to the reasoning, or to what the user wrote. The second
 * one gets a new id, everywhere.
 */
export class MessageIds {
  private readonly kinds = new Map<string, MessageKind>();
  /** By family and old id: the id that each owner's message has now. */
  private readonly renamed = new Map<string, Map<Owner, string>>();

  /** True while the conversation has no message. */
  get none(): boolean {
    return this.kinds.size === 0;
  }

  /** Takes note of messages that the client already holds. */
  know(messages: readonly Pick<Message, 'id' | 'role'>[]): void {
    for (const message of messages) this.kinds.set(message.id, message.role);
  }

  kindOf(id: string): MessageKind | undefined {
    return this.kinds.get(id);
  }

  /**
   * The id that a family's events now use for one they name. If several owners used that, it is the
   * owner's own; an owner who has none continues the latest.
   */
  find(family: MessageFamily, id: string, owner?: Owner): string {
    if (this.renamed.size === 0) return id;
    const ids = this.renamed.get(keyOf(family, id));
    return ids?.get(owner) ?? [...(ids?.values() ?? [])].at(-1) ?? id;
  }

  /** The id under which a message may stream: the one asked for, or a new one if another kind has it. */
  claim(kind: MessageKind, id: string, owner?: Owner): string {
    const known = this.find(familyOf(kind), id, owner);
    if (this.isOfAnotherKind(kind, known)) return this.rename(kind, id, owner);
    this.kinds.set(known, kind);
    return known;
  }

  /** The id of a message in a snapshot: the one under which it streamed, its own, or a new one. */
  settle(kind: MessageKind, id: string, owner?: Owner): string {
    const streamed = this.find(familyOf(kind), id, owner);
    if (!this.isOfAnotherKind(kind, streamed)) return streamed;
    return this.isOfAnotherKind(kind, id) ? this.rename(kind, id, owner) : id;
  }

  /** A new id, which the family's later events find by the old one. */
  rename(kind: MessageKind, id: string, owner?: Owner): string {
    const family = familyOf(kind);
    const fresh = this.mint(kind, `${id}-${family}`);
    this.remember(family, id, owner, fresh);
    return fresh;
  }

  /** Has an owner's later events find this message by the old id. */
  remember(
    family: MessageFamily,
    id: string,
    owner: Owner,
    current: string,
  ): void {
    const key = keyOf(family, id);
    const ids = this.renamed.get(key) ?? new Map<Owner, string>();
    this.renamed.set(key, ids.set(owner, current));
  }

  /** The wished id, or the wish with the first number that nobody has. */
  mint(kind: MessageKind, wish: string): string {
    let id = wish;
    for (let n = 2; this.kinds.has(id); n++) id = `${wish}-${n}`;
    this.kinds.set(id, kind);
    return id;
  }

  private isOfAnotherKind(kind: MessageKind, id: string): boolean {
    const holder = this.kinds.get(id) ?? kind;
    return holder !== kind && !(isInstruction(holder) && isInstruction(kind));
  }
}

/** Frameworks hand the one back as the other. */
function isInstruction(kind: MessageKind): boolean {
  return kind === 'system' || kind === 'developer';
}

function keyOf(family: MessageFamily, id: string): string {
  return `${family} ${id}`;
}
