import type { Interrupt } from '@ag-ui/core';
import type { AgentEventOf, AgentEventType } from '../agent/agent-event.js';
import type { Msg } from '../agent/msg.js';
import type { RuntimeContext } from '../agent/runtime-context.js';
import { jsonText } from '../protocol/json-text.js';

/** An agent event; the fake agent gives it the id of its reply, unless it has one. */
export type FakeEvent = {
  [T in AgentEventType]: { type: T; replyId?: string } & Omit<
    AgentEventOf<T>,
    'type' | 'replyId'
  >;
}[AgentEventType];

/** Says a piece of reasoning; clients get it with `enable-reasoning`. */
export interface FakeThinking {
  thinking: string;
}

/** Calls a tool. Without `result` and `error` the call is left to the front end. */
export interface FakeToolCall {
  toolCall: string;
  /** What is no text is sent as JSON. Default `{}`. */
  args?: unknown;
  /** Default: one of its own. */
  id?: string;
  /** What is no text is sent as JSON. */
  result?: unknown;
  /** Why the tool failed. */
  error?: string;
}

/** Has the run end by waiting for an answer. Defaults: an id of its own, the reason `input_required`. */
export interface FakeInterrupt {
  interrupt: Partial<Interrupt>;
}

/** Changes the shared state. */
export interface FakeState {
  state: unknown;
}

/** What a fake agent was asked. */
export interface FakeRun {
  messages: readonly Msg[];
  context: RuntimeContext;
}

/**
 * What a fake agent does next: says a text, one of the objects above, or an agent event; waits for a
 * promise; throws an error; or does what a function says, for what depends on the run.
 */
export type FakeStep =
  | string
  | FakeSaying
  | PromiseLike<unknown>
  | Error
  | ((
      run: FakeRun,
    ) => FakeTurn | undefined | PromiseLike<FakeTurn | undefined>);

/** What a fake agent does in one run: one step, or several. */
export type FakeTurn = FakeStep | readonly FakeStep[];

export type FakeSaying =
  FakeThinking | FakeToolCall | FakeInterrupt | FakeState | FakeEvent;

/** The events by which an agent says it. */
export function eventsOf(
  saying: FakeSaying,
  idOf: (what: 'call' | 'interrupt') => string,
): FakeEvent[] {
  if ('type' in saying) return [saying];
  if ('thinking' in saying)
    return [{ type: 'THINKING_BLOCK_DELTA', delta: saying.thinking }];
  if ('state' in saying) return [{ type: 'STATE_UPDATE', state: saying.state }];
  if ('toolCall' in saying)
    return callEvents(saying, saying.id ?? idOf('call'));
  const { interrupt } = saying;
  return [
    {
      type: 'INTERRUPT',
      interrupt: {
        reason: 'input_required',
        ...interrupt,
        id: interrupt.id ?? idOf('interrupt'),
      },
    },
  ];
}

function callEvents(
  { toolCall: toolCallName, args = {}, result, error }: FakeToolCall,
  toolCallId: string,
): FakeEvent[] {
  const call = { toolCallId, toolCallName };
  const events: FakeEvent[] = [
    { type: 'TOOL_CALL_START', ...call },
    { type: 'TOOL_CALL_DELTA', ...call, delta: textOf(args) },
    { type: 'TOOL_CALL_END', ...call },
  ];
  if (result === undefined && error === undefined) return events;
  const state = error === undefined ? 'success' : 'error';
  return [
    ...events,
    { type: 'TOOL_RESULT_START', ...call },
    { type: 'TOOL_RESULT_TEXT_DELTA', ...call, delta: textOf(error ?? result) },
    { type: 'TOOL_RESULT_END', ...call, state },
  ];
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : jsonText(value);
}
