import {
  ForbiddenException,
  HttpException,
  InternalServerErrorException,
} from '@nestjs/common';
import { describe, expect, it, vi } from 'vitest';
import { AguiError } from '../protocol/agui-error.js';
import type { AguiAdapterConfig } from './agui-adapter-config.js';
import { AguiAgentAdapter } from './agui-agent-adapter.js';
import { HOSTILE } from '../thrown.fixture.js';
import { failureOf } from './run-failure.js';
import {
  agentOf,
  collect,
  END,
  FINISHED,
  inputOf,
  scripted,
  START,
  STARTED,
  text,
  thinking,
  watchLogs,
} from './adapter.fixture.js';

const MASKED = {
  message: 'The agent failed. The server log says why.',
  code: 'INTERNAL_ERROR',
};
const SECRET = new Error('connect ECONNREFUSED 10.0.0.5:5432');

describe('failureOf', () => {
  it.each([
    [SECRET],
    [new TypeError('x is not a function')],
    ['a string'],
    [undefined],
    [null],
    [42],
    [Object.create(null)],
    [{ message: 'looks like an error', getStatus: () => 400 }],
    [Object.assign(new Error('of a library'), { getStatus: () => 400 })],
    [Object.assign(new Error('of a library'), { status: 400 })],
  ])('should mask %s', (error) => {
    expect(failureOf(error, false)).toEqual(MASKED);
  });

  it.each([
    [SECRET, SECRET.message],
    ['a string', 'a string'],
    [undefined, 'undefined'],
    [Object.create(null), 'An error that cannot be shown.'],
  ])('should expose the text of %s if errors are exposed', (error, message) => {
    expect(failureOf(error, true)).toEqual({ ...MASKED, message });
  });

  it.each(Object.keys(HOSTILE))('should survive %s', (name) => {
    expect(failureOf(HOSTILE[name], false)).toEqual(MASKED);
    expect(failureOf(HOSTILE[name], true).code).toBe('INTERNAL_ERROR');
  });

  it.each([true, false])(
    'should keep the text of errors that are written for clients (exposed: %s)',
    (exposed) => {
      expect(failureOf(new AguiError('Sold out.'), exposed)).toEqual({
        message: 'Sold out.',
        code: 'INTERNAL_ERROR',
      });
      expect(failureOf(new AguiError('Sold out.', 'E1'), exposed)).toEqual({
        message: 'Sold out.',
        code: 'E1',
      });
      expect(failureOf(new ForbiddenException('Not yours.'), exposed)).toEqual({
        message: 'Not yours.',
        code: 'HTTP_403',
      });
      expect(
        failureOf(new HttpException({ message: 'Tea only.' }, 418), exposed),
      ).toEqual({ message: 'Tea only.', code: 'HTTP_418' });
      expect(failureOf(new InternalServerErrorException(), exposed).code).toBe(
        'HTTP_500',
      );
    },
  );

  it('should know time-outs and aborts by their kind', () => {
    expect(
      failureOf(new DOMException('secret', 'TimeoutError'), false),
    ).toEqual({
      message: 'The run took too long and was stopped.',
      code: 'TIMEOUT_ERROR',
    });
    expect(failureOf(new DOMException('secret', 'AbortError'), false)).toEqual({
      message: 'The run was interrupted.',
      code: 'INTERRUPTED_ERROR',
    });
    expect(failureOf(new DOMException('secret', 'AbortError'), true)).toEqual({
      message: 'secret',
      code: 'INTERRUPTED_ERROR',
    });
  });
});

describe('a run that fails', () => {
  const logs = watchLogs();
  const error = { type: 'RUN_ERROR', ...MASKED, timestamp: 1234 };
  const failing = async (
    said: unknown[],
    thrown: unknown,
    config?: AguiAdapterConfig,
  ) => {
    vi.spyOn(Date, 'now').mockReturnValue(1234);
    const agent = scripted(said, { error: thrown });
    return collect(new AguiAgentAdapter(agent, config).run(inputOf()));
  };

  it.each([
    ['throws at once', () => Promise.reject(SECRET)],
    [
      'throws synchronously',
      () => {
        throw SECRET;
      },
    ],
    [
      'throws before its first event',
      () => scripted([], { error: SECRET }).streamEvents([], {} as never),
    ],
  ])('should start and fail if the agent %s', async (_, streamEvents) => {
    vi.spyOn(Date, 'now').mockReturnValue(1234);
    const agent = agentOf(streamEvents as never);

    expect(await collect(new AguiAgentAdapter(agent).run(inputOf()))).toEqual([
      STARTED,
      error,
    ]);
    expect(logs.errors[0]).toEqual([
      'The run "run1" of thread "t1" failed.',
      SECRET.stack,
    ]);
  });

  it('should close what is open, and end there', async () => {
    const [begin] = [
      { type: 'TOOL_CALL_START', replyId: 'r1', toolCallId: 'c1' },
    ];
    const said = [START, begin, text('hi'), thinking('x', { replyId: 'r2' })];

    expect(await failing(said, SECRET, { enableReasoning: true })).toEqual([
      STARTED,
      {
        type: 'TOOL_CALL_START',
        toolCallId: 'c1',
        toolCallName: 'unknown',
        parentMessageId: 'r1',
      },
      { type: 'TEXT_MESSAGE_START', messageId: 'r1-2', role: 'assistant' },
      { type: 'TEXT_MESSAGE_CONTENT', messageId: 'r1-2', delta: 'hi' },
      { type: 'REASONING_START', messageId: 'r2-reasoning' },
      {
        type: 'REASONING_MESSAGE_START',
        messageId: 'r2-reasoning',
        role: 'reasoning',
      },
      {
        type: 'REASONING_MESSAGE_CONTENT',
        messageId: 'r2-reasoning',
        delta: 'x',
      },
      { type: 'TEXT_MESSAGE_END', messageId: 'r1-2' },
      { type: 'REASONING_MESSAGE_END', messageId: 'r2-reasoning' },
      { type: 'REASONING_END', messageId: 'r2-reasoning' },
      { type: 'TOOL_CALL_END', toolCallId: 'c1' },
      error,
    ]);
  });

  it('should expose what was thrown if errors are exposed', async () => {
    expect(await failing([START], SECRET, { exposeErrors: true })).toEqual([
      STARTED,
      { ...error, message: SECRET.message },
    ]);
  });

  it.each([undefined, null, 'text'])(
    'should not mind that %j was thrown',
    async (thrown) => {
      expect(await failing([START], thrown)).toEqual([STARTED, error]);
    },
  );

  it('should finish after the error for clients that wait for it', async () => {
    const config = { emitRunFinishedAfterError: true };

    expect(await failing([START], SECRET, config)).toEqual([
      STARTED,
      error,
      FINISHED,
    ]);
    const agent = scripted([START]);
    expect(
      await collect(new AguiAgentAdapter(agent, config).run(inputOf())),
    ).toEqual([
      STARTED,
      { ...error, message: 'The agent ended before it finished the run.' },
      FINISHED,
    ]);
    const fine = scripted([START, END]);
    expect(
      await collect(new AguiAgentAdapter(fine, config).run(inputOf())),
    ).toEqual([STARTED, FINISHED]);
  });
});
