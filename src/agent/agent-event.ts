import type { AGUIEvent, Interrupt } from '@ag-ui/core';
import type {
  ContentBlock,
  Msg,
  ToolResultState,
  ToolUseBlock,
} from './msg.js';

/** The kinds of {@link AgentEvent}, by name. */
export const AgentEventType = {
  AGENT_START: 'AGENT_START',
  AGENT_END: 'AGENT_END',
  AGENT_RESULT: 'AGENT_RESULT',
  MODEL_CALL_START: 'MODEL_CALL_START',
  MODEL_CALL_END: 'MODEL_CALL_END',
  TEXT_BLOCK_START: 'TEXT_BLOCK_START',
  TEXT_BLOCK_DELTA: 'TEXT_BLOCK_DELTA',
  TEXT_BLOCK_END: 'TEXT_BLOCK_END',
  THINKING_BLOCK_START: 'THINKING_BLOCK_START',
  THINKING_BLOCK_DELTA: 'THINKING_BLOCK_DELTA',
  THINKING_BLOCK_END: 'THINKING_BLOCK_END',
  DATA_BLOCK_START: 'DATA_BLOCK_START',
  DATA_BLOCK_DELTA: 'DATA_BLOCK_DELTA',
  DATA_BLOCK_END: 'DATA_BLOCK_END',
  TOOL_CALL_START: 'TOOL_CALL_START',
  TOOL_CALL_DELTA: 'TOOL_CALL_DELTA',
  TOOL_CALL_END: 'TOOL_CALL_END',
  TOOL_RESULT_START: 'TOOL_RESULT_START',
  TOOL_RESULT_TEXT_DELTA: 'TOOL_RESULT_TEXT_DELTA',
  TOOL_RESULT_DATA_DELTA: 'TOOL_RESULT_DATA_DELTA',
  TOOL_RESULT_END: 'TOOL_RESULT_END',
  REQUIRE_USER_CONFIRM: 'REQUIRE_USER_CONFIRM',
  USER_CONFIRM_RESULT: 'USER_CONFIRM_RESULT',
  REQUIRE_EXTERNAL_EXECUTION: 'REQUIRE_EXTERNAL_EXECUTION',
  EXTERNAL_EXECUTION_RESULT: 'EXTERNAL_EXECUTION_RESULT',
  EXCEED_MAX_ITERS: 'EXCEED_MAX_ITERS',
  REQUEST_STOP: 'REQUEST_STOP',
  SUBAGENT_EXPOSED: 'SUBAGENT_EXPOSED',
  HINT_BLOCK: 'HINT_BLOCK',
  ALL_TOOLS_DENIED: 'ALL_TOOLS_DENIED',
  CUSTOM: 'CUSTOM',
  STATE_UPDATE: 'STATE_UPDATE',
  INTERRUPT: 'INTERRUPT',
  AGUI_EVENT: 'AGUI_EVENT',
} as const;

/** The `type` of an {@link AgentEvent}. */
export type AgentEventType =
  (typeof AgentEventType)[keyof typeof AgentEventType];

/** What every agent event may carry. */
export interface AgentEventBase {
  id?: string;
  /** When it happened, ISO 8601. */
  createdAt?: string;
  /** Absent for the agent itself; a slash-separated path such as `main/researcher` for a subagent. */
  source?: string;
  /** Open; `taskId` and `parentSessionId` are well known. */
  metadata?: Record<string, unknown>;
}

/** Tokens of one model call. Cached and reasoning tokens are parts of the totals; `time` is in seconds. */
export interface ModelUsage {
  inputTokens?: number;
  outputTokens?: number;
  cachedTokens?: number;
  cacheWriteTokens?: number;
  reasoningTokens?: number;
  time?: number;
}

/** The user's answer to one tool call that asked for confirmation. */
export interface ConfirmResult {
  confirmed: boolean;
  toolCall: ToolUseBlock;
  /** What the user said about it. */
  reason?: string;
  rules?: unknown;
}

interface Reply extends AgentEventBase {
  replyId: string;
}

interface Block extends Reply {
  /** Tells apart the blocks of one reply; may be left out when there is one at a time. */
  blockId?: string;
}

interface Call extends Reply {
  toolCallId: string;
  toolCallName: string;
}

interface Events {
  AGENT_START: Reply & {
    sessionId?: string;
    name?: string;
    role?: string;
    /** Sends the run's conversation as `MESSAGES_SNAPSHOT` right before its end. Default false. */
    messagesSnapshot?: boolean;
  };
  AGENT_END: Reply & {
    /** Why a subagent failed; what the client may read. */
    error?: string;
  };
  AGENT_RESULT: AgentEventBase & { result: Msg };
  MODEL_CALL_START: Reply & {
    /** Lowercase vendor id, as in AG-UI's `TokenUsage`. */
    provider?: string;
    /** The model that is asked. */
    model?: string;
  };
  MODEL_CALL_END: Reply & {
    usage?: ModelUsage;
    /** Lowercase vendor id, as in AG-UI's `TokenUsage`. */
    provider?: string;
    /** The model that has answered. */
    model?: string;
    /** The provider's id of the answer. */
    responseId?: string;
    /** Why the model stopped, such as `stop`, `length` or `tool-calls`. */
    finishReason?: string;
  };
  TEXT_BLOCK_START: Block;
  TEXT_BLOCK_DELTA: Block & { delta: string };
  TEXT_BLOCK_END: Block;
  THINKING_BLOCK_START: Block;
  THINKING_BLOCK_DELTA: Block & { delta: string };
  THINKING_BLOCK_END: Block & {
    /** A provider's opaque reasoning artefact, given back to it in the next run. */
    encryptedValue?: string;
  };
  DATA_BLOCK_START: Block & { mediaType: string };
  DATA_BLOCK_DELTA: Block & { mediaType: string; data: string };
  DATA_BLOCK_END: Block & { mediaType: string };
  TOOL_CALL_START: Call;
  TOOL_CALL_DELTA: Call & { delta: string };
  TOOL_CALL_END: Call;
  TOOL_RESULT_START: Call;
  TOOL_RESULT_TEXT_DELTA: Call & { delta: string };
  TOOL_RESULT_DATA_DELTA: Call & { data: ContentBlock };
  TOOL_RESULT_END: Call & {
    state: ToolResultState;
    /**
     * The whole result, in place of what the deltas brought: its images and other files reach clients as
     * such. Those of a data delta are text, their JSON.
     */
    output?: readonly ContentBlock[];
  };
  REQUIRE_USER_CONFIRM: Reply & { toolCalls: ToolUseBlock[] };
  USER_CONFIRM_RESULT: Reply & { confirmResults: ConfirmResult[] };
  REQUIRE_EXTERNAL_EXECUTION: Reply & { toolCalls: ToolUseBlock[] };
  EXTERNAL_EXECUTION_RESULT: Reply & { executionResults: unknown[] };
  EXCEED_MAX_ITERS: Reply & Record<string, unknown>;
  REQUEST_STOP: Reply & Record<string, unknown>;
  SUBAGENT_EXPOSED: AgentEventBase & Record<string, unknown>;
  HINT_BLOCK: Reply & Record<string, unknown>;
  ALL_TOOLS_DENIED: Reply & Record<string, unknown>;
  CUSTOM: AgentEventBase & { name: string; value?: unknown };
  STATE_UPDATE: AgentEventBase & {
    /** The whole new state. */
    state: unknown;
    /** How it leaves: whole, or as a JSON Patch against what the client holds. Default `SNAPSHOT`. */
    mode?: StateUpdateMode;
  };
  INTERRUPT: AgentEventBase & {
    /** What the run stops for; `AGENT_END` ends it with this and all others. */
    interrupt: Interrupt;
  };
  AGUI_EVENT: AgentEventBase & { event: AGUIEvent };
}

/** How a changed state is sent to the client. */
export type StateUpdateMode = 'SNAPSHOT' | 'DELTA';

/**
 * What an agent says while it works; told apart by `type`. The names are those of AgentScope's
 * `AgentEvent`; `STATE_UPDATE` (the agent's new shared state) and `AGUI_EVENT` (an AG-UI event that
 * leaves as it is, such as a step or an activity) are this module's own.
 */
export type AgentEvent = {
  [T in AgentEventType]: { type: T } & Events[T];
}[AgentEventType];

/** The agent event of one type. */
export type AgentEventOf<T extends AgentEventType> = Extract<
  AgentEvent,
  { type: T }
>;
