import type { RunAgentInput } from '@ag-ui/core';
import {
  AguiAgentAdapter,
  RuntimeContext,
  type AguiAdapterConfig,
} from 'nestjs-agui';
import { AiSdkAgent, type AiSdkAgentOptions } from 'nestjs-agui/ai-sdk';
import { inputOf, type Received } from './client.js';

/** How a test runs an agent on a model. */
export interface ModelRun {
  agent: AiSdkAgentOptions;
  /** Changes of the run input. */
  input?: Record<string, unknown>;
  config?: AguiAdapterConfig;
  context?: RuntimeContext;
  /** Called with each event, before the next one is asked for. */
  onEvent?: (event: Received) => unknown;
}

/** The AG-UI events of one run, reasoning included. */
export async function runAgent({
  agent,
  input,
  config,
  context,
  onEvent,
}: ModelRun): Promise<Received[]> {
  const adapter = new AguiAgentAdapter(new AiSdkAgent(agent), {
    enableReasoning: true,
    ...config,
  });
  const events: Received[] = [];
  const run = adapter.run(inputOf(input) as unknown as RunAgentInput, context);
  for await (const event of run) {
    events.push(event as Received);
    await onEvent?.(event as Received);
  }
  return events;
}

/** What the events say, without their ids: `TYPE`, or `TYPE what`. */
export function outlineOf(events: readonly Received[]): string[] {
  return events.map((event) => {
    const { type, delta, toolCallName, content } = event;
    const what = delta ?? toolCallName ?? content;
    return typeof what === 'string' ? `${type} ${what}` : type;
  });
}

/** The deltas of one type, joined. */
export function joined(events: readonly Received[], type: string): string {
  return events
    .filter((event) => event.type === type)
    .map(({ delta }) => delta as string)
    .join('');
}

/** Text and reasoning of a run. */
export function toldBy(events: readonly Received[]): {
  text: string;
  reasoning: string;
} {
  return {
    text: joined(events, 'TEXT_MESSAGE_CONTENT'),
    reasoning: joined(events, 'REASONING_MESSAGE_CONTENT'),
  };
}

/** Each call's arguments as they were streamed. */
export function argumentsOf(
  events: readonly Received[],
): Record<string, string> {
  const args: Record<string, string> = {};
  for (const { type, toolCallId, delta } of events) {
    if (type === 'TOOL_CALL_START') args[toolCallId as string] = '';
    if (type === 'TOOL_CALL_ARGS')
      args[toolCallId as string] += delta as string;
  }
  return args;
}

/** Each result's content, by its call. */
export function resultsOf(events: readonly Received[]): Record<string, string> {
  return Object.fromEntries(
    events
      .filter(({ type }) => type === 'TOOL_CALL_RESULT')
      .map(({ toolCallId, content }) => [toolCallId, content]),
  );
}

/** The event that ends the run. */
export function lastOf(events: readonly Received[]): Received {
  return events.at(-1)!;
}
