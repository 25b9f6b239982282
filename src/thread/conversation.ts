import type { Message } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import { HeldState } from '../protocol/held-state.js';
import { Transcript } from '../protocol/transcript.js';

/** What a client of a thread holds. */
export interface Conversation {
  /** The messages, activities among them. */
  messages: readonly Message[];
  /** The shared state; undefined while nobody has said it. */
  state: unknown;
}

/** What a conversation becomes by the events of a run. */
export function continued(
  { messages, state }: Conversation,
  events: Iterable<AguiEvent>,
): Conversation {
  const transcript = new Transcript(messages, { activities: true });
  const held = new HeldState(state);
  for (const event of events) {
    transcript.apply(event);
    held.apply(event);
  }
  return { messages: transcript.messages(), state: held.current()?.state };
}
