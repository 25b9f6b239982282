import { EventType, type Interrupt } from '@ag-ui/core';
import type { AguiEvent } from '../protocol/agui-event.js';
import type { ThreadKey } from './thread-key.js';
import type { ThreadLease, ThreadRecord, ThreadStore } from './thread-store.js';

const RUN = { threadId: 't', runId: 'r1' };
export const STARTED: AguiEvent = { type: EventType.RUN_STARTED, ...RUN };
export const FINISHED: AguiEvent = { type: EventType.RUN_FINISHED, ...RUN };
export const open = (messageId: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_START,
  messageId,
  role: 'assistant',
});
export const text = (messageId: string, delta: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_CONTENT,
  messageId,
  delta,
});
export const close = (messageId: string): AguiEvent => ({
  type: EventType.TEXT_MESSAGE_END,
  messageId,
});
export const note = (name: string): AguiEvent => ({
  type: EventType.CUSTOM,
  name,
  value: 'x'.repeat(100),
});
export const EMPTY = { messages: [], state: undefined };

export const interrupt = (id: string): Interrupt => ({
  id,
  reason: 'tool_call',
});
export const never = (): AbortSignal => new AbortController().signal;

/** Makes two stores that share what they keep. */
export type MakeStores = () => Promise<{
  here: ThreadStore;
  there: ThreadStore;
}>;

let threads = 0;

/** A thread of its own, on which a run has left a record, if one is given. */
export async function setUpThread(
  make: MakeStores,
  record: Partial<ThreadRecord> = {},
) {
  const stores = await make();
  const key: ThreadKey = { userId: undefined, threadId: `t${++threads}` };
  if (Object.keys(record).length > 0) {
    const lease = (await stores.here.begin(key, 'r0'))!;
    lease.start(EMPTY);
    await lease.end(record);
  }
  const begin = async (runId = 'r1', on = stores.here) =>
    (await on.begin(key, runId))!;
  const recordOf = async (on = stores.there) =>
    (await on.read(key, never()))!.record;
  return { ...stores, key, begin, recordOf };
}

/** A run that has said some words. */
export async function saying(lease: ThreadLease, ...words: string[]) {
  lease.start(EMPTY);
  lease.add(STARTED);
  lease.add(open('m'));
  for (const word of words) lease.add(text('m', word));
}
