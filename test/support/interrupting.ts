import type { Interrupt } from '@ag-ui/core';
import { type Agent, type AgentEvent, type Msg } from 'nestjs-agui';
import { agentOf, reply } from './agents.js';
import type { TestApp } from './app.js';
import { inputOf, run, type PostOptions, type Received } from './client.js';

/** The events of a reply that asks for the user's consent to some calls. */
export function askConsent(...ids: string[]): AgentEvent[] {
  const toolCalls = ids.map((id) => ({
    type: 'tool_use' as const,
    id,
    name: 'send',
    input: { to: id },
    content: JSON.stringify({ to: id }),
  }));
  return [{ type: 'REQUIRE_USER_CONFIRM', replyId: 'r', toolCalls }];
}

/** The events of a reply that stops because a tool is executed elsewhere. */
export function suspend(id: string): AgentEvent[] {
  const call = { id, name: 'deploy' };
  return [
    {
      type: 'AGENT_RESULT',
      result: {
        id: 'r',
        role: 'assistant',
        generateReason: 'TOOL_SUSPENDED',
        content: [
          { type: 'tool_use', ...call, input: {}, content: '{}' },
          {
            type: 'tool_result',
            ...call,
            output: [{ type: 'text', text: 'Deploy it, please' }],
            state: 'running',
          },
        ],
      },
    },
  ];
}

/** The event that asks something of the agent's own. */
export function ask(interrupt: Partial<Interrupt> = {}): AgentEvent[] {
  return [
    {
      type: 'INTERRUPT',
      interrupt: { id: 'q1', reason: 'input_required', ...interrupt },
    },
  ];
}

/** What an agent does in one run; nothing is a run with text. */
export type Script =
  | readonly AgentEvent[]
  | (() => AsyncIterable<AgentEvent> | Iterable<AgentEvent>);

/** An agent that plays one script a run, and remembers what it was told. */
export function actor(...scripts: Script[]): Agent & { told: Msg[][] } {
  const told: Msg[][] = [];
  const agent = agentOf(async function* (messages) {
    const script = scripts[told.length] ?? [reply.text('fine')];
    told.push(messages);
    yield reply.start();
    yield* typeof script === 'function' ? script() : script;
    yield reply.end();
  });
  return Object.assign(agent, { told });
}

/** The interrupts that a run ended with. */
export function interruptsOf(events: readonly Received[]): Interrupt[] {
  const { outcome } = events.at(-1) as {
    outcome?: { interrupts?: Interrupt[] };
  };
  return outcome?.interrupts ?? [];
}

/** An entry of `resume`. */
export function answer(
  interrupt: Pick<Interrupt, 'id'> | string,
  payload?: unknown,
  status = 'resolved',
) {
  const interruptId = typeof interrupt === 'string' ? interrupt : interrupt.id;
  return { interruptId, status, ...(payload !== undefined && { payload }) };
}

/** The next run of a thread, with answers. */
export function resume(
  app: Pick<TestApp, 'url'>,
  entries: readonly object[],
  changes: Record<string, unknown> = {},
  options?: PostOptions,
): Promise<Received[]> {
  return run(
    app,
    inputOf({ runId: 'r2', resume: entries, ...changes }),
    options,
  );
}

/** The text of a run that was refused; undefined if it was not. */
export function refusalOf(events: readonly Received[]): string | undefined {
  const [started, error, ...rest] = events;
  const isRefused =
    started?.type === 'RUN_STARTED' &&
    error?.type === 'RUN_ERROR' &&
    error['code'] === 'AGUI_INTERRUPT_CONTRACT_ERROR' &&
    rest.length === 0;
  return isRefused ? (error['message'] as string) : undefined;
}
