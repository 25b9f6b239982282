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
    const messageId = this.ledger.ids.find(family, event.messageId);
    if (!this.ledger.items[family].delete(messageId))
      return this.ledger.repair('not-open', `${family} message "${messageId}"`);
    this.continue(family, event);
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
    const reasoning = ids.find('reasoning', event.entityId);
    const family = ids.kindOf(reasoning) === 'reasoning' ? 'reasoning' : 'text';
    const entityId = ids.find(family, event.entityId);
    this.ledger.send({
      ...this.ledger.agreeing(family, entityId, event),
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
    const messageId = this.ledger.ids.find(family, event.messageId);
    if (this.ledger.items[family].has(messageId)) return true;
    this.ledger.repair('not-open', `${family} message "${messageId}"`);
    return false;
  }

  private continue(family: StreamedFamily, event: MessageEvent): void {
    const messageId = this.ledger.ids.find(family, event.messageId);
    this.ledger.sendAs(family, messageId, event);
  }

  /** The id under which this event's owner may open a message of this kind. */
  private idToOpen(
    family: StreamedFamily,
    kind: MessageKind,
    event: MessageEvent,
  ): string {
    const { ids, owners } = this.ledger;
    const asked = ids.find(family, event.messageId);
    const messageId = ids.claim(family, kind, event.messageId);
    if (messageId !== asked)
      this.ledger.repair('id-of-another-kind', `"${asked}"`);
    if (!owners.disagree(family, messageId, tagOf(event))) return messageId;
    this.ledger.repair('wrong-owner', `${family} message "${messageId}"`);
    return ids.rename(family, kind, event.messageId);
  }
}

function openerTag(event: AguiEvent): { subagentRunId?: string } {
  const subagentRunId = tagOf(event);
  return subagentRunId === undefined ? {} : { subagentRunId };
}
