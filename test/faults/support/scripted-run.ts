import http from 'node:http';
import { inputOf } from '../../support/client.js';
import type { Script } from './scripted-agent.js';
import { StreamCheck } from './stream-check.js';

/** What came of a run. */
export interface Outcome {
  status: number;
  events: number;
  /** How many characters came. */
  size: number;
  /** Milliseconds from the request to the head, and to the end. */
  head: number;
  end: number;
  /** What is wrong with the stream, if anything is. */
  fault?: string;
}

export interface RunOptions {
  port: number;
  script: Script;
  id: string;
  /** Is given the response, to read it at its own pace; by default it is read as it comes. */
  pace?: (response: http.IncomingMessage) => void;
}

/** The body that has the agent follow a script, on a thread of its own. */
export function scripted(
  script: Script,
  id: string,
  changes: Record<string, unknown> = {},
): Record<string, unknown> {
  const [threadId, runId] = [`thread-${id}`, `run-${id}`];
  return inputOf({ threadId, runId, forwardedProps: script, ...changes });
}

/** Runs a script on a connection of its own, and looks at every event of its stream. */
export function scriptedRun({
  port,
  script,
  id,
  pace,
}: RunOptions): Promise<Outcome> {
  const start = performance.now();
  const since = () => performance.now() - start;
  const run = { threadId: `thread-${id}`, runId: `run-${id}` };
  const check = new StreamCheck(run, script);
  const outcome = { status: 0, size: 0, head: 0 };
  return new Promise((resolve) => {
    const settle = (fault?: string) => {
      if (fault !== undefined) check.fail(fault);
      else check.end();
      const { events } = check;
      resolve({
        ...outcome,
        events,
        end: since(),
        ...(check.fault !== undefined && { fault: check.fault }),
      });
    };
    const request = http.request({
      port,
      host: '127.0.0.1',
      path: '/agui/run',
      method: 'POST',
      agent: false,
      headers: { 'content-type': 'application/json' },
    });
    request.on('error', (error) => settle(String(error)));
    request.on('response', (response) => {
      outcome.status = response.statusCode!;
      outcome.head = since();
      response.setEncoding('utf8');
      response.on('error', (error) => settle(String(error)));
      response.on('end', () => settle());
      const take = (text: string) => {
        outcome.size += text.length;
        check.take(text);
      };
      if (pace === undefined) response.on('data', take);
      else pace(response.on('taken', take));
    });
    request.end(JSON.stringify(scripted(script, id)));
  });
}
