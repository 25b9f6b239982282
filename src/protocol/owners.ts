import type { Message } from '@ag-ui/core';
import { familyOf } from './message-ids.js';

/** The kinds of item that a subagent may own; an id is unique within its kind only. */
export type OwnedKind = 'text' | 'reasoning' | 'call' | 'activity';

/** Who owns an item: a subagent, or nobody but the agent itself. */
export interface Owner {
  subagentRunId: string | undefined;
}

/** Who opened which item (AG-UI: "Subagents", ownership). */
export class Owners {
  private readonly owners = new Map<string, Owner>();

  /** The first to open an item owns it. */
  open(kind: OwnedKind, id: string, subagentRunId: string | undefined): void {
    const key = keyOf(kind, id);
    if (!this.owners.has(key)) this.owners.set(key, { subagentRunId });
  }

  /** A later owner takes the item over, as a replacing snapshot does. */
  take(kind: OwnedKind, id: string, subagentRunId: string | undefined): void {
    this.owners.set(keyOf(kind, id), { subagentRunId });
  }

  /** Takes note of messages, and of the calls inside, which are their message's owner's. */
  know(messages: readonly Message[], as: 'open' | 'take'): void {
    for (const message of messages) {
      const { id, role, subagentRunId } = message;
      this[as](familyOf(role), id, subagentRunId);
      if (role === 'assistant')
        for (const call of message.toolCalls ?? [])
          this[as]('call', call.id, subagentRunId);
    }
  }

  /** Undefined if nobody opened it. */
  ownerOf(kind: OwnedKind, id: string): Owner | undefined {
    return this.owners.get(keyOf(kind, id));
  }

  /** Whether a tag contradicts the item's owner. No tag contradicts nobody. */
  disagree(kind: OwnedKind, id: string, tag: string | undefined): boolean {
    if (tag === undefined) return false;
    const owner = this.ownerOf(kind, id);
    return owner !== undefined && owner.subagentRunId !== tag;
  }
}

function keyOf(kind: OwnedKind, id: string): string {
  return `${kind} ${id}`;
}
