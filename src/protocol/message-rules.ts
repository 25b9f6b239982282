import {
  EventType,
  type ReasoningEncryptedValueEvent,
  type ReasoningMessageContentEvent,
  type ReasoningMessageStartEvent,
  type TextMessageContentEvent,
  type TextMessageStartEvent,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import type { MessageKind } from './message-ids.js';
import { isEmptyPiece, tagOf, type RunLedger } from './run-ledger.js';

type StreamedFamily = 'text' | 'reasoning';
type MessageEvent = AguiEvent & { messageId: string };

/** Text and reasoning messages: opened, continued while open, closed once, each under an id of its own. */
export class MessageRules {
  constructor(private readonly ledger: RunLedger) {}

  textStart(event: TextMessageStartEvent): void {
    this.start('text', event.role ?? 'assistant', event);
  }

  textContent(event: TextMessageContentEvent): void {
    if (isEmptyPiece(event)) return;
    if (!this.isOpen('text', event))
      this.textStart({
        type: EventType.TEXT_MESSAGE_START,
        messageId: event.messageId,
        role: 'assistant',
        ...openerTag(event),
      });
    this.continue('text', event);
  }

  reasoningStart(event: ReasoningMessageStartEvent): void {
    this.start('reasoning', 'reasoning', event);
  }

  reasoningContent(event: ReasoningMessageContentEvent): void {
    if (isEmptyPiece(event)) return;
    if (!this.isOpen('reasoning', event))
      this.reasoningStart({
        type: EventType.REASONING_MESSAGE_START,
        messageId: event.messageId,
        role: 'reasoning',
        ...openerTag(event),
      });
    this.continue('reasoning', event);
  }

  end(family: StreamedFamily, event: MessageEvent): void {
    const messageId = this.idOf(family, event);
    if (!this.ledger.items[family].delete(messageId))
      return this.ledger.repair('not-open', `${family} message "${messageId}"`);
    this.ledger.sendAs(family, messageId, event);
  }

  spanStart(event: MessageEvent): void {
    const { items, owners } = this.ledger;
    if (items.spans.has(event.messageId))
      return this.ledger.repair('already-open', `span "${event.messageId}"`);
    items.spans.add(event.messageId);
    owners.open('reasoning', event.messageId, tagOf(event));
    this.ledger.sendAs('reasoning', event.messageId, event);
  }

  spanEnd(event: MessageEvent): void {
    if (!this.ledger.items.spans.delete(event.messageId))
      return this.ledger.repair('not-open', `span "${event.messageId}"`);
    this.ledger.sendAs('reasoning', event.messageId, event);
  }

  encryptedValue(event: ReasoningEncryptedValueEvent): void {
    const { ids } = this.ledger;
    if (event.subtype === 'tool-call')
      return this.ledger.send(
        this.ledger.agreeing('call', event.entityId, event),
      );
    const tag = tagOf(event);
    const reasoning = ids.find('reasoning', event.entityId, tag);
    const entityId =
      ids.kindOf(reasoning) === 'reasoning'
        ? reasoning
        : ids.find('text', event.entityId, tag);
    // A span may share the id of a text message, so either of the two can be meant.
    const agreeing = this.ledger.agreeing('text', entityId, event);
    this.ledger.send({
      ...this.ledger.agreeing('reasoning', entityId, agreeing),
      entityId,
    });
  }

  private start(
    family: StreamedFamily,
    kind: MessageKind,
    event: MessageEvent,
  ): void {
    const messageId = this.idToOpen(family, kind, event);
    const open = this.ledger.items[family];
    if (open.has(messageId))
      return this.ledger.repair('already-open', `${family} "${messageId}"`);
    open.add(messageId);
    this.ledger.owners.open(family, messageId, tagOf(event));
    this.ledger.sendAs(family, messageId, event);
  }

  private isOpen(family: StreamedFamily, event: MessageEvent): boolean {
    const messageId = this.idOf(family, event);
    if (this.ledger.items[family].has(messageId)) return true;
    this.ledger.repair('not-open', `${family} message "${messageId}"`);
    return false;
  }

  private continue(family: StreamedFamily, event: MessageEvent): void {
    this.ledger.sendAs(family, this.idOf(family, event), event);
  }

  private idOf(family: StreamedFamily, event: MessageEvent): string {
    return this.ledger.ids.find(family, event.messageId, tagOf(event));
  }

  /** The id under which this event's owner may open a message of this kind. */
  private idToOpen(
    family: StreamedFamily,
    kind: MessageKind,
    event: MessageEvent,
  ): string {
    const { ids, owners } = this.ledger;
    const tag = tagOf(event);
    const messageId = this.ledger.claim(kind, event.messageId, tag);
    if (!owners.disagree(family, messageId, tag)) return messageId;
    this.ledger.repair('wrong-owner', `${family} message "${messageId}"`);
    const holder = owners.ownerOf(family, messageId)?.subagentRunId;
    ids.remember(family, event.messageId, holder, messageId);
    return ids.rename(kind, event.messageId, tag);
  }
}

function openerTag(event: AguiEvent): { subagentRunId?: string } {
  const subagentRunId = tagOf(event);
  return subagentRunId === undefined ? {} : { subagentRunId };
}
