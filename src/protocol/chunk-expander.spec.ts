import { EventType } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import { ChunkExpander, isChunk } from './chunk-expander.js';

type Members = Record<string, unknown>;

const text = (members: Members): Members => ({
  type: EventType.TEXT_MESSAGE_CHUNK,
  ...members,
});
const call = (members: Members): Members => ({
  type: EventType.TOOL_CALL_CHUNK,
  ...members,
});
const thought = (members: Members): Members => ({
  type: EventType.REASONING_MESSAGE_CHUNK,
  ...members,
});

/** What the expander makes of a stream; `false` for a chunk that continues nothing. */
function expanded(...stream: Members[]): unknown[] {
  const chunks = new ChunkExpander();
  return (stream as unknown as AguiEvent[]).flatMap((event): unknown[] =>
    isChunk(event)
      ? (chunks.expand(event) ?? [false])
      : [...chunks.endedBy(event), event],
  );
}

const FINISH = { type: EventType.RUN_ERROR, message: 'stop' };

describe('ChunkExpander', () => {
  it('should spell out text', () => {
    expect(
      expanded(
        text({ messageId: 'm1', delta: 'a', role: 'user', name: 'Ann' }),
        text({ delta: 'b' }),
        text({ messageId: 'm1', delta: 'c', role: 'user' }),
        FINISH,
      ),
    ).toEqual([
      {
        type: EventType.TEXT_MESSAGE_START,
        messageId: 'm1',
        role: 'user',
        name: 'Ann',
      },
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'a' },
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'b' },
      { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1', delta: 'c' },
      { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' },
      FINISH,
    ]);
  });

  it('should spell out a tool call', () => {
    expect(
      expanded(
        call({ toolCallId: 'c1', toolCallName: 'f', parentMessageId: 'm1' }),
        call({ delta: '{' }),
        call({ toolCallId: 'c1', toolCallName: 'f', delta: '}' }),
        FINISH,
      ),
    ).toEqual([
      {
        type: EventType.TOOL_CALL_START,
        toolCallId: 'c1',
        toolCallName: 'f',
        parentMessageId: 'm1',
      },
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '{' },
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: '}' },
      { type: EventType.TOOL_CALL_END, toolCallId: 'c1' },
      FINISH,
    ]);
  });

  it('should spell out reasoning', () => {
    expect(expanded(thought({ messageId: 'm1', delta: 'hm' }), FINISH)).toEqual(
      [
        {
          type: EventType.REASONING_MESSAGE_START,
          messageId: 'm1',
          role: 'reasoning',
        },
        {
          type: EventType.REASONING_MESSAGE_CONTENT,
          messageId: 'm1',
          delta: 'hm',
        },
        { type: EventType.REASONING_MESSAGE_END, messageId: 'm1' },
        FINISH,
      ],
    );
  });

  it('should be an assistant message if no role is told', () => {
    expect(expanded(text({ messageId: 'm1' }))).toEqual([
      {
        type: EventType.TEXT_MESSAGE_START,
        messageId: 'm1',
        role: 'assistant',
      },
    ]);
  });

  it('should end one item before it opens the next', () => {
    const types = expanded(
      text({ messageId: 'm1', delta: 'a' }),
      text({ messageId: 'm2', delta: 'b' }),
      call({ toolCallId: 'c1', toolCallName: 'f' }),
      thought({ messageId: 'm3', delta: 'c' }),
    ).map((event) => (event as AguiEvent).type);
    expect(types).toEqual([
      EventType.TEXT_MESSAGE_START,
      EventType.TEXT_MESSAGE_CONTENT,
      EventType.TEXT_MESSAGE_END,
      EventType.TEXT_MESSAGE_START,
      EventType.TEXT_MESSAGE_CONTENT,
      EventType.TEXT_MESSAGE_END,
      EventType.TOOL_CALL_START,
      EventType.TOOL_CALL_END,
      EventType.REASONING_MESSAGE_START,
      EventType.REASONING_MESSAGE_CONTENT,
    ]);
  });

  it.each<[chunk: Members]>([
    [text({ delta: 'a' })],
    [thought({ delta: 'a' })],
    [call({ delta: 'a' })],
    [call({ toolCallName: 'f', delta: 'a' })],
  ])('should not know what %j continues', (chunk) => {
    expect(expanded(chunk)).toEqual([false]);
    expect(expanded(text({ messageId: 'm1' }), FINISH, chunk).slice(3)).toEqual(
      [false],
    );
  });

  it('should leave it to a start of its own to name a call', () => {
    expect(
      expanded(call({ toolCallId: 'c1', delta: 'a' }), call({ delta: 'b' })),
    ).toEqual([
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: 'a' },
      { type: EventType.TOOL_CALL_ARGS, toolCallId: 'c1', delta: 'b' },
    ]);
  });
});

describe('ChunkExpander and other events', () => {
  const open = text({ messageId: 'm1', delta: 'a' });
  const goOn = text({ delta: 'b' });
  const content = {
    type: EventType.TEXT_MESSAGE_CONTENT,
    messageId: 'm1',
    delta: 'b',
  };
  const end = { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' };

  it.each([
    EventType.RAW,
    EventType.ACTIVITY_SNAPSHOT,
    EventType.ACTIVITY_DELTA,
    EventType.REASONING_ENCRYPTED_VALUE,
    EventType.SUBAGENT_STARTED,
  ])('should go on after %s', (type) => {
    expect(expanded(open, { type }, goOn).slice(2)).toEqual([
      { type },
      content,
    ]);
  });

  it.each([
    EventType.CUSTOM,
    EventType.STATE_SNAPSHOT,
    EventType.STATE_DELTA,
    EventType.STEP_STARTED,
    EventType.STEP_FINISHED,
    EventType.TEXT_MESSAGE_START,
    EventType.TEXT_MESSAGE_CONTENT,
    EventType.TEXT_MESSAGE_END,
    EventType.TOOL_CALL_START,
    EventType.TOOL_CALL_ARGS,
    EventType.TOOL_CALL_END,
    EventType.TOOL_CALL_RESULT,
    EventType.REASONING_START,
    EventType.REASONING_MESSAGE_START,
    EventType.REASONING_MESSAGE_CONTENT,
    EventType.REASONING_MESSAGE_END,
    EventType.REASONING_END,
    EventType.MESSAGES_SNAPSHOT,
    EventType.RUN_FINISHED,
    EventType.RUN_ERROR,
  ])('should end at %s', (type) => {
    expect(expanded(open, { type }, goOn).slice(2)).toEqual([
      end,
      { type },
      false,
    ]);
  });

  it.each([EventType.CUSTOM, EventType.STATE_SNAPSHOT])(
    'should go on after the %s of somebody else',
    (type) => {
      const other = { type, subagentRunId: 's1' };
      expect(expanded(open, other, goOn).slice(2)).toEqual([other, content]);
    },
  );
});

describe('ChunkExpander and subagents', () => {
  const content = (members: Members): Members => ({
    type: EventType.TEXT_MESSAGE_CONTENT,
    ...members,
  });
  const open = (messageId: string, subagentRunId?: string): Members =>
    text({ messageId, ...(subagentRunId !== undefined && { subagentRunId }) });

  it('should keep a lane for each', () => {
    expect(
      expanded(
        open('m1'),
        open('m2', 's1'),
        open('m3', 's2'),
        text({ delta: 'a', subagentRunId: 's2' }),
        text({ delta: 'b' }),
        text({ delta: 'c', subagentRunId: 's1' }),
      ).slice(3),
    ).toEqual([
      content({ messageId: 'm3', delta: 'a', subagentRunId: 's2' }),
      content({ messageId: 'm1', delta: 'b' }),
      content({ messageId: 'm2', delta: 'c', subagentRunId: 's1' }),
    ]);
  });

  it('should find the only lane that an untagged chunk can mean', () => {
    expect(expanded(open('m2', 's1'), text({ delta: 'a' })).slice(1)).toEqual([
      content({ messageId: 'm2', delta: 'a', subagentRunId: 's1' }),
    ]);
  });

  it('should find the lane of an untagged chunk by its id', () => {
    expect(
      expanded(
        open('m1', 's1'),
        open('m2', 's2'),
        text({ messageId: 'm1', delta: 'a' }),
      ).slice(2),
    ).toEqual([content({ messageId: 'm1', delta: 'a', subagentRunId: 's1' })]);
  });

  it('should not guess between several lanes', () => {
    expect(
      expanded(open('m1', 's1'), open('m2', 's2'), text({ delta: 'a' })).at(-1),
    ).toBe(false);
  });

  it('should end a lane with its subagent, and only that one', () => {
    const ended = { type: EventType.SUBAGENT_FINISHED, subagentRunId: 's1' };
    expect(
      expanded(open('m1', 's1'), open('m2', 's2'), ended).slice(2),
    ).toEqual([
      {
        type: EventType.TEXT_MESSAGE_END,
        messageId: 'm1',
        subagentRunId: 's1',
      },
      ended,
    ]);
  });

  it('should end every lane with the run, in the order they opened', () => {
    expect(expanded(open('m1', 's1'), open('m2'), FINISH).slice(2)).toEqual([
      {
        type: EventType.TEXT_MESSAGE_END,
        messageId: 'm1',
        subagentRunId: 's1',
      },
      { type: EventType.TEXT_MESSAGE_END, messageId: 'm2' },
      FINISH,
    ]);
  });
});

describe('ChunkExpander and what else a chunk carries', () => {
  const start = {
    type: EventType.TEXT_MESSAGE_START,
    messageId: 'm1',
    role: 'assistant',
  };
  const content = { type: EventType.TEXT_MESSAGE_CONTENT, messageId: 'm1' };
  const metadata = { model: 'x' };
  const rawEvent = { provider: 'p' };

  it('should put it on the events that the chunk stands for', () => {
    expect(
      expanded(
        text({ messageId: 'm1', delta: 'a', metadata, rawEvent, timestamp: 5 }),
        text({ messageId: 'm2', delta: 'b' }),
      ).slice(0, 3),
    ).toEqual([
      { ...start, metadata, timestamp: 5 },
      { ...content, delta: 'a', metadata, rawEvent, timestamp: 5 },
      { type: EventType.TEXT_MESSAGE_END, messageId: 'm1' },
    ]);
  });

  it('should put the metadata of a first chunk without text on the start', () => {
    expect(expanded(text({ messageId: 'm1', metadata }))).toEqual([
      { ...start, metadata },
    ]);
  });

  it('should keep the metadata of a later chunk without text', () => {
    expect(
      expanded(text({ messageId: 'm1' }), text({ metadata })).slice(1),
    ).toEqual([{ ...content, delta: '', metadata }]);
  });

  it("should keep the provider's event of a chunk without text", () => {
    expect(expanded(text({ messageId: 'm1', rawEvent }))).toEqual([
      start,
      { ...content, delta: '', rawEvent },
    ]);
  });

  it('should make nothing of a later chunk that says nothing', () => {
    expect(expanded(text({ messageId: 'm1' }), text({}))).toEqual([start]);
  });
});
