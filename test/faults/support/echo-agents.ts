import type { BaseEvent, RunAgentInput } from '@ag-ui/core';
import {
  textOf,
  type Agent,
  type AgentEvent,
  type Msg,
  type ProtocolAgent,
  type RuntimeContext,
} from 'nestjs-agui';

/** Says all that it was told: the last message, each tool by a call, the context, the state. */
export const echo: Agent = {
  async *streamEvents(
    messages: Msg[],
    context: RuntimeContext,
  ): AsyncGenerator<AgentEvent> {
    const replyId = 'reply';
    yield { type: 'AGENT_START', replyId };
    const last = messages.at(-1);
    if (last !== undefined)
      yield { type: 'TEXT_BLOCK_DELTA', replyId, delta: textOf(last) };
    for (const [n, { name }] of context.toolkit.list().slice(0, 3).entries()) {
      const call = { replyId, toolCallId: `c${n}`, toolCallName: name };
      yield { type: 'TOOL_CALL_START', ...call };
      yield { type: 'TOOL_CALL_DELTA', ...call, delta: '{}' };
      yield { type: 'TOOL_CALL_END', ...call };
    }
    const value = context.get('agui.context');
    yield { type: 'CUSTOM', name: 'context', value };
    const state: unknown = context.get('agui.state');
    const more =
      typeof state === 'string' ? state : { ...(state as object), more: true };
    yield { type: 'STATE_UPDATE', state: more, mode: 'DELTA' };
    yield { type: 'STATE_UPDATE', state };
    yield { type: 'AGENT_END', replyId };
  },
};

/** Says in AG-UI what it was told in AG-UI. */
export const protocolEcho: ProtocolAgent = {
  async *run(input: RunAgentInput): AsyncGenerator<BaseEvent> {
    const { threadId, runId, messages, state } = input;
    yield { type: 'RUN_STARTED', threadId, runId } as BaseEvent;
    yield { type: 'MESSAGES_SNAPSHOT', messages } as BaseEvent;
    yield { type: 'STATE_SNAPSHOT', snapshot: state ?? {} } as BaseEvent;
    yield {
      type: 'STATE_DELTA',
      delta: [{ op: 'add', path: '/more', value: true }],
    } as BaseEvent;
    yield { type: 'RUN_FINISHED', threadId, runId } as BaseEvent;
  },
};
