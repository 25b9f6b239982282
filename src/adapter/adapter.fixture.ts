import { PROTOCOL_VERSION, type RunAgentInput } from '@ag-ui/core';
import { Logger } from '@nestjs/common';
import { afterEach, beforeEach, vi } from 'vitest';
import type { AgentEvent, AgentEventType } from '../agent/agent-event.js';
import type { Agent } from '../agent/agent.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';

/** The first and the last event of an ordinary run of {@link inputOf}. */
export const STARTED = {
  type: 'RUN_STARTED',
  threadId: 't1',
  runId: 'run1',
  protocolVersion: PROTOCOL_VERSION,
};
export const FINISHED = {
  type: 'RUN_FINISHED',
  threadId: 't1',
  runId: 'run1',
};

export function inputOf(given: Partial<RunAgentInput> = {}): RunAgentInput {
  return {
    threadId: 't1',
    runId: 'run1',
    protocolVersion: PROTOCOL_VERSION,
    messages: [],
    tools: [],
    context: [],
    ...given,
  };
}

/** An agent event of the reply `r1`. */
export function say(
  type: AgentEventType,
  fields: Record<string, unknown> = {},
): AgentEvent {
  return { type, replyId: 'r1', ...fields } as AgentEvent;
}

export const START = say('AGENT_START');
export const END = say('AGENT_END');

/** A text block's delta. */
export function text(delta: string, fields: object = {}): AgentEvent {
  return say('TEXT_BLOCK_DELTA', { blockId: 'b1', delta, ...fields });
}

/** A thinking block's delta. */
export function thinking(delta: string, fields: object = {}): AgentEvent {
  return say('THINKING_BLOCK_DELTA', { blockId: 'k1', delta, ...fields });
}

/** A whole tool call. */
export function call(
  toolCallId: string,
  toolCallName: string,
  args: string,
  fields: object = {},
): AgentEvent[] {
  const base = { toolCallId, toolCallName, ...fields };
  return [
    say('TOOL_CALL_START', base),
    say('TOOL_CALL_DELTA', { ...base, delta: args }),
    say('TOOL_CALL_END', base),
  ];
}

/** A whole tool result of one text. */
export function result(
  toolCallId: string,
  delta: string,
  fields: object = {},
): AgentEvent[] {
  const base = { toolCallId, toolCallName: 'f', ...fields };
  return [
    say('TOOL_RESULT_START', base),
    say('TOOL_RESULT_TEXT_DELTA', { ...base, delta }),
    say('TOOL_RESULT_END', { state: 'success', ...base }),
  ];
}

/** An agent whose every run goes as written. */
export function agentOf(
  script: (
    messages: Msg[],
    context: RuntimeContext,
  ) => ReturnType<Agent['streamEvents']>,
  rest: Partial<Agent> = {},
): Agent {
  return { ...rest, streamEvents: script };
}

/** An agent that says these events, after which it may fail. */
export function scripted(
  events: Iterable<unknown>,
  failure?: { error: unknown },
): Agent {
  return agentOf(async function* () {
    for (const event of events) {
      await Promise.resolve();
      yield event as AgentEvent;
    }
    if (failure !== undefined) throw failure.error;
  });
}

export async function collect(
  events: AsyncIterable<AguiEvent>,
): Promise<AguiEvent[]> {
  const all: AguiEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

/** What becomes of a run in which the agent says these events. */
export function runOf(
  events: unknown[],
  config: AguiAdapterConfig = {},
  input: RunAgentInput = inputOf(),
  context?: RuntimeContext,
): Promise<AguiEvent[]> {
  const adapter = new AguiAgentAdapter(scripted(events), config);
  return collect(adapter.run(input, context));
}

/** What becomes of a run of these events, between `AGENT_START` and `AGENT_END`. */
export function convert(
  events: unknown[],
  config?: AguiAdapterConfig,
  input?: RunAgentInput,
  context?: RuntimeContext,
): Promise<AguiEvent[]> {
  return runOf([START, ...events, END], config, input, context);
}

/** Keeps the log quiet, and remembers what a test wrote to it. */
export function watchLogs(): { warnings: string[]; errors: unknown[][] } {
  const logs = { warnings: [] as string[], errors: [] as unknown[][] };
  beforeEach(() => {
    logs.warnings.length = 0;
    logs.errors.length = 0;
    vi.spyOn(Logger.prototype, 'warn').mockImplementation((message) => {
      logs.warnings.push(String(message));
    });
    vi.spyOn(Logger.prototype, 'error').mockImplementation((...entry) => {
      logs.errors.push(entry);
    });
  });
  afterEach(() => {
    vi.restoreAllMocks();
  });
  return logs;
}

/** Keeps the log quiet, and fails a test that wrote to it. */
export function expectQuietLogs(): void {
  const logs = watchLogs();
  afterEach(() => {
    const written = [...logs.warnings, ...logs.errors.flat()];
    if (written.length > 0)
      throw new Error(`The log says: ${written.map(String).join('; ')}`);
  });
}
