import type { Tool as AguiTool } from '@ag-ui/core';
import type { LanguageModel, streamText, Tool } from 'ai';
import type { StateUpdateMode } from '../agent/agent-event.js';
import type { ToolUseBlock } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { ReasoningHistory } from './model-messages.js';

/** What the permission function decides about one tool call. */
export type Permission = 'allow' | 'ask' | 'deny';

type StreamTextOptions = Parameters<typeof streamText>[0];

/** Options of the AI SDK's `streamText` that pass through untouched. */
export type ModelSettings = Omit<
  Partial<StreamTextOptions>,
  | 'model'
  | 'system'
  | 'prompt'
  | 'messages'
  | 'tools'
  | 'stopWhen'
  | 'abortSignal'
  | 'output'
  | 'experimental_output'
>;

/** What an {@link AiSdkAgent} is made from (Spring AI: `SpringAiAgent`). */
export interface AiSdkAgentOptions {
  /** Any AI SDK language model, with its middleware. */
  model: LanguageModel;
  /** What the model is told first. */
  system?: string | ((context: RuntimeContext) => string | undefined);
  /** Tools executed on the server, by name: AI SDK tools, or {@link agentTool}s. Default none. */
  tools?: Record<string, Tool>;
  /** How many times the model may be called in one run. Default 20; after that it has to answer without tools. */
  maxSteps?: number;
  /** Enables shared state: the model sees it and has a tool `update_state`. Default false. */
  shareState?: boolean;
  /** How changed state is sent. Default `SNAPSHOT`. */
  stateUpdates?: StateUpdateMode;
  /** Puts the state into words for the model; `null` or blank leaves it out. Default: its JSON. */
  statePrompt?: (state: unknown) => string | null | undefined;
  /** Ends runs with unanswered client tool calls as interrupted, one interrupt per call. Default false. */
  emitInterruptOutcome?: boolean;
  /**
   * Tools that the model sees and nobody executes: calling one asks the user for what its
   * parameters describe. Default none.
   */
  interruptTools?: readonly AguiTool[];
  /** Sends the run's conversation as `MESSAGES_SNAPSHOT` before its end. Default false. */
  emitMessagesSnapshot?: boolean;
  /** Makes the ids of messages. Default: random UUIDs. */
  messageIdGenerator?: () => string;
  /** Decides about each call of a tool of `tools`. Default: `allow`, unless the tool says `needsApproval`. */
  permission?: (
    call: ToolUseBlock,
    context: RuntimeContext,
  ) => Permission | Promise<Permission>;
  /** Believes `system` and `developer` messages of the client. Default false: they are left out. */
  trustClientInstructions?: boolean;
  /** How earlier reasoning without a provider's artefact goes back to the model. Default `tags`. */
  reasoningHistory?: ReasoningHistory;
  /** Takes `<think>` tags out of the model's text. Default true. */
  thinkTags?: boolean;
  /** Settings made from `forwardedProps`, which reach the model in no other way. */
  mapForwardedProps?: (forwardedProps: unknown) => ModelSettings;
  /** Temperature, provider options, retries, `prepareStep` … as `streamText` takes them. */
  settings?: ModelSettings;
}
