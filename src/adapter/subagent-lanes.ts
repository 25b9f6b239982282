import { EventType, type SubagentStartedEvent } from '@ag-ui/core';
import type { AgentEvent } from '../agent/agent-event.js';
import { ConversionLane } from './conversion-lane.js';
import type { MessageIdMint } from './message-id-mint.js';

/** An agent event of a subagent. */
export type SubagentEvent = AgentEvent & { source: string };

/** The lane of a subagent's event, and the event that announces the invocation if it is new. */
export interface SubagentLane {
  lane: ConversionLane;
  announcement?: SubagentStartedEvent;
}

/** The invocations of a run's subagents. One is told from the next by its task, else by its reply. */
export class SubagentLanes {
  private readonly lanes = new Map<string, ConversionLane>();
  private readonly latest = new Map<string, ConversionLane>();
  private readonly begun: ConversionLane[] = [];

  constructor(
    private readonly ids: MessageIdMint,
    /** Whether events say whose they are. */
    private readonly attributed: boolean,
  ) {}

  /**
   * The lane of an event. One that names no invocation belongs to the latest of its source;
   * undefined if there has been none.
   */
  of(event: SubagentEvent): SubagentLane | undefined {
    const [key] = keysOf(event);
    const known =
      key === undefined ? this.latest.get(event.source) : this.lanes.get(key);
    const begins = event.type === 'AGENT_START';
    if (known !== undefined && !(begins && known.ended)) return { lane: known };
    return key !== undefined || begins ? this.begin(event) : undefined;
  }

  all(): readonly ConversionLane[] {
    return this.begun;
  }

  /** Those that have not ended, the latest first, so that a subagent comes before the one that made it. */
  active(): ConversionLane[] {
    return this.begun.filter(({ ended }) => !ended).reverse();
  }

  private begin(event: SubagentEvent): SubagentLane {
    const { source } = event;
    const path = source.split('/');
    const parent = this.latest.get(path.slice(0, -1).join('/'));
    const subagentRunId = this.attributed
      ? `${source}#${this.begun.length + 1}`
      : undefined;
    const lane = new ConversionLane(this.ids, subagentRunId, parent);
    this.begun.push(lane);
    this.latest.set(source, lane);
    for (const key of keysOf(event)) this.lanes.set(key, lane);
    if (subagentRunId === undefined) return { lane };
    const announcement: SubagentStartedEvent = {
      type: EventType.SUBAGENT_STARTED,
      subagentRunId,
      name:
        event.type === 'AGENT_START' && event.name ? event.name : path.at(-1)!,
      ...(parent && { parentSubagentRunId: parent.subagentRunId }),
      ...parentCallOf(event),
    };
    return { lane, announcement };
  }
}

/** What an invocation may be known by, the surer first. */
function keysOf(event: SubagentEvent): string[] {
  const task = event.metadata?.['taskId'];
  const reply = 'replyId' in event ? event.replyId : undefined;
  return Object.entries({ task, reply })
    .filter(([, id]) => typeof id === 'string' && id !== '')
    .map((key) => JSON.stringify([event.source, ...key]));
}

function parentCallOf(event: SubagentEvent): { parentToolCallId?: string } {
  const parentToolCallId = event.metadata?.['parentToolCallId'];
  return typeof parentToolCallId === 'string' ? { parentToolCallId } : {};
}
