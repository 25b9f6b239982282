import {
  EventType,
  type ActivitySnapshotEvent,
  type MessagesSnapshotEvent,
  type StepFinishedEvent,
  type StepStartedEvent,
  type SubagentErrorEvent,
  type SubagentFinishedEvent,
  type SubagentStartedEvent,
} from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import { MessageRules } from './message-rules.js';
import type { RunLedger } from './run-ledger.js';
import { ToolCallRules } from './tool-call-rules.js';

/**
 * AG-UI's rules for what happens between the start and the end of a run. Each event is sent,
 * changed, or dropped.
 */
export class StreamRules {
  private readonly messages: MessageRules;
  private readonly calls: ToolCallRules;

  constructor(private readonly ledger: RunLedger) {
    this.messages = new MessageRules(ledger);
    this.calls = new ToolCallRules(ledger);
  }

  apply(event: AguiEvent): void {
    switch (event.type) {
      case EventType.TEXT_MESSAGE_CONTENT:
        return this.messages.textContent(event);
      case EventType.TEXT_MESSAGE_START:
        return this.messages.textStart(event);
      case EventType.TEXT_MESSAGE_END:
        return this.messages.end('text', event);
      case EventType.TOOL_CALL_START:
        return this.calls.start(event);
      case EventType.TOOL_CALL_ARGS:
        return this.calls.args(event);
      case EventType.TOOL_CALL_END:
        return this.calls.end(event);
      case EventType.TOOL_CALL_RESULT:
        return this.calls.result(event);
      case EventType.REASONING_START:
        return this.messages.spanStart(event);
      case EventType.REASONING_END:
        return this.messages.spanEnd(event);
      case EventType.REASONING_MESSAGE_START:
        return this.messages.reasoningStart(event);
      case EventType.REASONING_MESSAGE_CONTENT:
        return this.messages.reasoningContent(event);
      case EventType.REASONING_MESSAGE_END:
        return this.messages.end('reasoning', event);
      case EventType.REASONING_ENCRYPTED_VALUE:
        return this.messages.encryptedValue(event);
      case EventType.STEP_STARTED:
        return this.stepStarted(event);
      case EventType.STEP_FINISHED:
        return this.stepFinished(event);
      case EventType.SUBAGENT_STARTED:
        return this.subagentStarted(event);
      case EventType.SUBAGENT_FINISHED:
      case EventType.SUBAGENT_ERROR:
        return this.subagentEnded(event);
      case EventType.ACTIVITY_SNAPSHOT:
        return this.activitySnapshot(event);
      case EventType.ACTIVITY_DELTA:
        return this.ledger.sendAs(
          'activity',
          this.ledger.ids.find('activity', event.messageId),
          event,
        );
      case EventType.MESSAGES_SNAPSHOT:
        return this.messagesSnapshot(event);
      default:
        return this.ledger.send(event);
    }
  }

  private stepStarted(event: StepStartedEvent): void {
    const { stepName, subagentRunId } = event;
    if (this.ledger.items.openStep(subagentRunId, stepName))
      return this.ledger.send(event);
    this.ledger.repair('already-open', `step "${stepName}"`);
  }

  private stepFinished(event: StepFinishedEvent): void {
    const { stepName, subagentRunId } = event;
    if (this.ledger.items.closeStep(subagentRunId, stepName))
      return this.ledger.send(event);
    this.ledger.repair('not-open', `step "${stepName}"`);
  }

  private subagentStarted(event: SubagentStartedEvent): void {
    const { subagents, endedSubagents } = this.ledger.items;
    const { parentSubagentRunId: parent, ...rest } = event;
    const { subagentRunId: id } = event;
    const seen = (one: string) => subagents.has(one) || endedSubagents.has(one);
    if (seen(id)) return this.ledger.repair('already-open', `subagent "${id}"`);
    const isOrphan = parent !== undefined && !seen(parent);
    subagents.add(id);
    if (!isOrphan) return this.ledger.send(event);
    this.ledger.repair('not-open', `parent subagent "${parent}"`);
    this.ledger.send(rest);
  }

  private subagentEnded(
    event: SubagentFinishedEvent | SubagentErrorEvent,
  ): void {
    const { subagents, endedSubagents } = this.ledger.items;
    if (!subagents.delete(event.subagentRunId))
      return this.ledger.repair(
        'not-open',
        `subagent "${event.subagentRunId}"`,
      );
    endedSubagents.add(event.subagentRunId);
    this.ledger.send(event);
  }

  private activitySnapshot(event: ActivitySnapshotEvent): void {
    const { owners } = this.ledger;
    const messageId = this.ledger.claim('activity', event.messageId);
    // Only a replacing snapshot changes whose activity it is.
    if (event.replace === false)
      owners.open('activity', messageId, event.subagentRunId);
    else owners.take('activity', messageId, event.subagentRunId);
    this.ledger.sendAs('activity', messageId, event);
  }

  /** The messages under the ids that they have in this run's stream. */
  private messagesSnapshot(event: MessagesSnapshotEvent): void {
    const messages = event.messages.map((message) => {
      const id = this.ledger.settle(message);
      return id === message.id ? message : { ...message, id };
    });
    this.ledger.owners.know(messages, 'take');
    this.ledger.send({ ...event, messages });
  }
}
