import type { FinishReason, TextStreamPart, ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import { AguiError } from '../protocol/agui-error.js';
import { CallEvents } from './call-events.js';
import { sealArtefact } from './artefact.js';
import { modelCallEnd } from './model-usage.js';
import { ThinkTagSplitter, type TextPiece } from './think-tag-splitter.js';
import { asError } from './tool-report.js';

export type { OpenCall } from './call-events.js';

type Part = TextStreamPart<ToolSet>;

/** The model of one step. */
export interface AskedModel {
  /** The vendor that usage is reported under. */
  provider?: string;
  model?: string;
  /** When it was asked; its stream begins later. */
  createdAt?: string;
}

/** What the converter has to know of the agent. */
export interface StepEventsOptions {
  /** Whether `<think>` tags are taken out of text. */
  thinkTags: boolean;
  /** How many steps there may be; one more is an answer without tools. */
  maxSteps: number;
  newReplyId(): string;
  /** The model that a step asks; the first step is 0. */
  asked(step: number): AskedModel;
  /** Whether a tool's calls are the agent's own affair, and never seen by the client. */
  isHidden(toolName: string): boolean;
}

/** Turns the AI SDK's stream of one answer, over all its steps, into agent events. */
export class StepEvents extends CallEvents {
  /** How the last step ended. */
  finishReason: FinishReason | undefined;
  private steps = 0;
  private readonly splitters = new Map<string, ThinkTagSplitter>();
  private readonly artefacts = new Map<string, unknown>();

  constructor(private readonly options: StepEventsOptions) {
    super(options.newReplyId(), (name) => options.isHidden(name));
  }

  /** Whether the model has answered anything. */
  get begun(): boolean {
    return this.steps > 0;
  }

  *convert(part: Part): Generator<AgentEvent> {
    switch (part.type) {
      case 'start-step':
        return yield* this.startStep();
      case 'text-delta':
        return yield* this.text(part.id, part.text);
      case 'text-end':
        return yield* this.textEnd(part.id);
      case 'reasoning-start':
      case 'reasoning-delta':
      case 'reasoning-end':
        return yield* this.reasoning(part);
      case 'tool-input-start':
      case 'tool-call':
        // What is held back of the text must not come behind the call.
        for (const [id, splitter] of this.splitters)
          yield* this.pieces(id, splitter.end());
        return yield* this.callPart(part);
      case 'finish-step':
        this.finishReason = part.finishReason;
        yield modelCallEnd(
          part,
          this.replyId,
          this.options.asked(this.steps - 1).provider,
        );
        return refuseNoAnswer(part);
      case 'abort':
        throw abortOf(part.reason);
      case 'error':
        throw this.failureOf(part.error);
      default:
        return yield* this.callPart(part);
    }
  }

  private *startStep(): Generator<AgentEvent> {
    if (this.steps === this.options.maxSteps)
      yield {
        type: 'EXCEED_MAX_ITERS',
        replyId: this.replyId,
        steps: this.steps,
      };
    this.steps++;
    this.replyId = this.options.newReplyId();
    yield {
      type: 'MODEL_CALL_START',
      replyId: this.replyId,
      ...this.options.asked(this.steps - 1),
    };
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

  /** Providers attach their artefact to whichever part they like; the last one counts. */
  private *reasoning(
    part: Extract<Part, { type: `reasoning-${'start' | 'delta' | 'end'}` }>,
  ): Generator<AgentEvent> {
    const { id, providerMetadata } = part;
    if (providerMetadata) this.artefacts.set(id, providerMetadata);
    if (part.type === 'reasoning-delta')
      yield {
        type: 'THINKING_BLOCK_DELTA',
        ...this.block(id),
        delta: part.text,
      };
    if (part.type !== 'reasoning-end') return;
    const encryptedValue = sealArtefact(this.artefacts.get(id));
    this.artefacts.delete(id);
    yield { type: 'THINKING_BLOCK_END', ...this.block(id), encryptedValue };
  }

  private block(blockId: string): { replyId: string; blockId: string } {
    return { replyId: this.replyId, blockId };
  }

  /** Some models go on calling tools when they may no longer. */
  private failureOf(error: unknown): Error {
    const isLast = this.steps > this.options.maxSteps;
    return isLast &&
      (error as Error | undefined)?.name === 'AI_ToolChoiceViolationError'
      ? new AguiError(
          'The agent used up its steps and found no answer.',
          'MAX_ITERATIONS',
          { cause: error },
        )
      : asError(error);
  }
}

/** What a client must not take for an answer: one that was withheld, and one that broke off without a word. */
function refuseNoAnswer({
  finishReason,
  rawFinishReason,
}: Extract<Part, { type: 'finish-step' }>): void {
  if (finishReason === 'content-filter')
    throw new AguiError('The model withheld its answer.', 'CONTENT_FILTER');
  // What AI SDK 6 calls by the first name, 7 calls by the second.
  const isCut = ['other', 'interrupted'].includes(finishReason);
  if (isCut && rawFinishReason === undefined)
    throw new AguiError("The model's answer broke off.", 'INCOMPLETE_ANSWER');
}

/** The AI SDK's own time limits, since of the run's end nobody has to be told. */
function abortOf(reason = ''): Error {
  const isTimeout = /time-?out/i.test(reason);
  return new DOMException(reason, isTimeout ? 'TimeoutError' : 'AbortError');
}
