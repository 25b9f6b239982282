import {
  EventType,
  type ToolCallArgsEvent,
  type ToolCallEndEvent,
  type ToolCallResultEvent,
  type ToolCallStartEvent,
} from '@ag-ui/core';
import { isEmptyPiece, type RunLedger } from './run-ledger.js';

type ToolCallEvent =
  | ToolCallStartEvent
  | ToolCallArgsEvent
  | ToolCallEndEvent
  | ToolCallResultEvent;

/** Tool calls: opened once, inside an assistant message, and answered once under an id of the answer's own. */
export class ToolCallRules {
  private readonly answered = new Set<string>();

  constructor(private readonly ledger: RunLedger) {}

  start(event: ToolCallStartEvent): void {
    const { toolCallId, toolCallName, subagentRunId } = event;
    const { items, owners } = this.ledger;
    const call = items.calls.get(toolCallId);
    if (call === undefined) {
      const parentMessageId = this.parentOf(event);
      items.openCall(toolCallId, { toolCallName, parentMessageId });
      return this.announce(event, toolCallName, parentMessageId);
    }
    if (owners.disagree('call', toolCallId, subagentRunId))
      call.rivals.add(subagentRunId!);
    if (this.isRivals(event)) return;
    if (call.open)
      return this.ledger.repair('already-open', `tool call "${toolCallId}"`);
    call.open = true;
    this.announce(event, call.toolCallName, call.parentMessageId);
  }

  args(event: ToolCallArgsEvent): void {
    if (isEmptyPiece(event) || this.isRivals(event)) return;
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
    if (this.isRivals(event)) return;
    const call = this.ledger.items.calls.get(event.toolCallId);
    if (!call?.open)
      return this.ledger.repair('not-open', `tool call "${event.toolCallId}"`);
    call.open = false;
    this.ledger.send(this.ledger.agreeing('call', event.toolCallId, event));
  }

  result(event: ToolCallResultEvent): void {
    if (this.isRivals(event)) return;
    const { toolCallId } = event;
    const { owners, items } = this.ledger;
    if (this.answered.has(toolCallId))
      return this.ledger.repair('second-result', `tool call "${toolCallId}"`);
    this.answered.add(toolCallId);
    const call = items.calls.get(toolCallId);
    if (call !== undefined) call.answered = true;
    const messageId = this.resultId(event);
    owners.take('text', messageId, event.subagentRunId);
    this.ledger.sendAs('text', messageId, event);
  }

  /** Sends a start, without the owner and parent if these contradict what the client knows. */
  private announce(
    event: ToolCallStartEvent,
    toolCallName: string,
    parentMessageId: string | undefined,
  ): void {
    const { owners } = this.ledger;
    const { toolCallId, subagentRunId } = event;
    const { parentMessageId: _, ...start } = { ...event, toolCallName };
    const told = [
      subagentRunId === undefined ? undefined : { subagentRunId },
      parentMessageId === undefined
        ? undefined
        : owners.ownerOf('text', parentMessageId),
      owners.ownerOf('call', toolCallId),
    ].filter((owner) => owner !== undefined);
    const owner = told[0]?.subagentRunId;
    if (told.every((one) => one.subagentRunId === owner)) {
      owners.open('call', toolCallId, owner);
      return this.ledger.send(
        parentMessageId === undefined ? start : { ...start, parentMessageId },
      );
    }
    this.ledger.repair('wrong-owner', `tool call "${toolCallId}"`);
    const { subagentRunId: __, ...bare } = start;
    this.ledger.send(bare);
  }

  /**
   * Whether an event is about another subagent's call under an id that is taken. Under this id it
   * would be mixed up with the first, and under a new one its answer would not find the agent.
   */
  private isRivals({ toolCallId, subagentRunId }: ToolCallEvent): boolean {
    const rivals = this.ledger.items.calls.get(toolCallId)?.rivals;
    if (subagentRunId === undefined || !rivals?.has(subagentRunId))
      return false;
    this.ledger.repair('wrong-owner', `tool call "${toolCallId}"`);
    return true;
  }

  private resultId({ toolCallId, messageId }: ToolCallResultEvent): string {
    const { ids, renamedResults } = this.ledger;
    if (ids.kindOf(messageId) === undefined) return ids.mint('tool', messageId);
    this.ledger.repair('id-of-another-kind', `"${messageId}"`);
    const fresh = ids.mint('tool', `${toolCallId}-result`);
    renamedResults.set(toolCallId, fresh);
    return fresh;
  }

  /** The assistant message that carries a call. Without one, clients make one of the call's id. */
  private parentOf(event: ToolCallStartEvent): string | undefined {
    const { ids, owners } = this.ledger;
    const wished = event.parentMessageId ?? event.toolCallId;
    const parent = ids.find('text', wished, event.subagentRunId);
    const kind = ids.kindOf(parent) ?? 'assistant';
    const stranger = owners.disagree('text', parent, event.subagentRunId);
    if (kind !== 'assistant' || stranger) {
      this.ledger.repair(
        stranger ? 'wrong-owner' : 'id-of-another-kind',
        `parent "${parent}" of tool call "${event.toolCallId}"`,
      );
      return ids.mint('assistant', `${event.toolCallId}-assistant`);
    }
    ids.claim('assistant', wished, event.subagentRunId);
    return event.parentMessageId === undefined ? undefined : parent;
  }
}
