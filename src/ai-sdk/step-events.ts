import type { TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import { sealArtefact } from './model-messages.js';
import { modelCallEnd } from './model-usage.js';
import { ThinkTagSplitter, type TextPiece } from './think-tag-splitter.js';
import { reportedError, reportedOutput } from './tool-report.js';
import { ToolSuspend } from './tool-suspend.js';

type Part = TextStreamPart<ToolSet>;
type PartOf<T extends Part['type']> = Extract<Part, { type: T }>;

/** What the converter has to know of the agent. */
export interface StepEventsOptions {
  /** Whether `<think>` tags are taken out of text. */
  thinkTags: boolean;
  /** The vendor that the usage is reported under. */
  provider: string | undefined;
  newReplyId(): string;
  /** Whether a tool's calls are the agent's own affair, and never seen by the client. */
  isHidden(toolName: string): boolean;
}

/** A call that a step left open: nobody has answered it yet. */
export interface OpenCall {
  toolCallId: string;
  toolName: string;
  input: unknown;
}

/** Turns the AI SDK's stream of one answer, over all its steps, into agent events. */
export class StepEvents {
  /** The reply that the present step belongs to. */
  replyId: string;
  /** Calls without a result, those that were suspended, and those that wait for the user's consent. */
  readonly open = new Map<string, OpenCall>();
  readonly suspended = new Map<string, string>();
  readonly asked = new Set<string>();
  private readonly started = new Set<string>();
  private readonly hidden = new Set<string>();
  private readonly splitters = new Map<string, ThinkTagSplitter>();

  constructor(private readonly options: StepEventsOptions) {
    this.replyId = options.newReplyId();
  }

  *convert(part: Part): Generator<AgentEvent> {
    switch (part.type) {
      case 'start-step':
        this.replyId = this.options.newReplyId();
        return yield { type: 'MODEL_CALL_START', replyId: this.replyId };
      case 'text-delta':
        return yield* this.text(part.id, part.text);
      case 'text-end':
        return yield* this.textEnd(part.id);
      case 'reasoning-delta':
        return yield {
          type: 'THINKING_BLOCK_DELTA',
          ...this.block(part.id),
          delta: part.text,
        };
      case 'reasoning-end':
        return yield {
          type: 'THINKING_BLOCK_END',
          ...this.block(part.id),
          encryptedValue: sealArtefact(part.providerMetadata),
        };
      case 'tool-input-start':
        return yield* this.callStart(part.id, part.toolName);
      case 'tool-input-delta':
        return yield* this.callDelta(part.id, part.delta);
      case 'tool-call':
        return yield* this.call(part);
      case 'tool-result':
        return yield* this.result(part);
      case 'tool-error':
        return yield* this.error(part);
      case 'tool-approval-request':
        this.asked.add(part.toolCall.toolCallId);
        return;
      case 'finish-step':
        return yield modelCallEnd(part, this.replyId, this.options.provider);
      case 'error':
        throw part.error;
    }
  }

  private block(blockId: string): { replyId: string; blockId: string } {
    return { replyId: this.replyId, blockId };
  }

  private *text(id: string, text: string): Generator<AgentEvent> {
    if (!this.options.thinkTags)
      return yield* this.pieces(id, [{ kind: 'text', text }]);
    let splitter = this.splitters.get(id);
    if (splitter === undefined)
      this.splitters.set(id, (splitter = new ThinkTagSplitter()));
    yield* this.pieces(id, splitter.push(text));
  }

  private *textEnd(id: string): Generator<AgentEvent> {
    yield* this.pieces(id, this.splitters.get(id)?.end() ?? []);
    this.splitters.delete(id);
    yield { type: 'THINKING_BLOCK_END', ...this.block(`${id}-think`) };
    yield { type: 'TEXT_BLOCK_END', ...this.block(id) };
  }

  private *pieces(
    id: string,
    pieces: readonly TextPiece[],
  ): Generator<AgentEvent> {
    for (const { kind, text: delta } of pieces)
      if (kind === 'text')
        yield { type: 'TEXT_BLOCK_DELTA', ...this.block(id), delta };
      else
        yield {
          type: 'THINKING_BLOCK_DELTA',
          ...this.block(`${id}-think`),
          delta,
        };
  }

  private *callStart(
    toolCallId: string,
    toolName: string,
  ): Generator<AgentEvent> {
    if (this.options.isHidden(toolName)) {
      this.hidden.add(toolCallId);
      return;
    }
    if (this.started.has(toolCallId)) return;
    this.started.add(toolCallId);
    yield { type: 'TOOL_CALL_START', ...this.named(toolCallId, toolName) };
  }

  private *callDelta(toolCallId: string, delta: string): Generator<AgentEvent> {
    if (this.hidden.has(toolCallId)) return;
    yield { type: 'TOOL_CALL_DELTA', ...this.named(toolCallId, ''), delta };
  }

  /** The whole call. What was streamed of it is not sent again. */
  private *call({
    toolCallId,
    toolName,
    input,
  }: PartOf<'tool-call'>): Generator<AgentEvent> {
    this.open.set(toolCallId, { toolCallId, toolName, input });
    const streamed = this.started.has(toolCallId);
    yield* this.callStart(toolCallId, toolName);
    if (this.hidden.has(toolCallId)) return;
    const named = this.named(toolCallId, toolName);
    if (!streamed)
      yield { type: 'TOOL_CALL_DELTA', ...named, delta: argumentText(input) };
    yield { type: 'TOOL_CALL_END', ...named };
  }

  private *result(part: PartOf<'tool-result'>): Generator<AgentEvent> {
    if (part.preliminary) return;
    this.open.delete(part.toolCallId);
    if (this.hidden.has(part.toolCallId)) return;
    yield* reportedOutput(
      this.named(part.toolCallId, part.toolName),
      part.output,
    );
  }

  private *error({
    toolCallId,
    toolName,
    error,
  }: PartOf<'tool-error'>): Generator<AgentEvent> {
    if (error instanceof ToolSuspend) {
      this.suspended.set(toolCallId, error.message);
      return;
    }
    this.open.delete(toolCallId);
    if (this.hidden.has(toolCallId)) return;
    yield* reportedError(this.named(toolCallId, toolName), error);
  }

  private named(toolCallId: string, toolCallName: string) {
    return { replyId: this.replyId, toolCallId, toolCallName };
  }
}

function argumentText(input: unknown): string {
  return typeof input === 'string' ? input : JSON.stringify(input ?? {});
}
