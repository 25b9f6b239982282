import type { WireLog } from '../wire/wire-log';

/** What the server tells of a thread, until nobody wants to hear it any more. */
export interface OpenThread {
  response: Response;
  leave: () => void;
}

/** Asks for a thread and the run that is active on it; undefined if the server does not know the thread. */
export async function openThread(
  threadId: string,
  wire: WireLog,
): Promise<OpenThread | undefined> {
  const controller = new AbortController();
  const response = await wire.fetch('/agui/connect', {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      Accept: 'text/event-stream',
    },
    body: JSON.stringify({ threadId, protocolVersion: '1.0' }),
    signal: controller.signal,
  });
  if (response.ok) return { response, leave: () => controller.abort() };
  if (response.status === 404) return undefined;
  throw new Error(`The thread cannot be opened: ${response.status}.`);
}
