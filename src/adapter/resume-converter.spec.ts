import type { Interrupt, ResumeEntry } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import { AguiError } from '../protocol/agui-error.js';
import { CONFIRM_RESULTS } from './answer-metadata.js';
import { resumeMessages } from './resume-converter.js';

const suspended: Interrupt = {
  id: 'm1:c1',
  reason: 'tool_call',
  toolCallId: 'c1',
  metadata: { toolName: 'deploy', toolInput: {}, toolContent: '{}' },
};
const confirm: Interrupt = {
  id: 'r1:c2',
  reason: 'tool_call',
  toolCallId: 'c2',
  metadata: {
    'agentscope.interruptKind': 'permission_confirm',
    toolName: 'send',
    toolInput: { to: 'a' },
    toolContent: '{"to": "a"}',
    replyId: 'r1',
  },
};
const answer = (
  { id }: Interrupt,
  rest: Partial<ResumeEntry> = {},
): ResumeEntry => ({ interruptId: id, status: 'resolved', ...rest });
const payloadOf = (payload: unknown) => ({ payload });

describe('resumeMessages, for a suspended tool', () => {
  const result = (text: string, status = 'resolved', state = 'success') => {
    const metadata = {
      'agui.interruptId': 'm1:c1',
      'agui.resumeStatus': status,
    };
    return {
      id: 'agui-resume-m1:c1',
      role: 'tool',
      metadata,
      content: [
        {
          type: 'tool_result',
          id: 'c1',
          name: 'deploy',
          output: [{ type: 'text', text }],
          state,
          metadata,
        },
      ],
    };
  };

  it.each([
    ['a text', 'a text'],
    ['', ''],
    [undefined, ''],
    [null, ''],
    [{ url: 'x' }, '{"url":"x"}'],
    [[1, 2], '[1,2]'],
    [false, 'false'],
    [0, '0'],
  ])('should give the payload %j as the result', (payload, text) => {
    expect(
      resumeMessages([answer(suspended, { payload })], [suspended]),
    ).toEqual([result(text)]);
  });

  it('should say that it was cancelled, whatever the payload', () => {
    expect(
      resumeMessages(
        [answer(suspended, { status: 'cancelled', payload: 'done!' })],
        [suspended],
      ),
    ).toEqual([
      result('Interrupt cancelled by user', 'cancelled', 'interrupted'),
    ]);
  });

  it('should know the call by the interrupt if that is all there is', () => {
    const bare = { id: 'i1', reason: 'input_required' };

    expect(
      resumeMessages([answer(bare, payloadOf('x'))], [bare])[0]!.content,
    ).toEqual([
      expect.objectContaining({
        type: 'tool_result',
        id: 'i1',
        name: 'unknown',
      }),
    ]);
  });
});

describe('resumeMessages, for a permission', () => {
  const RECORDED = { input: { to: 'a' }, content: '{"to": "a"}' };
  const message = (
    confirmed: boolean,
    args: object = RECORDED,
    status = 'resolved',
  ) => ({
    id: 'agui-confirm-r1:c2',
    role: 'user',
    content: [{ type: 'text', text: confirmed ? 'approved' : 'denied' }],
    metadata: {
      'agui.interruptId': 'r1:c2',
      'agui.resumeStatus': status,
      [CONFIRM_RESULTS]: [
        {
          confirmed,
          toolCall: { type: 'tool_use', id: 'c2', name: 'send', ...args },
        },
      ],
    },
  });

  it('should approve what was recorded', () => {
    expect(
      resumeMessages(
        [answer(confirm, payloadOf({ approved: true }))],
        [confirm],
      ),
    ).toEqual([message(true)]);
  });

  it.each([
    { approved: false },
    { approved: 'true' },
    { approved: 1 },
    {},
    undefined,
    null,
    true,
    'approved',
    [{ approved: true }],
  ])('should take the payload %j for a denial', (payload) => {
    expect(resumeMessages([answer(confirm, { payload })], [confirm])).toEqual([
      message(false),
    ]);
  });

  it('should take a cancelled question for a denial', () => {
    expect(
      resumeMessages(
        [answer(confirm, { status: 'cancelled', payload: { approved: true } })],
        [confirm],
      ),
    ).toEqual([message(false, RECORDED, 'cancelled')]);
  });

  it('should put edited arguments in the place of the recorded ones, as a whole', () => {
    const editedArgs = { cc: 'b' };

    expect(
      resumeMessages(
        [answer(confirm, payloadOf({ approved: true, editedArgs }))],
        [confirm],
      ),
    ).toEqual([message(true, { input: editedArgs, content: '{"cc":"b"}' })]);
  });

  it.each([null, [], 'text', 1, false])(
    'should refuse edited arguments %j',
    (editedArgs) => {
      const refused = () =>
        resumeMessages(
          [answer(confirm, payloadOf({ approved: true, editedArgs }))],
          [confirm],
        );

      expect(refused).toThrow(AguiError);
      expect(refused).toThrow(
        expect.objectContaining({ code: 'INVALID_INPUT_ERROR' }),
      );
    },
  );

  it('should believe nothing of the call that the client says', () => {
    const payload = {
      approved: true,
      toolName: 'delete',
      toolInput: { all: true },
      toolCall: { name: 'delete' },
    };
    const metadata = { toolName: 'delete', toolContent: '{"all":true}' };

    expect(
      resumeMessages([answer(confirm, { payload, metadata })], [confirm]),
    ).toEqual([message(true)]);
  });

  it.each([
    ['no text', undefined],
    ['a broken text', '{"to'],
    ['a text that is no object', '[]'],
  ])('should take the recorded input for %s', (_, toolContent) => {
    const odd = {
      ...confirm,
      metadata: { ...confirm.metadata, toolContent },
    };

    expect(
      resumeMessages([answer(odd, payloadOf({ approved: true }))], [odd]),
    ).toEqual([message(true, { input: { to: 'a' }, content: '{"to":"a"}' })]);
  });
});

describe('resumeMessages', () => {
  it('should follow the order of the answers and pass over unknown ones', () => {
    const entries = [
      answer(confirm, payloadOf({ approved: true })),
      { interruptId: 'made up', status: 'resolved' as const },
      answer(suspended),
    ];

    expect(
      resumeMessages(entries, [suspended, confirm]).map(({ id }) => id),
    ).toEqual(['agui-confirm-r1:c2', 'agui-resume-m1:c1']);
  });

  it('should be empty without answers or without a record', () => {
    expect(resumeMessages([], [suspended])).toEqual([]);
    expect(resumeMessages([answer(suspended)], [])).toEqual([]);
  });
});
