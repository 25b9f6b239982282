import {
  EventType,
  type Interrupt,
  type RunAgentInput,
  type TokenUsage,
} from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import type { AgentEvent } from '../agent/agent-event.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { oneLine } from '../log-text.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import { Transcript } from '../protocol/transcript.js';
import {
  SubagentEvents,
  type FullAdapterConfig,
} from './agui-adapter-config.js';
import { ConversionLane } from './conversion-lane.js';
import { MessageIdMint } from './message-id-mint.js';
import type { ReplyMessages } from './reply-messages.js';
import { describeRun } from './run-description.js';
import { SharedState } from './shared-state.js';
import { SubagentLanes } from './subagent-lanes.js';
import { ToolCalls } from './tool-calls.js';
import { withToolError } from './tool-result-state.js';
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
  readonly toolCalls: ToolCalls;
  /** @internal */
  readonly usage = new UsageMeter();
  /** @internal */
  readonly state: SharedState;
  /** @internal */
  readonly subagents: SubagentLanes;
  /** @internal The lane of the event that is being converted. */
  lane: ConversionLane;
  private readonly mainLane: ConversionLane;
  private transcript: Transcript | undefined;
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
    this.toolCalls = new ToolCalls(resumedCalls(runtimeContext));
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

  /**
   * Sends what the built-in converter makes of an event: for a converter that has something to say
   * about some events of its types only, or besides.
   */
  convertAsUsual(event: AgentEvent): void {
    this.config.converters.builtInOf(event.type).convert(event, this);
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

  /** @internal The messages of a reply; what names none belongs to the run's one. */
  reply(replyId: string | undefined): ReplyMessages {
    return this.lane.reply(replyId?.trim() ? replyId : this.runId);
  }

  /** @internal Lets the run stop for an answer. */
  suspend(interrupt: Interrupt): void {
    const { subagentRunId } = this.lane;
    this.interrupts.push(
      subagentRunId === undefined ? interrupt : { ...interrupt, subagentRunId },
    );
    this.lane.interruptIds.add(interrupt.id);
    this.lane.suspend();
  }

  /** @internal Takes note of an event that has left. */
  sent(event: AguiEvent): void {
    this.state.sent(event);
    this.transcript?.apply(event);
  }

  /** @internal Keeps the conversation from now on, for the snapshot at the end of the run. */
  recordMessages(): void {
    this.transcript ??= new Transcript(this.input.messages);
  }

  /**
   * @internal The conversation that was kept; undefined if none was, or it is empty. Clients keep
   * their reasoning only if a snapshot has none at all.
   */
  messagesSnapshot(): AguiEvent | undefined {
    const messages = (this.transcript?.messages() ?? [])
      .filter(({ role }) => role !== 'reasoning')
      .map(withToolError);
    return messages.length === 0
      ? undefined
      : { type: EventType.MESSAGES_SNAPSHOT, messages };
  }

  /** @internal What the terminal event says of tokens. */
  usageSoFar(): { usage?: TokenUsage[] } {
    const usage = this.config.emitTokenUsage ? this.usage.entries() : undefined;
    return usage === undefined ? {} : { usage };
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

  /** @internal Writes a warning, once per run and type of event. */
  warnOnce(what: string, { type }: AgentEvent): void {
    const key = `${type} ${what}`;
    if (this.warned.has(key)) return;
    this.warned.add(key);
    this.logger.warn(
      `${oneLine(key)}, in ${describeRun(this.input, this.runtimeContext)}.`,
    );
  }
}

/** The calls that this run goes on with: their interrupts told the client of them. */
function resumedCalls(context: RuntimeContext): string[] {
  return (context.get('agui.resume.interrupts') ?? []).flatMap(
    ({ toolCallId }) => toolCallId ?? [],
  );
}

function isRunWide(event: AguiEvent): boolean {
  const type = String(event?.type);
  return (
    type.startsWith('RUN_') ||
    type.startsWith('SUBAGENT_') ||
    type === 'MESSAGES_SNAPSHOT'
  );
}
