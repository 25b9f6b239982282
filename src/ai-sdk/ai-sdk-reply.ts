import { Logger } from '@nestjs/common';
import {
  stepCountIs,
  streamText,
  type LanguageModel,
  type ModelMessage,
  type StopCondition,
  type ToolSet,
} from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import { CallIds, UsedCallIds } from './call-ids.js';
import { actUponAnswers } from './confirmations.js';
import { EventChannel } from './event-channel.js';
import { instructionsOf } from './instructions.js';
import { toModelMessages } from './model-messages.js';
import { openEnds, resultEvent } from './open-ends.js';
import { withoutRefusedMedia } from './refused-media.js';
import { RunTools } from './run-tools.js';
import { RunState, UPDATE_STATE } from './shared-state.tool.js';
import { StepEvents, type AskedModel } from './step-events.js';
import { SubagentCall } from './subagent-call.js';
import { tellable } from './tellable-tools.js';
import { ToolSuspend } from './tool-suspend.js';

const DEFAULT_MAX_STEPS = 20;
const logger = new Logger('AiSdkAgent');

/** One run of an {@link AiSdkAgent}: the model is called until it has answered, or somebody else has to. */
export class AiSdkReply {
  private readonly channel = new EventChannel<AgentEvent>();
  private readonly emit = (event: AgentEvent) => this.channel.push(event);
  private readonly abort = new AbortController();
  private readonly signal: AbortSignal;
  private readonly maxSteps: number;
  private readonly tools: RunTools;
  private readonly state: RunState;
  private readonly steps: StepEvents;
  private readonly sharesState: boolean;
  /** The model of each step; a step may begin before the one before it was told of. */
  private readonly asked: AskedModel[] = [];

  constructor(
    private readonly options: AiSdkAgentOptions,
    private readonly context: RuntimeContext,
    newReplyId: () => string,
  ) {
    this.signal = AbortSignal.any([context.signal, this.abort.signal]);
    this.maxSteps = options.maxSteps ?? DEFAULT_MAX_STEPS;
    this.sharesState =
      options.shareState === true && context.get(SubagentCall) === undefined;
    this.tools = new RunTools(options, context, this.emit);
    this.state = new RunState(
      context.get('agui.state') ?? {},
      options,
      this.emit,
    );
    this.steps = new StepEvents({
      newReplyId,
      thinkTags: options.thinkTags ?? true,
      maxSteps: this.maxSteps,
      asked: (step) => this.asked[step] ?? askedNow(options.model),
      isHidden: (name) => this.sharesState && name === UPDATE_STATE,
    });
  }

  async *events(received: readonly Msg[]): AsyncGenerator<AgentEvent> {
    let finished = false;
    try {
      yield* this.reply(received);
      finished = true;
    } finally {
      // Whatever ended it: nobody hears the model any more.
      if (!finished) this.abort.abort();
    }
  }

  private async *reply(received: readonly Msg[]): AsyncGenerator<AgentEvent> {
    yield {
      type: 'AGENT_START',
      replyId: this.steps.replyId,
      messagesSnapshot: this.options.emitMessagesSnapshot,
    };
    if (this.sharesState) this.state.announce();
    yield* this.channel.take();
    const msgs = yield* actUponAnswers(
      received,
      this.tools,
      this.context,
      this.channel,
      this.steps.replyId,
    );
    yield* this.answer(msgs);
    yield* openEnds(this.steps, this.options);
    yield resultEvent(this.steps, this.steps.finishReason);
    yield { type: 'AGENT_END', replyId: this.steps.replyId };
  }

  private async *answer(msgs: readonly Msg[]): AsyncGenerator<AgentEvent> {
    let messages = toModelMessages(
      msgs,
      this.options.reasoningHistory ?? 'tags',
      warn,
    );
    while (messages.length > 0) {
      try {
        return yield* this.ask(msgs, messages);
      } catch (error) {
        const rest = withoutRefusedMedia(messages, error, warn);
        if (rest === undefined || this.steps.begun) throw error;
        messages = rest;
      }
    }
  }

  private async *ask(
    msgs: readonly Msg[],
    messages: ModelMessage[],
  ): AsyncGenerator<AgentEvent> {
    const { options, context, steps, sharesState } = this;
    const ids = new CallIds(this.usedIds(messages));
    const settings = {
      ...options.settings,
      ...options.mapForwardedProps?.(context.get('agui.forwardedProps')),
    };
    const system = () => {
      const state = sharesState ? this.state.prompt() : undefined;
      return instructionsOf(options, msgs, context, state);
    };
    const tools = this.tools.toolSet(
      sharesState ? { [UPDATE_STATE]: this.state.tool() } : {},
    );
    const { fullStream } = streamText({
      // Errors arrive as parts of the stream.
      onError: () => undefined,
      ...settings,
      model: ids.applyTo(options.model),
      system: system(),
      messages,
      tools: tellable(tools, (id) => steps.announced(id)),
      abortSignal: this.signal,
      stopWhen: [stepCountIs(this.maxSteps + 1), isSuspended],
      prepareStep: async (step) => {
        const own = await settings.prepareStep?.(step as never);
        const model = own?.model ?? options.model;
        this.asked[step.stepNumber] = askedNow(model);
        return {
          system: system(),
          ...own,
          model: ids.applyTo(model),
          ...(step.stepNumber >= this.maxSteps && { toolChoice: 'none' }),
        };
      },
    });
    yield* this.channel.merge(fullStream, (part) => steps.convert(part));
    yield* steps.giveUp((name) => tools[name]?.execute !== undefined);
  }

  /** Shared with subagents: their models may count calls as this one does. */
  private usedIds(messages: readonly ModelMessage[]): UsedCallIds {
    const used = this.context.get(UsedCallIds) ?? new UsedCallIds();
    this.context.put(UsedCallIds, used);
    for (const id of callIdsIn(messages)) used.add(id);
    return used;
  }
}

/** By what the step says itself: the client may not have heard of it yet. */
const isSuspended: StopCondition<ToolSet> = ({ steps }) =>
  steps
    .at(-1)!
    .content.some(
      (part) => part.type === 'tool-error' && part.error instanceof ToolSuspend,
    );

function warn(what: string): void {
  logger.warn(`Put right in the conversation: ${what}.`);
}

function callIdsIn(messages: readonly ModelMessage[]): string[] {
  return messages.flatMap(({ content }) =>
    typeof content === 'string'
      ? []
      : content.flatMap((part) =>
          part.type === 'tool-call' ? part.toolCallId : [],
        ),
  );
}

/** A model that is asked now. `openai.chat` is `openai`'s; a mere name is `vendor/model`. */
function askedNow(model: LanguageModel): AskedModel {
  const [vendor, name] =
    typeof model === 'string'
      ? [model.split('/')[0], model.replace(/^[^/]*\//, '')]
      : [model.provider, model.modelId];
  return {
    provider: vendor?.split('.')[0]?.toLowerCase(),
    model: name,
    createdAt: new Date().toISOString(),
  };
}
