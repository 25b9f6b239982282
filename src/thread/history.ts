import { isDeepStrictEqual } from 'node:util';
import type { Message } from '@ag-ui/core';

/** A conversation put together from what the server keeps and what a client sends. */
export interface JoinedHistory {
  messages: Message[];
  /** What the server kept of a branch that the client has left. */
  cut: Message[];
}

/**
 * Joins what the server keeps of a thread with what a client sends. Messages are known by their ids,
 * and the server's word counts: a client may send all of them, or its user's, or only what is new. It
 * has left the branch that the server kept if it has changed or left out what its user said later, or
 * says no more than what was answered already, unless its run resumes one.
 */
export function joined(
  kept: readonly Message[],
  sent: readonly Message[],
  { resumes = false } = {},
): JoinedHistory {
  const places = new Map(kept.map(({ id }, place) => [id, place]));
  const messages: Message[] = [];
  const fresh = new Set<string>();
  let next = 0;
  for (const message of sent) {
    const place = places.get(message.id);
    if (place === undefined) {
      if (!fresh.has(message.id)) messages.push(message);
      fresh.add(message.id);
    } else if (place >= next) {
      messages.push(...kept.slice(next, place));
      if (isEdited(kept[place]!, message)) {
        const rest = sent.slice(sent.indexOf(message));
        return { messages: [...messages, ...rest], cut: kept.slice(place) };
      }
      messages.push(kept[place]!);
      next = place + 1;
    }
  }
  if (next === 0) return { messages: [...kept, ...messages], cut: [] };
  const rest = kept.slice(next);
  const asksAgain =
    !resumes &&
    sent.every(({ id }) => places.has(id)) &&
    asks(messages.at(-1)!);
  return rest.some(({ role }) => role === 'user') ||
    (asksAgain && rest.some(({ role }) => role === 'assistant'))
    ? { messages, cut: rest }
    : { messages: withRest(messages, kept, next), cut: [] };
}

/** The server knows better what it said itself. */
function isEdited(kept: Message, sent: Message): boolean {
  return (
    kept.role === 'user' &&
    !(sent.role === 'user' && isDeepStrictEqual(kept.content, sent.content))
  );
}

/** Whether somebody is waiting for an answer. */
function asks({ role }: Message): boolean {
  return role === 'user' || role === 'tool';
}

/** What the client does not hold stands behind what it came after. */
function withRest(
  messages: readonly Message[],
  kept: readonly Message[],
  next: number,
): Message[] {
  const last = messages.indexOf(kept[next - 1]!) + 1;
  return [
    ...messages.slice(0, last),
    ...kept.slice(next),
    ...messages.slice(last),
  ];
}
