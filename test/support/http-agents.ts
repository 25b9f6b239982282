import { inspect } from 'node:util';
import { HttpAgent } from '@ag-ui/client';
import { HttpAgent as EarlierHttpAgent } from 'agui-client-0.0.59';
import { afterEach, beforeEach, vi } from 'vitest';

/** The official clients that people use. */
export const CLIENTS: readonly [string, typeof HttpAgent][] = [
  ['@ag-ui/client 1.0', HttpAgent],
  ['@ag-ui/client 0.0.59', EarlierHttpAgent as unknown as typeof HttpAgent],
];

/** Fails a file's tests in which a client complains about what it gets. */
export function refuseComplaints(): void {
  const complaints: unknown[][] = [];
  beforeEach(() => {
    complaints.length = 0;
    for (const method of ['warn', 'error'] as const)
      vi.spyOn(console, method).mockImplementation((...words: unknown[]) => {
        complaints.push(words);
      });
  });
  afterEach(() => {
    vi.restoreAllMocks();
    if (complaints.length > 0)
      throw new Error(`The client complained: ${inspect(complaints)}`);
  });
}

/** A client of a thread in which the user has said something. */
export function clientOf(
  Client: typeof HttpAgent,
  { url }: { url: string },
  said = 'Hi',
  path = '/agui/run',
): HttpAgent {
  return new Client({
    url: url + path,
    threadId: 't1',
    initialMessages: [{ id: 'u1', role: 'user', content: said }],
  });
}

/** The errors that a run reports to its client. */
export async function errorsOf(
  client: HttpAgent,
  input: Parameters<HttpAgent['runAgent']>[0] = {},
): Promise<{ message: string; code?: string }[]> {
  const errors: { message: string; code?: string }[] = [];
  await client.runAgent(input, {
    onRunErrorEvent: ({ event }) => void errors.push(event),
  });
  return errors;
}
