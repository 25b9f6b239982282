import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import {
  call,
  s1,
  s2,
  span,
  step,
  subagent,
  text,
  thought,
} from './events.fixture.js';
import { guarded } from './guarded.fixture.js';
import { objectionsOf10, received } from './official-clients.fixture.js';

const RUN = { threadId: 't1', runId: 'r1' };
const start = { type: EventType.RUN_STARTED, ...RUN, protocolVersion: '1.0' };
const finish = (rest: object = {}) => ({
  type: EventType.RUN_FINISHED,
  ...RUN,
  ...rest,
});
const said = (id: string, words: string, rest: object = {}) => [
  text.start(id, { ...rest }),
  text.content(id, words),
  text.end(id),
];
const snapshot = (state: unknown) => ({
  type: EventType.STATE_SNAPSHOT,
  snapshot: state,
});
const activity = (rest: object) => ({
  type: EventType.ACTIVITY_SNAPSHOT,
  messageId: 'act',
  activityType: 'search',
  content: { found: 1 },
  ...rest,
});

/** Legal runs, one for each thing that AG-UI allows and a guard might think wrong. */
const LEGAL: Record<string, object[]> = {
  'an empty run': [finish()],
  'an answer within a step': [
    step.start('answer'),
    ...said('m1', 'Guten Tag'),
    snapshot({ greeted: true }),
    step.end('answer'),
    finish({ result: { ok: true }, usage: [{ model: 'm', outputTokens: 0 }] }),
  ],
  'a message that goes on after its end': [
    ...said('m1', 'one '),
    ...said('m1', 'two'),
    finish(),
  ],
  'messages, calls and steps across each other': [
    text.start('m1'),
    step.start('a'),
    call.start('c1', { parentMessageId: 'm1' }),
    text.start('m2'),
    call.start('c2', { parentMessageId: 'm1' }),
    text.content('m1', 'x'),
    call.args('c2', '{'),
    step.start('b'),
    call.args('c1', 'not JSON'),
    step.end('a'),
    text.content('m2', 'y'),
    call.end('c1'),
    text.end('m1'),
    call.args('c2', '}'),
    call.end('c2'),
    text.end('m2'),
    step.end('b'),
    call.result('c1', 'm3'),
    call.result('c2', 'm4'),
    finish(),
  ],
  'reasoning before the answer': [
    span.start('think'),
    thought.start('m1'),
    thought.content('m1', 'well'),
    thought.end('m1'),
    {
      type: EventType.REASONING_ENCRYPTED_VALUE,
      subtype: 'message',
      entityId: 'm1',
      encryptedValue: 'b64',
    },
    span.end('think'),
    ...said('m2', 'so'),
    finish(),
  ],
  'a result in parts, one of them a file at the provider': [
    call.start('c1', { parentMessageId: 'a1' }),
    call.args('c1', '{"id":7}'),
    call.end('c1'),
    call.result('c1', 'm1', {
      content: [
        { type: 'text', text: 'Report 7' },
        {
          type: 'document',
          id: 'd1',
          source: { type: 'file', value: 'file-7', provider: 'openai' },
          metadata: { title: 'Report 7' },
        },
      ],
    }),
    ...said('m2', 'Here it is'),
    finish(),
  ],
  'a call for the client to answer': [
    call.start('c1'),
    call.end('c1'),
    finish({ outcome: { type: 'success', pendingToolCallIds: ['c1'] } }),
  ],
  'a result for a call of an earlier run': [call.result('c0', 'm1'), finish()],
  'metadata with keys that only the vendor knows, null among the values': [
    text.start('m1', { metadata: { 'acme/span': null, list: [1, 2] } }),
    text.content('m1', 'x', { metadata: { list: [3] } }),
    text.end('m1', { metadata: { tokens: 1 }, rawEvent: { done: [null] } }),
    finish({ metadata: { ms: 5 } }),
  ],
  'an activity that is amended, and not replaced': [
    activity({}),
    {
      type: EventType.ACTIVITY_DELTA,
      messageId: 'act',
      activityType: 'search',
      patch: [{ op: 'replace', path: '/found', value: 2 }],
    },
    activity({ replace: false, activityType: 'other', content: {} }),
    activity({ replace: true }),
    finish(),
  ],
  'a delta for an activity that only the client knows': [
    {
      type: EventType.ACTIVITY_DELTA,
      messageId: 'gone',
      activityType: 'search',
      patch: [],
    },
    finish(),
  ],
  'an encrypted value for what only the client knows': [
    {
      type: EventType.REASONING_ENCRYPTED_VALUE,
      subtype: 'tool-call',
      entityId: 'c9',
      encryptedValue: 'b64',
    },
    finish(),
  ],
  'states of any kind': [
    ...[{ a: 1 }, ['b'], 'c', 0, false, '', null].map(snapshot),
    finish(),
  ],
  'a patch with members that the RFC leaves open': [
    {
      type: EventType.STATE_DELTA,
      delta: [
        { op: 'remove', path: '/a', value: 'left over' },
        { op: 'test', path: '', value: null },
      ],
    },
    { type: EventType.STATE_DELTA, delta: [] },
    finish(),
  ],
  'a snapshot that corrects one message and takes back another': [
    ...said('m1', 'frist'),
    ...said('m2', 'oops'),
    {
      type: EventType.MESSAGES_SNAPSHOT,
      messages: [
        { id: 'u1', role: 'user', content: [{ type: 'text', text: 'hi' }] },
        { id: 'm1', role: 'assistant', content: 'first' },
      ],
    },
    finish(),
  ],
  'events of the provider and of the application': [
    { type: EventType.RAW, event: { delta: null }, source: 'openai' },
    { type: EventType.RAW, event: null },
    { type: EventType.CUSTOM, name: 'com.acme.cart', value: null },
    finish(),
  ],
  'a subagent that was never announced': [
    text.start('m1', s1),
    text.content('m1', 'x', s1),
    text.content('m1', 'y'),
    text.end('m1', s1),
    finish(),
  ],
  'subagents side by side, one inside the other': [
    step.start('tools'),
    subagent.start('s1', { description: 'Looks', parentToolCallId: 'c0' }),
    step.start('tools', s1),
    subagent.start('s2', { parentSubagentRunId: 's1' }),
    text.start('m1', s1),
    text.start('m2', s2),
    text.content('m2', 'b', s2),
    text.content('m1', 'a'),
    snapshot({ by: 's2' }),
    text.end('m2', s2),
    subagent.end('s2', { result: 'b' }),
    text.end('m1', s1),
    step.end('tools', s1),
    { type: EventType.SUBAGENT_ERROR, ...s1, message: 'gave up' },
    step.end('tools'),
    ...said('m3', 'done'),
    finish(),
  ],
  'a run that waits': [
    subagent.start('s1'),
    subagent.end('s1', {
      outcome: { type: 'suspended', interruptIds: ['i1'] },
    }),
    finish({
      outcome: {
        type: 'interrupt',
        interrupts: [
          { id: 'i1', reason: 'approval', message: 'May I?', ...s1 },
          { id: 'i2', reason: 'acme:form', responseSchema: { type: 'object' } },
        ],
      },
    }),
  ],
  'a run that was stopped': [
    text.start('m1'),
    text.end('m1'),
    finish({ outcome: { type: 'cancelled' } }),
  ],
  'a run that failed in the middle of a word': [
    text.start('m1'),
    text.content('m1', 'wor'),
    call.start('c1'),
    { type: EventType.RUN_ERROR, message: 'lost the model', code: 'MODEL' },
  ],
};

describe('ProtocolGuard and what AG-UI allows', () => {
  it.each(Object.entries(LEGAL))('should not change %s', (_, events) => {
    const run = [start, ...events];
    expect(guarded(run)).toEqual({ events: run, rules: [], details: [] });
    expect(objectionsOf10(received(guarded(run).events))).toEqual([]);
  });
});
