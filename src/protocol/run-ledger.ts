import type { AguiEvent } from './agui-event.js';
import type { GuardRule } from './guard-rule.js';
import { MessageIds } from './message-ids.js';
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
export function isEmptyPiece(event: {
  delta: string;
  metadata?: unknown;
}): boolean {
  return event.delta === '' && event.metadata === undefined;
}
