import {
  EventType,
  PROTOCOL_VERSION,
  type RunAgentInput,
  type RunErrorEvent,
  type RunFinishedEvent,
  type RunFinishedOutcome,
  type RunStartedEvent,
} from '@ag-ui/core';
import { AguiErrorCode } from './agui-error.js';
import type { AguiEvent } from './agui-event.js';
import { ChunkExpander, isChunk, type ChunkEvent } from './chunk-expander.js';
import { completed, typeOf, withTextContent } from './completed-event.js';
import { conform, isPlainPiece } from './conform.js';
import type { GuardRule } from './guard-rule.js';
import { forLegacyPeer } from './legacy-peer.js';
import { RunLedger } from './run-ledger.js';
import { StreamRules } from './stream-rules.js';

/** What a guard is made from. */
export interface ProtocolGuardOptions {
  input: RunAgentInput;
  /** What `RUN_STARTED` tells of the input, unless it tells one already. */
  toldInput?: RunAgentInput;
  /** Takes each event that may leave, in order. */
  emit(event: AguiEvent): void;
  /** Told of every change the guard had to make. */
  onRepair?(rule: GuardRule, detail: string): void;
  /** Lets one `RUN_FINISHED` through after `RUN_ERROR`, for clients that wait for it. Default false. */
  finishAfterError?: boolean;
}

/**
 * The last word on one run's events: whatever comes in, what leaves is a legal AG-UI 1.0 stream for
 * this input, or its earlier form if the client declared no protocol version. It opens, closes,
 * renames and drops; it never adds content.
 */
export class ProtocolGuard {
  private phase: 'before' | 'running' | 'failed' | 'over' = 'before';
  private readonly ledger: RunLedger;
  private readonly rules: StreamRules;
  private readonly chunks = new ChunkExpander();
  private readonly legacyPeer: boolean;

  constructor(private readonly options: ProtocolGuardOptions) {
    this.ledger = new RunLedger({
      send: (event) => this.send(event),
      repair: (rule, detail) => this.repair(rule, detail),
    });
    this.rules = new StreamRules(this.ledger);
    this.ledger.ids.know(options.input.messages);
    this.legacyPeer = options.input.protocolVersion === undefined;
  }

  /** True once the run's terminal event has left. */
  get ended(): boolean {
    return this.phase === 'failed' || this.phase === 'over';
  }

  accept(raw: AguiEvent): void {
    if (this.ended && !this.isBelatedFinish(raw))
      return this.repair('after-the-end', String(typeOf(raw)));
    const event = this.wellFormed(raw);
    if (event === undefined) return;
    if (event.type === EventType.RUN_STARTED) return this.start(event);
    if (this.phase === 'before') this.start();
    if (isChunk(event)) return this.expand(event);
    for (const end of this.chunks.endedBy(event)) this.rules.apply(end);
    if (event.type === EventType.RUN_FINISHED) return this.finish(event);
    if (event.type === EventType.RUN_ERROR) return this.fail(event);
    this.rules.apply(event);
  }

  /** The source of events is exhausted: a run that has not ended did not succeed. */
  end(): void {
    if (this.ended) return;
    this.repair('not-finished', 'the agent ended without AGENT_END');
    this.accept({
      type: EventType.RUN_ERROR,
      message: 'The agent ended before it finished the run.',
      code: AguiErrorCode.INTERNAL_ERROR,
    });
  }

  /** Stops a run on purpose: everything is closed and the outcome says so. */
  cancel(): void {
    if (this.ended) return;
    const { threadId, runId } = this.options.input;
    this.accept({
      type: EventType.RUN_FINISHED,
      threadId,
      runId,
      outcome: { type: 'cancelled' },
    });
  }

  private wellFormed(raw: AguiEvent): AguiEvent | undefined {
    if (typeOf(raw) === undefined) {
      this.repair('unknown-or-malformed', 'what has no type is no event');
      return undefined;
    }
    if (
      ((raw.type === EventType.TEXT_MESSAGE_CONTENT ||
        raw.type === EventType.REASONING_MESSAGE_CONTENT) &&
        isPlainPiece(raw, 'messageId')) ||
      (raw.type === EventType.TOOL_CALL_ARGS && isPlainPiece(raw, 'toolCallId'))
    )
      return raw;
    const event = this.conformed(raw);
    // A call without an answer would look as if the client had to give it.
    if (event === undefined && raw.type === EventType.TOOL_CALL_RESULT)
      return this.conformed(withTextContent(raw));
    if (event?.type === EventType.MESSAGES_SNAPSHOT && this.wipes(event))
      return undefined;
    return event;
  }

  private conformed(raw: AguiEvent): AguiEvent | undefined {
    const { event, faults } = conform(completed(raw, this.options.input));
    for (const fault of faults)
      this.repair('unknown-or-malformed', `${raw.type}: ${fault}`);
    return event;
  }

  private expand(chunk: ChunkEvent): void {
    const pieces = this.chunks.expand(chunk);
    if (pieces === undefined) return this.repair('not-open', chunk.type);
    for (const piece of pieces) this.rules.apply(piece);
  }

  private wipes({ messages }: { messages: readonly unknown[] }): boolean {
    if (messages.length > 0 || this.ledger.ids.none) return false;
    this.repair('empty-messages-snapshot', 'it would delete the conversation');
    return true;
  }

  private start(event?: RunStartedEvent): void {
    if (this.phase !== 'before')
      return this.repair('second-run-started', 'RUN_STARTED');
    this.phase = 'running';
    const { toldInput } = this.options;
    const { threadId, runId, parentRunId } = this.options.input;
    if (event?.input !== undefined) {
      this.ledger.ids.know(event.input.messages);
      this.ledger.owners.know(event.input.messages, 'open');
    }
    this.send({
      ...(parentRunId !== undefined && { parentRunId }),
      ...(toldInput !== undefined && { input: toldInput }),
      ...(event ?? {
        type: EventType.RUN_STARTED,
        threadId,
        runId,
        protocolVersion: PROTOCOL_VERSION,
      }),
    } as RunStartedEvent);
  }

  private finish(event: RunFinishedEvent): void {
    const { outcome: _, ...rest } = event;
    if (this.phase === 'failed') {
      this.phase = 'over';
      return this.send(rest);
    }
    this.closeAll(event.outcome);
    this.phase = 'over';
    const outcome = this.outcomeOf(event.outcome);
    this.send(outcome === undefined ? rest : { ...rest, outcome });
  }

  private fail(event: RunErrorEvent): void {
    this.phase = 'failed';
    this.send(event);
  }

  private closeAll(outcome: RunFinishedOutcome | undefined): void {
    const closing = this.ledger.items.closing((subagentRunId) =>
      outcome?.type === 'cancelled'
        ? {
            type: EventType.SUBAGENT_ERROR,
            subagentRunId,
            message: 'The run was cancelled.',
            code: AguiErrorCode.CANCELLED,
          }
        : {
            type: EventType.SUBAGENT_FINISHED,
            subagentRunId,
            ...(outcome?.type === 'interrupt' && {
              outcome: { type: 'suspended' },
            }),
          },
    );
    if (closing.length > 0 && outcome?.type !== 'cancelled')
      this.repair('left-open', closing.map(({ type }) => type).join(', '));
    for (const event of closing) this.send(event);
  }

  private outcomeOf(
    outcome: RunFinishedOutcome | undefined,
  ): RunFinishedOutcome | undefined {
    if (outcome?.type === 'cancelled') return outcome;
    if (outcome?.type === 'interrupt') {
      const byId = new Map(outcome.interrupts.map((i) => [i.id, i]));
      return { type: 'interrupt', interrupts: [...byId.values()] };
    }
    const pendingToolCallIds = this.ledger.items.pendingCalls();
    if (pendingToolCallIds.length === 0) return outcome && { type: 'success' };
    return { type: 'success', pendingToolCallIds };
  }

  private isBelatedFinish(raw: AguiEvent): boolean {
    return (
      this.phase === 'failed' &&
      this.options.finishAfterError === true &&
      raw?.type === EventType.RUN_FINISHED
    );
  }

  private send(event: AguiEvent): void {
    if (!this.legacyPeer) return this.options.emit(event);
    const earlier = forLegacyPeer(event, (what) =>
      this.repair('lost-for-an-older-client', what),
    );
    if (earlier !== undefined) this.options.emit(earlier);
  }

  private repair(rule: GuardRule, detail: string): void {
    this.options.onRepair?.(rule, detail);
  }
}
