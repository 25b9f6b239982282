import { EventType, type SubagentStartedEvent } from '@ag-ui/core';
import type { AgentEvent } from '../agent/agent-event.js';
import { ConversionLane } from './conversion-lane.js';
import type { MessageIdMint } from './message-id-mint.js';

/** The lane of a subagent's event, and the event that announces the invocation if it is new. */
export interface SubagentLane {
  lane: ConversionLane;
  announcement?: SubagentStartedEvent;
}

/** The invocations of a run's subagents. One invocation is told from the next by its task, else by its reply. */
export class SubagentLanes {
  private readonly lanes = new Map<string, ConversionLane>();
  private readonly latest = new Map<string, string>();
  private readonly active = new Set<string>();
  private count = 0;

  constructor(
    private readonly ids: MessageIdMint,
    /** Whether events say whose they are. */
    private readonly attributed: boolean,
  ) {}

  of(event: AgentEvent & { source: string }): SubagentLane {
    const key = JSON.stringify([event.source, invocationOf(event)]);
    const known = this.lanes.get(key);
    if (known !== undefined) return { lane: known };
    if (!this.attributed) {
      const lane = new ConversionLane(this.ids);
      this.lanes.set(key, lane);
      return { lane };
    }
    const subagentRunId = `${event.source}#${++this.count}`;
    const lane = new ConversionLane(this.ids, subagentRunId);
    this.lanes.set(key, lane);
    this.latest.set(event.source, subagentRunId);
    this.active.add(subagentRunId);
    return { lane, announcement: this.announce(event, subagentRunId) };
  }

  /** False if that invocation has ended. */
  end(lane: ConversionLane): boolean {
    return this.active.delete(lane.subagentRunId ?? '');
  }

  all(): ConversionLane[] {
    return [...this.lanes.values()];
  }

  private announce(
    event: AgentEvent & { source: string },
    subagentRunId: string,
  ): SubagentStartedEvent {
    const path = event.source.split('/');
    const parent = this.latest.get(path.slice(0, -1).join('/'));
    const name =
      event.type === 'AGENT_START' && event.name ? event.name : path.at(-1)!;
    const parentToolCallId = event.metadata?.['parentToolCallId'];
    return {
      type: EventType.SUBAGENT_STARTED,
      subagentRunId,
      name,
      ...(parent !== undefined && { parentSubagentRunId: parent }),
      ...(typeof parentToolCallId === 'string' && { parentToolCallId }),
    };
  }
}

function invocationOf(event: AgentEvent): unknown {
  return (
    event.metadata?.['taskId'] ??
    ('replyId' in event ? event.replyId : undefined)
  );
}
