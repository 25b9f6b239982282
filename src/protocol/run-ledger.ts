import type { Message } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import type { GuardRule } from './guard-rule.js';
import { familyOf, MessageIds, type MessageKind } from './message-ids.js';
import { OpenItems } from './open-items.js';
import { Owners, type OwnedKind } from './owners.js';

/** Where the rules send what may leave, and whom they tell about what may not. */
export interface RuleSink {
  send(event: AguiEvent): void;
  repair(rule: GuardRule, detail: string): void;
}

/** What the rules know of one run: its open items, its message ids, and who owns what. */
export class RunLedger {
  readonly items = new OpenItems();
  readonly ids = new MessageIds();
  readonly owners = new Owners();

  /** The ids of results that could not have their own, by call. */
  readonly renamedResults = new Map<string, string>();

  constructor(private readonly sink: RuleSink) {}

  send(event: AguiEvent): void {
    this.sink.send(event);
  }

  repair(rule: GuardRule, detail: string): void {
    this.sink.repair(rule, detail);
  }

  /** Sends an event under the id that its message has now, if its owner agrees. */
  sendAs(
    kind: OwnedKind,
    messageId: string,
    event: AguiEvent & { messageId: string },
  ): void {
    const agreeing = this.agreeing(kind, messageId, event);
    this.sink.send(
      agreeing.messageId === messageId ? agreeing : { ...agreeing, messageId },
    );
  }

  /** The id under which a message may stream. */
  claim(kind: MessageKind, id: string, owner?: string): string {
    const asked = this.ids.find(familyOf(kind), id, owner);
    const messageId = this.ids.claim(kind, id, owner);
    if (messageId !== asked) this.repair('id-of-another-kind', `"${asked}"`);
    return messageId;
  }

  /** The id that a message of a snapshot has in this run. */
  settle(message: Message): string {
    const { id, role, subagentRunId } = message;
    const settled =
      (role === 'tool' && this.renamedResults.get(message.toolCallId)) ||
      this.ids.settle(role, id, subagentRunId);
    if (settled !== id) this.repair('id-of-another-kind', `"${id}"`);
    this.ids.know([{ id: settled, role }]);
    return settled;
  }

  /** The event without its owner's tag, if that contradicts the item's owner. */
  agreeing<E extends AguiEvent>(kind: OwnedKind, id: string, event: E): E {
    const tag = tagOf(event);
    if (!this.owners.disagree(kind, id, tag)) return event;
    this.repair('wrong-owner', `${kind} "${id}"`);
    const { subagentRunId: _, ...rest } = event as E & {
      subagentRunId: string;
    };
    return rest as unknown as E;
  }
}

/** The subagent that an event is attributed to. */
export function tagOf(event: AguiEvent): string | undefined {
  return (event as { subagentRunId?: string }).subagentRunId;
}

/** Whether a piece of a stream says nothing; clients from before AG-UI 1.0 refuse those. */
export function isEmptyPiece({
  delta,
  metadata,
  rawEvent,
}: {
  delta: string;
  metadata?: unknown;
  rawEvent?: unknown;
}): boolean {
  return delta === '' && metadata === undefined && rawEvent === undefined;
}
