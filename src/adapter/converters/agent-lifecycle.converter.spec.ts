import { describe, expect, it } from 'vitest';
import type { ContentBlock } from '../../agent/msg.js';
import {
  call,
  convert,
  END,
  expectQuietLogs,
  FINISHED,
  inputOf,
  runOf,
  say,
  START,
  STARTED,
  text,
  thinking,
  watchLogs,
} from '../adapter.fixture.js';

const suspendedResult = (id: string | undefined, name = 'deploy') => ({
  type: 'tool_result',
  id,
  name,
  state: 'running',
  output: [{ type: 'text', text: 'Deploy by hand, please.' }],
});
const agentResult = (content: object[], rest: object = {}) =>
  say('AGENT_RESULT', {
    result: {
      id: 'm1',
      role: 'assistant',
      content: content as ContentBlock[],
      generateReason: 'TOOL_SUSPENDED',
      ...rest,
    },
  });
const announced = (
  toolCallId: string,
  delta = '{}',
  toolCallName = 'deploy',
) => [
  {
    type: 'TOOL_CALL_START',
    toolCallId,
    toolCallName,
    parentMessageId: 'm1',
  },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta },
  { type: 'TOOL_CALL_END', toolCallId },
];
const interrupted = (...interrupts: object[]) => ({
  ...FINISHED,
  outcome: { type: 'interrupt', interrupts },
});

describe('agentLifecycleConverter', () => {
  expectQuietLogs();

  it('should start a run once and finish it once', async () => {
    expect(await runOf([START, START, END])).toEqual([STARTED, FINISHED]);
    expect(await runOf([END])).toEqual([STARTED, FINISHED]);
  });

  it('should end with the run and thread of the input, whatever ids the agent has', async () => {
    const input = inputOf({ threadId: 'T', runId: 'R', parentRunId: 'P' });

    const events = await runOf([START, END], {}, input);

    expect(events).toEqual([
      { ...STARTED, threadId: 'T', runId: 'R', parentRunId: 'P' },
      { ...FINISHED, threadId: 'T', runId: 'R' },
    ]);
  });

  it('should close all that is open before the end', async () => {
    const [begin] = call('c1', 'f', '');

    const events = await convert(
      [
        begin,
        text('a'),
        text('b', { replyId: 'r2' }),
        thinking('c', { replyId: 'r3' }),
      ],
      { enableReasoning: true },
    );

    expect(events.slice(-6)).toEqual([
      { type: 'TEXT_MESSAGE_END', messageId: 'r1-2' },
      { type: 'TEXT_MESSAGE_END', messageId: 'r2' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r3-reasoning' },
      { type: 'REASONING_END', messageId: 'r3-reasoning' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c1'] } },
    ]);
  });

  it('should stop for a suspended tool', async () => {
    const events = await convert([
      ...call('c1', 'deploy', '{"to":"prod"}', { replyId: 'm1' }),
      agentResult([
        { type: 'text', text: 'ignored' },
        {
          type: 'tool_use',
          id: 'c1',
          name: 'deploy',
          input: { to: 'prod' },
          content: '{"to":"prod"}',
        },
        suspendedResult('c1'),
      ]),
    ]);

    expect(events).toEqual([
      STARTED,
      ...announced('c1', '{"to":"prod"}'),
      interrupted({
        id: 'm1:c1',
        reason: 'tool_call',
        message: 'Deploy by hand, please.',
        toolCallId: 'c1',
        metadata: {
          toolName: 'deploy',
          toolInput: { to: 'prod' },
          toolContent: '{"to":"prod"}',
          replyId: 'm1',
        },
      }),
    ]);
  });

  it('should tell the client of a suspended call that it does not know', async () => {
    const events = await convert([
      agentResult([
        { type: 'tool_use', id: 'c1', name: 'deploy', input: { to: 'prod' } },
        { ...suspendedResult('c1', undefined), output: undefined },
        suspendedResult('c2'),
      ]),
    ]);

    const base = { reason: 'tool_call' };
    expect(events).toEqual([
      STARTED,
      ...announced('c1', '{"to":"prod"}'),
      ...announced('c2'),
      interrupted(
        {
          ...base,
          id: 'm1:c1',
          toolCallId: 'c1',
          metadata: {
            toolName: 'deploy',
            toolInput: { to: 'prod' },
            toolContent: '{"to":"prod"}',
            replyId: 'm1',
          },
        },
        {
          ...base,
          id: 'm1:c2',
          message: 'Deploy by hand, please.',
          toolCallId: 'c2',
          metadata: {
            toolName: 'deploy',
            toolInput: {},
            toolContent: '{}',
            replyId: 'm1',
          },
        },
      ),
    ]);
  });

  it('should let frontend tools pend instead', async () => {
    const tools = [{ name: 'paint', description: '' }];

    const events = await convert(
      [
        ...call('c1', 'paint', '{}', { replyId: 'm1' }),
        agentResult([
          { type: 'tool_use', id: 'c1', name: 'paint', input: {} },
          suspendedResult('c1', undefined),
        ]),
      ],
      {},
      inputOf({ tools }),
    );

    expect(events).toEqual([
      STARTED,
      ...announced('c1', '{}', 'paint'),
      { ...FINISHED, outcome: { type: 'success', pendingToolCallIds: ['c1'] } },
    ]);
  });

  it.each([
    agentResult([], { generateReason: 'MODEL_STOP' }),
    agentResult([suspendedResult('c1')], { generateReason: undefined }),
    agentResult([{ ...suspendedResult('c1'), state: 'success' }]),
    say('AGENT_RESULT'),
  ])('should not stop for an ordinary result (%#)', async (event) => {
    expect(await convert([event])).toEqual([STARTED, FINISHED]);
  });
});

describe('a suspended tool without a call id', () => {
  const logs = watchLogs();

  it.each([undefined, null, ''])(
    'should fail the run, if it is %j',
    async (id) => {
      expect(
        await convert([agentResult([suspendedResult(id as never)])]),
      ).toEqual([
        STARTED,
        {
          type: 'RUN_ERROR',
          message:
            'The tool "deploy" waits for an answer but its call has no id, so nobody could give one.',
          code: 'INTERNAL_ERROR',
          timestamp: expect.any(Number),
        },
      ]);
      expect(logs.errors).toHaveLength(1);
    },
  );
});
