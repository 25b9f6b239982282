import {
  EventType,
  type ToolCallArgsEvent,
  type ToolCallEndEvent,
  type ToolCallResultEvent,
  type ToolCallStartEvent,
} from '@ag-ui/core';
import { isEmptyPiece, type RunLedger } from './run-ledger.js';

/** Tool calls: opened once, inside an assistant message, and answered once under an id of the answer's own. */
export class ToolCallRules {
  private readonly answered = new Set<string>();

  constructor(private readonly ledger: RunLedger) {}

  start(event: ToolCallStartEvent): void {
    const { toolCallId } = event;
    const known = this.ledger.items.calls.get(toolCallId);
    if (known?.open)
      return this.ledger.repair('already-open', `tool call "${toolCallId}"`);
    if (known !== undefined) return this.reopen(event, known);
    const parentMessageId = this.parentOf(event);
    this.ledger.items.calls.set(toolCallId, {
      toolCallName: event.toolCallName,
      parentMessageId,
      open: true,
      answered: false,
    });
    const { owners } = this.ledger;
    owners.open(
      'call',
      toolCallId,
      event.subagentRunId ??
        owners.ownerOf('text', parentMessageId ?? toolCallId),
    );
    this.ledger.send(
      parentMessageId === event.parentMessageId
        ? event
        : { ...event, parentMessageId },
    );
  }

  args(event: ToolCallArgsEvent): void {
    if (isEmptyPiece(event)) return;
    const { toolCallId } = event;
    const call = this.ledger.items.calls.get(toolCallId);
    if (!call?.open) {
      this.ledger.repair('not-open', `tool call "${toolCallId}"`);
      if (call === undefined) return;
      const { toolCallName } = call;
      this.start({ type: EventType.TOOL_CALL_START, toolCallId, toolCallName });
    }
    this.ledger.send(this.ledger.agreeing('call', toolCallId, event));
  }

  end(event: ToolCallEndEvent): void {
    const call = this.ledger.items.calls.get(event.toolCallId);
    if (!call?.open)
      return this.ledger.repair('not-open', `tool call "${event.toolCallId}"`);
    call.open = false;
    this.ledger.send(this.ledger.agreeing('call', event.toolCallId, event));
  }

  result(event: ToolCallResultEvent): void {
    const { toolCallId } = event;
    const { ids, owners, items } = this.ledger;
    if (this.answered.has(toolCallId))
      return this.ledger.repair('second-result', `tool call "${toolCallId}"`);
    this.answered.add(toolCallId);
    const call = items.calls.get(toolCallId);
    if (call !== undefined) call.answered = true;
    const taken = ids.kindOf(event.messageId) !== undefined;
    if (taken) this.ledger.repair('id-of-another-kind', `"${event.messageId}"`);
    const messageId = ids.mint(
      'tool',
      taken ? `${toolCallId}-result` : event.messageId,
    );
    owners.take('text', messageId, event.subagentRunId);
    this.ledger.sendAs('text', messageId, event);
  }

  private reopen(
    event: ToolCallStartEvent,
    known: {
      toolCallName: string;
      parentMessageId: string | undefined;
      open: boolean;
    },
  ): void {
    known.open = true;
    const { toolCallName, parentMessageId } = known;
    this.ledger.send(
      this.ledger.agreeing('call', event.toolCallId, {
        ...event,
        toolCallName,
        parentMessageId,
      }),
    );
  }

  /** The assistant message that carries a call. Without one, clients make one of the call's id. */
  private parentOf(event: ToolCallStartEvent): string | undefined {
    const { ids, owners } = this.ledger;
    const wished = event.parentMessageId ?? event.toolCallId;
    const parent = ids.find('text', wished);
    const kind = ids.kindOf(parent) ?? 'assistant';
    const stranger = owners.disagree('text', parent, event.subagentRunId);
    if (kind !== 'assistant' || stranger) {
      this.ledger.repair(
        stranger ? 'wrong-owner' : 'id-of-another-kind',
        `parent "${parent}" of tool call "${event.toolCallId}"`,
      );
      return ids.mint('assistant', `${event.toolCallId}-assistant`);
    }
    ids.claim('text', 'assistant', wished);
    return event.parentMessageId === undefined ? undefined : parent;
  }
}
