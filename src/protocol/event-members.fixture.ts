import { EventType } from '@ag-ui/core';
import fc, { type Arbitrary } from 'fast-check';

export type Members = Record<string, Arbitrary<unknown>>;

const id = fc.constantFrom('a', 'a', 'a', 'b', 'b', 'u1', '', 'a-text');
const callId = fc.constantFrom('a', 'c1', 'c1', 'old-call');
const subagent = fc.constantFrom('s1', 's1', 's2', 's2', '');
const delta = fc.constantFrom('x', '', 'y z', '\ud800', '\u2028\n');
export const json = fc.constantFrom<unknown>(
  null,
  0,
  'text',
  [1],
  { k: null },
  7n,
);
export const record = fc.constantFrom<unknown>(
  {},
  { k: null },
  { list: [1, 2] },
);

const part = fc.constantFrom<unknown>(
  { type: 'text', text: 'part' },
  { type: 'image', source: { type: 'url', value: 'https://x.test/i.png' } },
  { type: 'document', source: { type: 'file', value: 'file-1' } },
  { type: 'image', source: { type: 'hologram', value: 'h' } },
  { type: 'hologram' },
  { type: 'text' },
  7,
);
const content = fc.oneof(
  fc.constantFrom<unknown>('done', '', null, { ok: 1n }, 3),
  fc.array(part, { maxLength: 3 }),
);
const message = fc.oneof(
  fc.record(
    {
      id,
      role: fc.constantFrom('assistant', 'developer', 'system', 'reasoning'),
      content: fc.constant('said'),
      subagentRunId: subagent,
      toolCalls: fc.array(
        fc.record({
          id: callId,
          type: fc.constant('function'),
          function: fc.constant({ name: 'tool', arguments: '{}' }),
        }),
        { maxLength: 2 },
      ),
    },
    { requiredKeys: ['id', 'role', 'content'] },
  ),
  fc.record({ id, role: fc.constant('user'), content }),
  fc.record({ id, role: fc.constant('tool'), toolCallId: callId, content }),
  fc.record({
    id,
    role: fc.constant('activity'),
    activityType: fc.constant('plan'),
    content: record,
  }),
  fc.record({ id, role: fc.constant('oracle') }),
);
const patch = fc.array(
  fc.constantFrom<unknown>(
    { op: 'add', path: '/k', value: 1, note: 'extra' },
    { op: 'remove', path: '/k' },
    { op: 'increment', path: '/k' },
    { op: 'add', path: 'no-slash', value: 1 },
  ),
  { maxLength: 2 },
);
const usage = fc.constantFrom<unknown>(
  [{ provider: 'p', inputTokens: 1, mood: 'good' }],
  [{ inputTokens: -1 }],
);
const interrupt = fc.record(
  {
    id: fc.constantFrom('i1', 'i2'),
    reason: fc.constant('tool_call'),
    message: fc.constantFrom('ask', null),
    subagentRunId: subagent,
  },
  { requiredKeys: ['id', 'reason'] },
);
const outcome = fc.oneof(
  fc.constantFrom<unknown>(
    { type: 'success', pendingToolCallIds: ['never-made'] },
    { type: 'cancelled' },
    { type: 'paused' },
    [{ type: 'success' }],
    'success',
  ),
  fc.record({
    type: fc.constant('interrupt'),
    interrupts: fc.array(interrupt, { maxLength: 3 }),
  }),
);

const tagged: Members = { subagentRunId: subagent };
/** The members of every event, with values that are right more often than not. */
export const MEMBERS: Record<
  EventType,
  [required: Members, optional: Members]
> = {
  TEXT_MESSAGE_START: [
    { messageId: id },
    {
      role: fc.constantFrom('assistant', 'user', 'system', 'tool'),
      name: fc.constant('Ann'),
      ...tagged,
    },
  ],
  TEXT_MESSAGE_CONTENT: [{ messageId: id, delta }, tagged],
  TEXT_MESSAGE_END: [{ messageId: id }, tagged],
  TEXT_MESSAGE_CHUNK: [
    {},
    {
      messageId: id,
      role: fc.constantFrom('assistant', 'user'),
      delta,
      ...tagged,
    },
  ],
  TOOL_CALL_START: [
    { toolCallId: callId, toolCallName: fc.constantFrom('tool', 'other') },
    { parentMessageId: id, ...tagged },
  ],
  TOOL_CALL_ARGS: [{ toolCallId: callId, delta }, tagged],
  TOOL_CALL_END: [{ toolCallId: callId }, tagged],
  TOOL_CALL_CHUNK: [
    {},
    {
      toolCallId: callId,
      toolCallName: fc.constantFrom('tool', 'other'),
      parentMessageId: id,
      delta,
      ...tagged,
    },
  ],
  TOOL_CALL_RESULT: [{ messageId: id, toolCallId: callId, content }, tagged],
  STATE_SNAPSHOT: [{ snapshot: json }, tagged],
  STATE_DELTA: [{ delta: patch }, tagged],
  MESSAGES_SNAPSHOT: [{ messages: fc.array(message, { maxLength: 4 }) }, {}],
  ACTIVITY_SNAPSHOT: [
    { messageId: id, activityType: fc.constant('plan'), content: record },
    { replace: fc.boolean(), ...tagged },
  ],
  ACTIVITY_DELTA: [
    { messageId: id, activityType: fc.constant('plan'), patch },
    tagged,
  ],
  RAW: [{ event: json }, { source: fc.constant('provider'), ...tagged }],
  CUSTOM: [{ name: fc.constant('n'), value: json }, tagged],
  RUN_STARTED: [
    {},
    {
      threadId: fc.constant('other'),
      runId: fc.constant('other'),
      parentRunId: fc.constant('p'),
      input: fc.record(
        {
          threadId: fc.constant('t1'),
          runId: fc.constant('r1'),
          messages: fc.array(message, { maxLength: 3 }),
          tools: fc.constant([{ name: 'tool', description: 'd' }]),
          context: fc.constant([]),
        },
        { requiredKeys: ['threadId', 'runId', 'messages'] },
      ),
    },
  ],
  RUN_FINISHED: [
    {},
    { threadId: fc.constant('other'), outcome, usage, result: json },
  ],
  RUN_ERROR: [
    { message: fc.constant('failed') },
    { code: fc.constant('C'), usage },
  ],
  STEP_STARTED: [{ stepName: fc.constantFrom('plan', 'act') }, tagged],
  STEP_FINISHED: [{ stepName: fc.constantFrom('plan', 'act') }, tagged],
  REASONING_START: [{ messageId: id }, tagged],
  REASONING_MESSAGE_START: [
    { messageId: id },
    { role: fc.constantFrom('reasoning', 'assistant'), ...tagged },
  ],
  REASONING_MESSAGE_CONTENT: [{ messageId: id, delta }, tagged],
  REASONING_MESSAGE_END: [{ messageId: id }, tagged],
  REASONING_MESSAGE_CHUNK: [{}, { messageId: id, delta, ...tagged }],
  REASONING_END: [{ messageId: id }, tagged],
  REASONING_ENCRYPTED_VALUE: [
    {
      subtype: fc.constantFrom('message', 'tool-call', 'dream'),
      entityId: fc.oneof(id, callId),
      encryptedValue: fc.constant('opaque'),
    },
    tagged,
  ],
  SUBAGENT_STARTED: [
    { subagentRunId: subagent, name: fc.constant('helper') },
    { parentSubagentRunId: subagent, parentToolCallId: callId },
  ],
  SUBAGENT_FINISHED: [
    { subagentRunId: subagent },
    {
      outcome: fc.constantFrom<unknown>(
        { type: 'suspended', interruptIds: ['i1'] },
        { type: 'suspended', interruptIds: [1] },
        { type: 'lost' },
      ),
      result: json,
    },
  ],
  SUBAGENT_ERROR: [
    { subagentRunId: subagent, message: fc.constant('failed') },
    {},
  ],
};
