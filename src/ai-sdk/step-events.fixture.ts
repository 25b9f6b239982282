import type { AgentEvent } from '../agent/agent-event.js';
import { StepEvents, type StepEventsOptions } from './step-events.js';

export type Part = Parameters<StepEvents['convert']>[0];

export function stepsOf(options: Partial<StepEventsOptions> = {}): StepEvents {
  let count = 0;
  return new StepEvents({
    thinkTags: true,
    maxSteps: 2,
    newReplyId: () => `r${count++}`,
    asked: (step) => ({ provider: `acme-${step}`, model: 'm0' }),
    isHidden: (name) => name === 'hidden',
    ...options,
  });
}

export function convert(steps: StepEvents, ...parts: object[]): AgentEvent[] {
  return parts.flatMap((part) => [...steps.convert(part as Part)]);
}

export const eventsOf = (...parts: object[]) => convert(stepsOf(), ...parts);

export const text = (text: string, id = 't') => ({
  type: 'text-delta',
  id,
  text,
});

export const start = (id: string, toolName = 'f') => ({
  type: 'tool-input-start',
  id,
  toolName,
});

export const call = (
  toolCallId: string,
  input: unknown,
  more: object = {},
) => ({
  type: 'tool-call',
  toolCallId,
  toolName: 'f',
  input,
  ...more,
});

/** `TYPE` or `TYPE what`. */
export const outline = (events: AgentEvent[]) =>
  events.map((event) => {
    const { type, delta, data, state } = event as unknown as Record<
      string,
      string
    > & { data?: { text: string } };
    const what = delta ?? data?.text ?? state;
    return what === undefined ? type : `${type} ${what}`;
  });
