import { EventType, type Interrupt, type RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import {
  SubagentEvents,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { ConversionLane } from './conversion-lane.js';
import { MessageIdMint } from './message-id-mint.js';
import { SharedState } from './shared-state.js';
import { SubagentLanes } from './subagent-lanes.js';
import { ToolCalls } from './tool-calls.js';
import { UsageMeter } from './usage-meter.js';

/** What the converters of one run share: the run, and what they have to remember between events. */
export class AguiStreamContext {
  /** Values that an application's own converters and enrichers keep during the run. */
  readonly attributes = new Map<string, unknown>();
  /** What the run stops for; `RUN_FINISHED` carries them. */
  readonly interrupts: Interrupt[] = [];
  /** @internal */
  readonly ids: MessageIdMint;
  /** @internal */
  readonly toolCalls = new ToolCalls();
  /** @internal */
  readonly usage = new UsageMeter();
  /** @internal */
  readonly state: SharedState;
  /** @internal */
  readonly subagents: SubagentLanes;
  /** @internal The lane of the event that is being converted. */
  lane: ConversionLane;
  private readonly mainLane: ConversionLane;
  private emitted: AguiEvent[] = [];
  private readonly warned = new Set<string>();

  constructor(
    /** The input of the run. */
    readonly input: RunAgentInput,
    /** The context that the agent has. */
    readonly runtimeContext: RuntimeContext,
    /** How the run is converted. */
    readonly config: FullAdapterConfig,
    private readonly logger = new Logger('AguiAgentAdapter'),
  ) {
    this.ids = new MessageIdMint(input.messages);
    this.state = new SharedState(input.state);
    this.subagents = new SubagentLanes(
      this.ids,
      config.subagentEvents === SubagentEvents.ATTRIBUTED,
    );
    this.lane = this.mainLane = new ConversionLane(this.ids);
  }

  get threadId(): string {
    return this.input.threadId;
  }

  get runId(): string {
    return this.input.runId;
  }

  /** Sends an event, after the enrichers and the protocol guard have seen it. */
  emit(event: AguiEvent): void {
    const { subagentRunId } = this.lane;
    this.emitted.push(
      subagentRunId === undefined || isRunWide(event)
        ? event
        : ({ ...event, subagentRunId } as AguiEvent),
    );
  }

  /** @internal */
  emitAll(events: readonly AguiEvent[]): void {
    for (const event of events) this.emit(event);
  }

  /** @internal What was emitted since the last time. */
  takeEmitted(): AguiEvent[] {
    const events = this.emitted;
    this.emitted = [];
    return events;
  }

  /** @internal Ends every message and call that the run has open. */
  closeAll(): void {
    for (const lane of [...this.subagents.all(), this.mainLane])
      this.within(lane, () => this.emitAll(lane.endMessages()));
    for (const toolCallId of this.toolCalls.openIds()) this.endCall(toolCallId);
  }

  /** @internal */
  endCall(toolCallId: string): void {
    if (this.toolCalls.end(toolCallId))
      this.emit({ type: EventType.TOOL_CALL_END, toolCallId });
  }

  /** @internal Emits in another lane. */
  within(lane: ConversionLane, act: () => void): void {
    const before = this.lane;
    this.lane = lane;
    try {
      act();
    } finally {
      this.lane = before;
    }
  }

  /** @internal Writes a warning once per run. */
  warnOnce(what: string, event: AgentEvent): void {
    if (this.warned.has(what)) return;
    this.warned.add(what);
    this.logger.warn(
      `${event.type} ${what}; ignored (run "${this.runId}", thread "${this.threadId}").`,
    );
  }
}

function isRunWide({ type }: AguiEvent): boolean {
  return (
    type.startsWith('RUN_') ||
    type.startsWith('SUBAGENT_') ||
    type === 'MESSAGES_SNAPSHOT'
  );
}
