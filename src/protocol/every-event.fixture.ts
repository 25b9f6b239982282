import { EventType } from '@ag-ui/core';
import type { AguiEvent } from './agui-event.js';

const source = { type: 'url', value: 'https://x.test/i.png' } as const;
const parts = [
  { type: 'text', text: 'see' },
  { type: 'image', source, metadata: { alt: null } },
  { type: 'document', source: { type: 'file', value: 'f1', provider: 'p' } },
] as const;

const COMMON = {
  timestamp: 1_700_000_000_000,
  metadata: { trace: 'x', nothing: null },
};

/** At least one event of every type, with all that it can carry. */
export const EVERY_EVENT: AguiEvent[] = [
  {
    type: EventType.RUN_STARTED,
    threadId: 't1',
    runId: 'r1',
    protocolVersion: '1.0',
    ...COMMON,
  },
  {
    type: EventType.RUN_FINISHED,
    threadId: 't1',
    runId: 'r1',
    result: [1, null],
    usage: [{ provider: 'p', model: 'm', inputTokens: 0, outputTokens: 7 }],
    outcome: { type: 'success', pendingToolCallIds: ['c1'] },
  },
  {
    type: EventType.RUN_FINISHED,
    threadId: 't1',
    runId: 'r1',
    outcome: {
      type: 'interrupt',
      interrupts: [{ id: 'i1', reason: 'tool_call', toolCallId: 'c1' }],
    },
  },
  {
    type: EventType.RUN_FINISHED,
    threadId: 't1',
    runId: 'r1',
    outcome: { type: 'cancelled' },
  },
  { type: EventType.RUN_FINISHED, threadId: 't1', runId: 'r1' },
  { type: EventType.RUN_ERROR, message: 'failed', code: 'X' },
  { type: EventType.STEP_STARTED, stepName: 'plan', subagentRunId: '' },
  { type: EventType.STEP_FINISHED, stepName: 'plan' },
  {
    type: EventType.TEXT_MESSAGE_START,
    messageId: 'm1',
    role: 'assistant',
    name: 'Ann',
    subagentRunId: 's1',
  },
  {
    type: EventType.TEXT_MESSAGE_CONTENT,
    messageId: 'm1',
    delta: 'Grüße \u{1f600}',
    rawEvent: { provider: null },
  },
  { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' },
  { type: EventType.TEXT_MESSAGE_CHUNK, messageId: 'm1', delta: 'x' },
  {
    type: EventType.TOOL_CALL_START,
    toolCallId: 'c1',
    toolCallName: 'search',
    parentMessageId: 'm1',
  },
  { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{"q":' },
  { type: EventType.TOOL_CALL_END, toolCallId: 'c1' },
  {
    type: EventType.TOOL_CALL_CHUNK,
    toolCallId: 'c1',
    toolCallName: 'search',
  },
  {
    type: EventType.TOOL_CALL_RESULT,
    messageId: 'm2',
    toolCallId: 'c1',
    content: '',
    role: 'tool',
  },
  {
    type: EventType.TOOL_CALL_RESULT,
    messageId: 'm2',
    toolCallId: 'c1',
    content: [...parts],
  },
  { type: EventType.STATE_SNAPSHOT, snapshot: null },
  { type: EventType.STATE_SNAPSHOT, snapshot: { a: [0.5, { b: false }] } },
  {
    type: EventType.STATE_DELTA,
    delta: [
      { op: 'add', path: '/a/0', value: null },
      { op: 'remove', path: '' },
      { op: 'move', from: '/a~1b', path: '/c' },
    ],
  },
  {
    type: EventType.MESSAGES_SNAPSHOT,
    messages: [
      { id: '1', role: 'user', content: [...parts] },
      {
        id: '2',
        role: 'assistant',
        toolCalls: [
          {
            id: 'c1',
            type: 'function',
            function: { name: 'search', arguments: '{}' },
          },
        ],
      },
      { id: '3', role: 'tool', toolCallId: 'c1', content: 'ok', error: 'e' },
      { id: '4', role: 'reasoning', content: '', encryptedValue: 'v' },
      { id: '5', role: 'activity', activityType: 'plan', content: { n: null } },
    ],
  },
  {
    type: EventType.ACTIVITY_SNAPSHOT,
    messageId: 'm3',
    activityType: 'plan',
    content: { steps: [] },
    replace: false,
  },
  {
    type: EventType.ACTIVITY_DELTA,
    messageId: 'm3',
    activityType: 'plan',
    patch: [{ op: 'replace', path: '/steps', value: ['a'] }],
  },
  { type: EventType.RAW, event: { any: [null] }, source: 'provider' },
  { type: EventType.CUSTOM, name: 'n', value: 'v' },
  { type: EventType.REASONING_START, messageId: 'm4' },
  {
    type: EventType.REASONING_MESSAGE_START,
    messageId: 'm4',
    role: 'reasoning',
  },
  {
    type: EventType.REASONING_MESSAGE_CONTENT,
    messageId: 'm4',
    delta: 'hm',
  },
  { type: EventType.REASONING_MESSAGE_END, messageId: 'm4' },
  { type: EventType.REASONING_MESSAGE_CHUNK, messageId: 'm4', delta: 'hm' },
  { type: EventType.REASONING_END, messageId: 'm4' },
  {
    type: EventType.REASONING_ENCRYPTED_VALUE,
    subtype: 'tool-call',
    entityId: 'c1',
    encryptedValue: 'v',
  },
  {
    type: EventType.SUBAGENT_STARTED,
    subagentRunId: 's2',
    name: 'helper',
    parentSubagentRunId: 's1',
    parentToolCallId: 'c1',
  },
  {
    type: EventType.SUBAGENT_FINISHED,
    subagentRunId: 's2',
    result: { n: 1 },
    outcome: { type: 'suspended', interruptIds: ['i1'] },
  },
  {
    type: EventType.SUBAGENT_ERROR,
    subagentRunId: 's2',
    message: 'failed',
    code: 'X',
  },
];
