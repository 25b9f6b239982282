import { EventType } from '@ag-ui/core';

type Members = Record<string, unknown>;

/** Makes events of one type, about the item of that id. */
function about(type: EventType, idMember: string) {
  return (id: string, rest: Members = {}): Members => ({
    type,
    [idMember]: id,
    ...rest,
  });
}

/** The same, for the pieces of a stream. */
function pieceOf(type: EventType, idMember: string) {
  return (id: string, delta: string, rest: Members = {}): Members => ({
    type,
    [idMember]: id,
    delta,
    ...rest,
  });
}

const textStart = about(EventType.TEXT_MESSAGE_START, 'messageId');
const thoughtStart = about(EventType.REASONING_MESSAGE_START, 'messageId');
const callStart = about(EventType.TOOL_CALL_START, 'toolCallId');
const result = about(EventType.TOOL_CALL_RESULT, 'toolCallId');
const subagentStart = about(EventType.SUBAGENT_STARTED, 'subagentRunId');

/** Short spellings of the events that streams are made of. */
export const text = {
  start: (id: string, rest: Members = {}): Members =>
    textStart(id, { role: 'assistant', ...rest }),
  content: pieceOf(EventType.TEXT_MESSAGE_CONTENT, 'messageId'),
  end: about(EventType.TEXT_MESSAGE_END, 'messageId'),
};

export const thought = {
  start: (id: string, rest: Members = {}): Members =>
    thoughtStart(id, { role: 'reasoning', ...rest }),
  content: pieceOf(EventType.REASONING_MESSAGE_CONTENT, 'messageId'),
  end: about(EventType.REASONING_MESSAGE_END, 'messageId'),
};

export const span = {
  start: about(EventType.REASONING_START, 'messageId'),
  end: about(EventType.REASONING_END, 'messageId'),
};

export const call = {
  start: (id: string, rest: Members = {}): Members =>
    callStart(id, { toolCallName: 'search', ...rest }),
  args: pieceOf(EventType.TOOL_CALL_ARGS, 'toolCallId'),
  end: about(EventType.TOOL_CALL_END, 'toolCallId'),
  result: (id: string, messageId: string, rest: Members = {}): Members =>
    result(id, { messageId, content: 'ok', ...rest }),
};

export const step = {
  start: about(EventType.STEP_STARTED, 'stepName'),
  end: about(EventType.STEP_FINISHED, 'stepName'),
};

export const subagent = {
  start: (id: string, rest: Members = {}): Members =>
    subagentStart(id, { name: 'helper', ...rest }),
  end: about(EventType.SUBAGENT_FINISHED, 'subagentRunId'),
};

/** The tags of what two subagents send. */
export const s1: Members = { subagentRunId: 's1' };
export const s2: Members = { subagentRunId: 's2' };
