import { EventType, type RunAgentInput } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';
import type { GuardRule } from './guard-rule.js';
import { ProtocolGuard } from './protocol-guard.js';

/** A run input of a client that speaks AG-UI 1.0. */
export function runInput(rest: Partial<RunAgentInput> = {}): RunAgentInput {
  return {
    threadId: 't1',
    runId: 'r1',
    protocolVersion: '1.0',
    messages: [],
    tools: [],
    context: [],
    ...rest,
  };
}

/** A run input of a client that predates AG-UI 1.0. */
export function legacyInput(rest: Partial<RunAgentInput> = {}): RunAgentInput {
  const { protocolVersion: _, ...input } = runInput(rest);
  return input;
}

export interface Guarded {
  events: AguiEvent[];
  rules: GuardRule[];
  details: string[];
}

/** What leaves the guard when an agent sends these events and stops. */
export function guarded(
  sent: readonly unknown[],
  input: RunAgentInput = runInput(),
  options: { finishAfterError?: boolean } = {},
): Guarded {
  const result: Guarded = { events: [], rules: [], details: [] };
  const guard = new ProtocolGuard({
    input,
    emit: (event) => result.events.push(event),
    onRepair: (rule, detail) => {
      result.rules.push(rule);
      result.details.push(detail);
    },
    ...options,
  });
  for (const event of sent) guard.accept(event as AguiEvent);
  guard.end();
  return result;
}

const RUN = { threadId: 't1', runId: 'r1' };
const START = { type: EventType.RUN_STARTED, ...RUN };
const FINISH = { type: EventType.RUN_FINISHED, ...RUN };

/** What becomes of these events inside a run, and the rules that were applied. */
export function inRun(
  sent: readonly unknown[],
  input?: RunAgentInput,
): { events: unknown[]; rules: GuardRule[] } {
  const { events, rules } = guarded([START, ...sent, FINISH], input);
  return { events: events.slice(1, -1), rules };
}
