import type { AgentEventType } from '../agent/agent-event.js';
import { say, text } from './adapter.fixture.js';

export const ATTRIBUTED = { subagentEvents: 'attributed' } as const;

/** A subagent's events: of one source, with one reply per invocation. */
export const sub = (source: string, replyId: string, metadata?: object) => ({
  base: { source, replyId, ...(metadata && { metadata }) },
  say(type: AgentEventType, fields: object = {}) {
    return say(type, { ...this.base, ...fields });
  },
  text(delta: string, fields: object = {}) {
    return text(delta, { ...this.base, ...fields });
  },
});

export const message = (
  messageId: string,
  delta: string,
  subagentRunId?: string,
) => {
  const tag = subagentRunId === undefined ? {} : { subagentRunId };
  return [
    { type: 'TEXT_MESSAGE_START', messageId, role: 'assistant', ...tag },
    { type: 'TEXT_MESSAGE_CONTENT', messageId, delta, ...tag },
    { type: 'TEXT_MESSAGE_END', messageId, ...tag },
  ];
};

export const started = (
  subagentRunId: string,
  name: string,
  rest: object = {},
) => ({
  type: 'SUBAGENT_STARTED',
  subagentRunId,
  name,
  ...rest,
});
