import { Logger } from '@nestjs/common';
import { stepCountIs, streamText, type ModelMessage, type ToolSet } from 'ai';
import type { AgentEvent } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { AguiError } from '../protocol/agui-error.js';
import type { AiSdkAgentOptions } from './ai-sdk-agent-options.js';
import { actUponAnswers } from './confirmations.js';
import { EventChannel } from './event-channel.js';
import { instructionsOf } from './instructions.js';
import { toModelMessages } from './model-messages.js';
import { openEnds, resultEvent } from './open-ends.js';
import { RunTools } from './run-tools.js';
import { RunState, UPDATE_STATE } from './shared-state.tool.js';
import { StepEvents } from './step-events.js';
import { SubagentCall } from './subagent-call.js';

const DEFAULT_MAX_STEPS = 20;
const logger = new Logger('AiSdkAgent');

/** One run of an {@link AiSdkAgent}: the model is called until it has answered, or somebody else has to. */
export class AiSdkReply {
  private readonly channel = new EventChannel<AgentEvent>();
  private readonly emit = (event: AgentEvent) => this.channel.push(event);
  private readonly tools: RunTools;
  private readonly state: RunState;
  private readonly steps: StepEvents;
  private readonly sharesState: boolean;

  constructor(
    private readonly options: AiSdkAgentOptions,
    private readonly context: RuntimeContext,
    newReplyId: () => string,
  ) {
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
      provider: vendorOf(options.model),
      isHidden: (name) => this.sharesState && name === UPDATE_STATE,
    });
  }

  async *events(received: readonly Msg[]): AsyncGenerator<AgentEvent> {
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
    const finishReason = yield* this.answer(msgs);
    yield* openEnds(this.steps, this.options);
    yield resultEvent(this.steps, finishReason);
    yield { type: 'AGENT_END', replyId: this.steps.replyId };
  }

  private async *answer(
    msgs: readonly Msg[],
  ): AsyncGenerator<AgentEvent, string | undefined> {
    const messages = toModelMessages(
      msgs,
      this.options.reasoningHistory ?? 'tags',
      (what) => logger.warn(`Put right in the conversation: ${what}.`),
    );
    if (messages.length === 0) return undefined;
    const first = this.call(msgs, messages, {});
    yield* this.channel.merge(first.fullStream, (part) =>
      this.steps.convert(part),
    );
    const taken = (await first.steps).length;
    let finishReason = await first.finishReason;
    if (finishReason === 'tool-calls' && this.steps.open.size === 0) {
      yield {
        type: 'EXCEED_MAX_ITERS',
        replyId: this.steps.replyId,
        steps: taken,
      };
      const { messages: said } = await first.response;
      const last = this.call(msgs, [...messages, ...said], {
        toolChoice: 'none',
      });
      yield* this.channel.merge(last.fullStream, (part) =>
        this.steps.convert(part),
      );
      finishReason = await last.finishReason;
    }
    if (finishReason === 'content-filter')
      throw new AguiError('The model withheld its answer.', 'CONTENT_FILTER');
    return finishReason;
  }

  private call(
    msgs: readonly Msg[],
    messages: ModelMessage[],
    more: { toolChoice?: 'none' },
  ) {
    const { options, context } = this;
    const settings = {
      ...options.settings,
      ...options.mapForwardedProps?.(context.get('agui.forwardedProps')),
    };
    const system = () =>
      instructionsOf(
        options,
        msgs,
        context,
        this.sharesState ? this.state.prompt() : undefined,
      );
    const extra: ToolSet = this.sharesState
      ? { [UPDATE_STATE]: this.state.tool() }
      : {};
    return streamText({
      ...settings,
      ...more,
      model: options.model,
      system: system(),
      messages,
      tools: this.tools.toolSet(extra),
      abortSignal: context.signal,
      stopWhen: [
        stepCountIs(options.maxSteps ?? DEFAULT_MAX_STEPS),
        () => this.steps.suspended.size > 0,
      ],
      prepareStep: async (step) => ({
        system: system(),
        ...(await settings.prepareStep?.(step as never)),
      }),
      // Errors arrive as parts of the stream.
      onError: () => undefined,
    });
  }
}

/** `openai.chat` → `openai`. */
function vendorOf(model: AiSdkAgentOptions['model']): string | undefined {
  const provider =
    typeof model === 'string' ? model.split('/')[0] : model.provider;
  return provider?.split('.')[0]?.toLowerCase();
}
