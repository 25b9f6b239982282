import { EventType } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';

interface Call {
  toolCallName: string;
  parentMessageId: string | undefined;
  open: boolean;
  answered: boolean;
  /** Subagents that wanted the id for a call of their own. */
  rivals: Set<string>;
}

/** What a run has opened and not closed, and which calls it left unanswered. */
export class OpenItems {
  readonly text = new Set<string>();
  readonly reasoning = new Set<string>();
  readonly spans = new Set<string>();
  readonly calls = new Map<string, Call>();
  readonly subagents = new Set<string>();
  readonly endedSubagents = new Set<string>();
  private readonly steps = new Map<string | undefined, Set<string>>();

  openCall(
    id: string,
    call: Pick<Call, 'toolCallName' | 'parentMessageId'>,
  ): void {
    const rivals = new Set<string>();
    this.calls.set(id, { ...call, open: true, answered: false, rivals });
  }

  /** False if that step is open already. */
  openStep(owner: string | undefined, name: string): boolean {
    let names = this.steps.get(owner);
    if (names === undefined) this.steps.set(owner, (names = new Set()));
    if (names.has(name)) return false;
    names.add(name);
    return true;
  }

  /** False if there is no such step. */
  closeStep(owner: string | undefined, name: string): boolean {
    return this.steps.get(owner)?.delete(name) ?? false;
  }

  /** The calls that this run made and did not answer, in their order. */
  pendingCalls(): string[] {
    return [...this.calls]
      .filter(([, call]) => !call.answered)
      .map(([id]) => id);
  }

  /** The events that close everything that is open. */
  closing(subagentEnd: (subagentRunId: string) => AguiEvent): AguiEvent[] {
    const events: AguiEvent[] = [];
    for (const messageId of this.text)
      events.push({ type: EventType.TEXT_MESSAGE_END, messageId });
    for (const messageId of this.reasoning)
      events.push({ type: EventType.REASONING_MESSAGE_END, messageId });
    for (const messageId of this.spans)
      events.push({ type: EventType.REASONING_END, messageId });
    for (const [toolCallId, { open }] of this.calls)
      if (open) events.push({ type: EventType.TOOL_CALL_END, toolCallId });
    for (const [owner, names] of this.steps)
      for (const stepName of names)
        events.push({
          type: EventType.STEP_FINISHED,
          stepName,
          ...(owner !== undefined && { subagentRunId: owner }),
        });
    // A subagent's own subagents were started after it, so they end before it.
    for (const id of [...this.subagents].reverse())
      events.push(subagentEnd(id));
    return events;
  }
}
