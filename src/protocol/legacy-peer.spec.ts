import { EventType, type Message } from '@ag-ui/core';
import { describe, expect, it } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import { forLegacyPeer } from './legacy-peer.js';

/** What an older client gets, and what is lost on the way. */
function earlier(event: AguiEvent): { event: unknown; lost: string[] } {
  const lost: string[] = [];
  const made = forLegacyPeer(event, (what) => lost.push(what));
  return { event: made, lost };
}

const RUN = { threadId: 't1', runId: 'r1' };
const image = {
  type: 'image',
  source: { type: 'url', value: 'https://x.test/i.png' },
} as const;
const handle = {
  type: 'document',
  source: { type: 'file', value: 'file-1' },
} as const;
const text = { type: 'text', text: 'see ' } as const;

const messages: Message[] = [
  { id: '1', role: 'user', content: [text, image, handle] },
  { id: '2', role: 'user', content: 'hi' },
  { id: '3', role: 'tool', toolCallId: 'c1', content: [text, text, image] },
  { id: '4', role: 'tool', toolCallId: 'c2', content: 'ok', error: 'e' },
  { id: '5', role: 'reasoning', content: 'hm' },
];
const earlierMessages = [
  { id: '1', role: 'user', content: [text, image] },
  messages[1],
  { id: '3', role: 'tool', toolCallId: 'c1', content: 'see see ' },
  messages[3],
  messages[4],
];

describe('forLegacyPeer', () => {
  it.each<AguiEvent>([
    {
      type: EventType.TEXT_MESSAGE_CONTENT,
      messageId: 'm1',
      delta: 'x',
      subagentRunId: 's1',
      metadata: { k: 1 },
    },
    { type: EventType.RUN_STARTED, ...RUN, protocolVersion: '1.0' },
    { type: EventType.RUN_FINISHED, ...RUN, result: 1, usage: [] },
    {
      type: EventType.RUN_FINISHED,
      ...RUN,
      outcome: {
        type: 'interrupt',
        interrupts: [{ id: 'i1', reason: 'r', expiresAt: 'x', metadata: {} }],
      },
    },
    { type: EventType.RUN_ERROR, message: 'failed', code: 'X' },
    {
      type: EventType.TOOL_CALL_RESULT,
      messageId: 'm1',
      toolCallId: 'c1',
      content: 'ok',
    },
  ])('should leave $type as it is', (event) => {
    const made = earlier(event);
    expect(made.event).toBe(event);
    expect(made.lost).toEqual([]);
  });

  it.each<AguiEvent>([
    { type: EventType.SUBAGENT_STARTED, subagentRunId: 's1', name: 'helper' },
    { type: EventType.SUBAGENT_FINISHED, subagentRunId: 's1' },
    { type: EventType.SUBAGENT_ERROR, subagentRunId: 's1', message: 'x' },
  ])('should drop $type and say so', (event) => {
    expect(earlier(event)).toEqual({ event: undefined, lost: [event.type] });
  });

  const result = {
    type: EventType.TOOL_CALL_RESULT,
    messageId: 'm1',
    toolCallId: 'c1',
  } as const;

  it('should join the text of a result in parts without loss', () => {
    expect(earlier({ ...result, content: [text, text] })).toEqual({
      event: { ...result, content: 'see see ' },
      lost: [],
    });
  });

  it('should not put anything in the place of media that it drops', () => {
    expect(earlier({ ...result, content: [image] })).toEqual({
      event: { ...result, content: '' },
      lost: ['media in a tool result'],
    });
  });

  it('should rewrite the messages of a snapshot', () => {
    expect(earlier({ type: EventType.MESSAGES_SNAPSHOT, messages })).toEqual({
      event: { type: EventType.MESSAGES_SNAPSHOT, messages: earlierMessages },
      lost: ['a provider file handle', 'media in a tool result'],
    });
  });

  it('should rewrite the input that a start echoes, and fill in what was required', () => {
    const input = { ...RUN, messages } as never;
    expect(earlier({ type: EventType.RUN_STARTED, ...RUN, input })).toEqual({
      event: {
        type: EventType.RUN_STARTED,
        ...RUN,
        input: { ...RUN, messages: earlierMessages, tools: [], context: [] },
      },
      lost: ['a provider file handle', 'media in a tool result'],
    });
  });

  it('should keep the tools and context of an echoed input', () => {
    const input = {
      ...RUN,
      messages: [],
      tools: [{ name: 'f', description: '' }],
      context: [{ description: 'd', value: 'v' }],
    };
    const event = { type: EventType.RUN_STARTED, ...RUN, input } as const;
    expect(earlier(event)).toEqual({ event, lost: [] });
  });

  it('should keep success a success and not name the pending calls', () => {
    expect(
      earlier({
        type: EventType.RUN_FINISHED,
        ...RUN,
        result: 1,
        outcome: { type: 'success', pendingToolCallIds: ['c1'] },
      }),
    ).toEqual({
      event: {
        type: EventType.RUN_FINISHED,
        ...RUN,
        result: 1,
        outcome: { type: 'success' },
      },
      lost: [],
    });
  });

  it('should not let a cancelled run pass for a success', () => {
    expect(
      earlier({
        type: EventType.RUN_FINISHED,
        ...RUN,
        timestamp: 5,
        usage: [{ inputTokens: 1 }],
        outcome: { type: 'cancelled' },
      }),
    ).toEqual({
      event: {
        type: EventType.RUN_ERROR,
        message: 'The run was cancelled.',
        code: 'CANCELLED',
        timestamp: 5,
        usage: [{ inputTokens: 1 }],
      },
      lost: [],
    });
  });
});
