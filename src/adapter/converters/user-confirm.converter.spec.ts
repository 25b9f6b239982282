import { describe, expect, it } from 'vitest';
import {
  call,
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  say,
  STARTED,
  text,
  watchLogs,
} from '../adapter.fixture.js';

const use = (id: string | undefined, rest: object = {}) => ({
  type: 'tool_use',
  id,
  name: 'send',
  input: { to: 'a@x.test' },
  content: '{"to":"a@x.test"}',
  ...rest,
});
const confirm = (toolCalls: object[], rest: object = {}) =>
  say('REQUIRE_USER_CONFIRM', { toolCalls, ...rest });
const announced = (toolCallId: string, delta = '{"to":"a@x.test"}') => [
  {
    type: 'TOOL_CALL_START',
    toolCallId,
    toolCallName: 'send',
    parentMessageId: 'r1',
  },
  { type: 'TOOL_CALL_ARGS', toolCallId, delta },
  { type: 'TOOL_CALL_END', toolCallId },
];
const interrupt = (toolCallId: string, metadata: object = {}) => ({
  id: `r1:${toolCallId}`,
  reason: 'tool_call',
  toolCallId,
  message: 'May the tool "send" run?',
  responseSchema: {
    type: 'object',
    properties: {
      approved: { type: 'boolean' },
      editedArgs: { type: 'object', description: expect.any(String) },
    },
    required: ['approved'],
  },
  metadata: {
    'agentscope.interruptKind': 'permission_confirm',
    toolName: 'send',
    toolInput: { to: 'a@x.test' },
    toolContent: '{"to":"a@x.test"}',
    replyId: 'r1',
    ...metadata,
  },
});
const interrupted = (...interrupts: object[]) => ({
  ...FINISHED,
  outcome: { type: 'interrupt', interrupts },
});

describe('userConfirmConverter', () => {
  expectQuietLogs();

  it('should stop the run and ask for consent to a call that was streamed', async () => {
    const events = await convert([
      text('I will write.'),
      ...call('c1', 'send', '{"to":"a@x.test"}'),
      confirm([use('c1')]),
    ]);

    expect(events).toEqual([
      STARTED,
      { type: 'TEXT_MESSAGE_START', messageId: 'r1', role: 'assistant' },
      {
        type: 'TEXT_MESSAGE_CONTENT',
        messageId: 'r1',
        delta: 'I will write.',
      },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1' },
      ...announced('c1'),
      interrupted(interrupt('c1')),
    ]);
  });

  it('should tell the client of each call that was not, one whole after the other', async () => {
    expect(await convert([confirm([use('c1'), use('c2')])])).toEqual([
      STARTED,
      ...announced('c1'),
      ...announced('c2'),
      interrupted(interrupt('c1'), interrupt('c2')),
    ]);
  });

  it('should end a call that is open still', async () => {
    const [begin, args] = call('c1', 'send', '{"to":"a@x.test"}');

    expect(await convert([begin, args, confirm([use('c1')])])).toEqual([
      STARTED,
      ...announced('c1'),
      interrupted(interrupt('c1')),
    ]);
  });

  it('should ask once, however often the agent does', async () => {
    expect(await convert([confirm([use('c1')]), confirm([use('c1')])])).toEqual(
      [STARTED, ...announced('c1'), interrupted(interrupt('c1'))],
    );
  });

  it('should use the id of the call alone if there is no reply', async () => {
    const events = await convert([
      confirm([use('c1')], { replyId: undefined }),
    ]);

    const { replyId: _, ...metadata } = interrupt('c1').metadata;
    expect(events.at(-1)).toEqual(
      interrupted({ ...interrupt('c1'), id: 'c1', metadata }),
    );
  });

  it.each([
    ['no text', { content: undefined }],
    ['an empty text', { content: '' }],
    ['a text that is cut off', { content: '{"to":"a@x' }],
    ['a text that is no object', { content: '["a@x.test"]' }],
    ['null for a text', { content: 'null' }],
  ])('should take the arguments from the input for %s', async (_, rest) => {
    expect(await convert([confirm([use('c1', rest)])])).toEqual([
      STARTED,
      ...announced('c1'),
      interrupted(interrupt('c1')),
    ]);
  });

  it.each([undefined, null, [], 'x'])(
    'should take arguments %j without text for none',
    async (input) => {
      const block = use('c1', { content: undefined, input });

      expect(await convert([confirm([block])])).toEqual([
        STARTED,
        ...announced('c1', '{}'),
        interrupted(interrupt('c1', { toolInput: {}, toolContent: '{}' })),
      ]);
    },
  );

  it('should keep arguments out of the events if they are not wanted there', async () => {
    const events = await convert([confirm([use('c1')])], {
      emitToolCallArgs: false,
    });

    const [start, , end] = announced('c1');
    expect(events).toEqual([STARTED, start, end, interrupted(interrupt('c1'))]);
  });

  it('should call a tool without a name unknown', async () => {
    const events = await convert([confirm([use('c1', { name: undefined })])]);

    expect(events[1]).toMatchObject({ toolCallName: 'unknown' });
    expect(events.at(-1)).toEqual(
      interrupted({
        ...interrupt('c1', { toolName: 'unknown' }),
        message: 'May the tool "unknown" run?',
      }),
    );
  });

  it('should ask for a gated call while a frontend call pends', async () => {
    const tools = [{ name: 'paint', description: '' }];

    const events = await convert(
      [...call('c1', 'paint', '{}'), confirm([use('c2')])],
      {},
      inputOf({ tools }),
    );

    expect(events.slice(1)).toEqual([
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'paint',
        parentMessageId: 'r1',
      },
      { type: 'TOOL_CALL_ARGS', toolCallId: 'c1', delta: '{}' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      ...announced('c2'),
      interrupted(interrupt('c2')),
    ]);
  });

  it('should say nothing of answers and of executions elsewhere', async () => {
    const events = await convert([
      say('USER_CONFIRM_RESULT', {
        confirmResults: [{ confirmed: true, toolCall: use('c1') }],
      }),
      say('REQUIRE_EXTERNAL_EXECUTION', { toolCalls: [use('c1')] }),
      say('EXTERNAL_EXECUTION_RESULT', { executionResults: [{}] }),
    ]);

    expect(events).toEqual([STARTED, FINISHED]);
  });
});

describe('a question about a call without an id', () => {
  watchLogs();

  it.each([undefined, null, '', ' '])(
    'should fail the run, if it is %j',
    async (id) => {
      expect(await convert([confirm([use(id as never)])])).toEqual([
        STARTED,
        {
          type: 'RUN_ERROR',
          message:
            'The tool "send" waits for an answer but its call has no id, so nobody could give one.',
          code: 'INTERNAL_ERROR',
          timestamp: expect.any(Number),
        },
      ]);
    },
  );
});
