import { describe, expect, it } from 'vitest';
import type { AgentEvent } from '../../agent/agent-event.js';
import {
  convert,
  expectQuietLogs,
  FINISHED,
  inputOf,
  runOf,
  say,
  STARTED,
  watchLogs,
} from '../adapter.fixture.js';

describe('passthroughConverter', () => {
  expectQuietLogs();

  it('should send custom events as they are', async () => {
    const events = await convert([
      say('CUSTOM', { name: 'progress', value: { done: 1, of: [2] } }),
      say('CUSTOM', { name: 'ping' }),
      say('CUSTOM', { name: 'nothing', value: null }),
    ]);

    expect(events).toEqual([
      STARTED,
      { type: 'CUSTOM', name: 'progress', value: { done: 1, of: [2] } },
      { type: 'CUSTOM', name: 'ping', value: null },
      { type: 'CUSTOM', name: 'nothing', value: null },
      FINISHED,
    ]);
  });

  it('should send AG-UI events that the agent made itself', async () => {
    const own = [
      { type: 'STEP_STARTED', stepName: 'search' },
      {
        type: 'ACTIVITY_SNAPSHOT',
        messageId: 'a1',
        activityType: 'PLAN',
        content: { steps: [] },
      },
      { type: 'STEP_FINISHED', stepName: 'search' },
    ];

    const events = await convert(
      own.map((event) => say('AGUI_EVENT', { event })),
    );

    expect(events).toEqual([STARTED, ...own, FINISHED]);
  });

  it('should send a snapshot of the state, as JSON has it, and a patch on demand', async () => {
    const state = { title: 'a', day: new Date(0), gone: undefined };

    const events = await convert(
      [
        say('STATE_UPDATE', { state: { title: 'b' }, mode: 'DELTA' }),
        say('STATE_UPDATE', { state, mode: 'SNAPSHOT' }),
        say('STATE_UPDATE', { state }),
        say('STATE_UPDATE', { state, mode: 'DELTA' }),
        say('STATE_UPDATE', { state: undefined }),
      ],
      {},
      inputOf({ state: { title: 'a' } }),
    );

    const snapshot = { title: 'a', day: '1970-01-01T00:00:00.000Z' };
    expect(events).toEqual([
      STARTED,
      {
        type: 'STATE_DELTA',
        delta: [{ op: 'replace', path: '/title', value: 'b' }],
      },
      { type: 'STATE_SNAPSHOT', snapshot },
      { type: 'STATE_SNAPSHOT', snapshot },
      { type: 'STATE_SNAPSHOT', snapshot: null },
      FINISHED,
    ]);
  });

  it('should keep state to itself if state events are off', async () => {
    const events = await convert([say('STATE_UPDATE', { state: { a: 1 } })], {
      emitStateEvents: false,
    });

    expect(events).toEqual([STARTED, FINISHED]);
  });
});

describe('rawConverter', () => {
  expectQuietLogs();

  it.each([
    'DATA_BLOCK_START',
    'DATA_BLOCK_DELTA',
    'DATA_BLOCK_END',
    'EXCEED_MAX_ITERS',
    'REQUEST_STOP',
    'SUBAGENT_EXPOSED',
    'HINT_BLOCK',
    'ALL_TOOLS_DENIED',
  ])('should send %s whole in RAW', async (type) => {
    const event = say(type as never, { id: 'e1', more: { x: [1] } });

    expect(await convert([event])).toEqual([
      STARTED,
      { type: 'RAW', event, source: 'agent' },
      FINISHED,
    ]);
  });

  it('should know events by the names that earlier versions gave them', async () => {
    const legacy = (type: string, fields: object) =>
      ({ type, replyId: 'r1', ...fields }) as unknown as AgentEvent;

    const events = await runOf(
      [
        legacy('RUN_STARTED', {}),
        legacy('MODEL_CALL_STARTED', {}),
        legacy('BINARY_BLOCK_DELTA', { data: 'AAAA' }),
        legacy('TOOL_RESULT_BINARY_DELTA', {
          toolCallId: 'c1',
          data: { type: 'text', text: 'ok' },
        }),
        say('TOOL_RESULT_END', { toolCallId: 'c1', state: 'success' }),
        legacy('MODEL_CALL_ENDED', {
          usage: { inputTokens: 1, outputTokens: 1 },
        }),
        legacy('THREAD_EXPOSED', {}),
        legacy('RUN_FINISHED', {}),
      ],
      { emitTokenUsage: true },
    );

    const counts = { inputTokens: 1, outputTokens: 1, totalTokens: 2 };
    const usage = { ...counts, cachedTokens: 0, time: 0 };
    expect(events).toEqual([
      STARTED,
      {
        type: 'RAW',
        event: { type: 'DATA_BLOCK_DELTA', replyId: 'r1', data: 'AAAA' },
        source: 'agent',
      },
      {
        type: 'TOOL_CALL_RESULT',
        messageId: 'c1-result',
        toolCallId: 'c1',
        content: 'ok',
        role: 'tool',
      },
      {
        type: 'CUSTOM',
        name: 'token_usage',
        value: {
          delta: usage,
          cumulative: usage,
          modelCall: { replyId: 'r1' },
        },
      },
      {
        type: 'RAW',
        event: { type: 'SUBAGENT_EXPOSED', replyId: 'r1' },
        source: 'agent',
      },
      { ...FINISHED, usage: [counts] },
    ]);
  });
});

describe('what is no agent event', () => {
  const logs = watchLogs();

  it('should leave as RAW, too, with one warning per type', async () => {
    const event = say('TEXT' as never, { delta: 'hi' });

    expect(await convert([event, event])).toEqual([
      STARTED,
      { type: 'RAW', event, source: 'agent' },
      { type: 'RAW', event, source: 'agent' },
      FINISHED,
    ]);
    expect(logs.warnings).toEqual([
      'TEXT is no type of agent event and left as RAW; text is TEXT_BLOCK_DELTA, an event of AG-UI goes into AGUI_EVENT, in run "run1" of thread "t1".',
    ]);
  });
});
