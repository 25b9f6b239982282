import { defaultApplyEvents } from '@ag-ui/client';
import { EventType, type Message, type RunAgentInput } from '@ag-ui/core';
import fc from 'fast-check';
import { from, lastValueFrom, toArray, type Observable } from 'rxjs';
import { describe, expect, it, vi } from 'vitest';
import type { AguiEvent } from './agui-event.js';
import { guarded, runInput } from './guarded.fixture.js';
import { hostileRun } from './hostile-events.fixture.js';
import { legalRun } from './legal-events.fixture.js';
import { received } from './official-clients.fixture.js';
import { Transcript } from './transcript.js';

const TIMEOUT = 60_000;

const history = fc.constantFrom<Message[]>(
  [],
  [
    { id: 'u1', role: 'user', content: 'hello' },
    {
      id: 'b',
      role: 'assistant',
      content: 'hi',
      toolCalls: [
        { id: 'c', type: 'function', function: { name: 't', arguments: '' } },
      ],
    },
    { id: 'c-result', role: 'tool', toolCallId: 'c', content: 'done' },
    { id: 'u2', role: 'user', content: [{ type: 'text', text: 'more' }] },
  ],
);

/** The messages that the official client holds after a run. */
async function heldByClient(
  messages: Message[],
  events: readonly AguiEvent[],
): Promise<Message[]> {
  const silent = vi.spyOn(console, 'warn').mockImplementation(() => {});
  // The client has a copy of rxjs of its own.
  const apply = defaultApplyEvents as unknown as (
    input: RunAgentInput,
    events: Observable<AguiEvent>,
    agent: { messages: Message[] },
    subscribers: [],
  ) => Observable<{ messages?: Message[] }>;
  const changes = await lastValueFrom(
    apply(runInput({ messages }), from(events), { messages }, []).pipe(
      toArray(),
    ),
  );
  silent.mockRestore();
  const held = changes.reduce(
    (before, one) => one.messages ?? before,
    messages,
  );
  return held;
}

/** Activities are the client's own affair, and may stand anywhere between the messages. */
function withoutActivities(events: readonly AguiEvent[]): AguiEvent[] {
  return events
    .filter(({ type }) => !type.startsWith('ACTIVITY_'))
    .map((event) =>
      event.type === EventType.MESSAGES_SNAPSHOT
        ? {
            ...event,
            messages: event.messages.filter(({ role }) => role !== 'activity'),
          }
        : event,
    );
}

/**
 * Whether each id is one message's. The client makes a second message of one id for a call without
 * a parent whose id is a message's, and for what a snapshot names twice.
 */
function haveIdsOfTheirOwn(
  events: readonly AguiEvent[],
  messages: readonly Message[],
): boolean {
  const ids = new Set(messages.map(({ id }) => id));
  for (const event of events) {
    if ('messageId' in event) ids.add(event.messageId as string);
    if (event.type === EventType.TOOL_CALL_START && event.parentMessageId)
      ids.add(event.parentMessageId);
    if (event.type !== EventType.MESSAGES_SNAPSHOT) continue;
    const told = new Set(event.messages.map(({ id }) => id));
    if (told.size < event.messages.length) return false;
    for (const id of told) ids.add(id);
  }
  return events.every(
    (event) =>
      event.type !== EventType.TOOL_CALL_START ||
      event.parentMessageId ||
      !ids.has(event.toolCallId),
  );
}

function heldByServer(
  messages: Message[],
  events: readonly AguiEvent[],
): Message[] {
  const transcript = new Transcript(messages);
  for (const event of events) transcript.apply(event);
  return transcript.messages();
}

describe('Transcript', () => {
  it.each([
    ['a legal run', legalRun],
    ['whatever the guard lets through', hostileRun],
  ])(
    'should hold after %s what the official client holds',
    async (_what, runs) => {
      await fc.assert(
        fc.asyncProperty(runs, history, async (run, messages) => {
          const input = runInput({ messages });
          const [, ...events] = withoutActivities(
            received(guarded(run, input).events),
          );
          fc.pre(haveIdsOfTheirOwn(events, messages));
          // The client works on the very messages that it is given.
          const held = await heldByClient(messages, structuredClone(events));
          expect(heldByServer(messages, events)).toEqual(held);
        }),
        { numRuns: 200 },
      );
    },
    TIMEOUT,
  );
});
