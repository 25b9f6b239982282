import { once } from 'node:events';
import http from 'node:http';
import https from 'node:https';

/**
 * A `fetch` by Node's own HTTP. Its connection is gone with the response, where `fetch()` keeps some
 * open that an application would wait for when it closes; and a `fetch()` that a test has replaced
 * concerns it not.
 *
 * @param onBreak told why a response broke off, which is only at its end for whoever reads it:
 * `@ag-ui/client` 1.0.0 leaves a rejection unhandled otherwise.
 */
export async function fetchOnce(
  url: string,
  { method, headers, body, signal }: RequestInit,
  onBreak: (error: Error) => void,
): Promise<Response> {
  const { request } = url.startsWith('https:') ? https : http;
  const sent = request(url, {
    method,
    headers: headers as Record<string, string>,
    signal: signal ?? undefined,
    agent: false,
    // Tests sign their certificates themselves.
    rejectUnauthorized: false,
  });
  // What breaks the connection later is told by the response.
  sent.on('error', () => undefined);
  sent.end(body);
  const [response] = (await once(sent, 'response')) as [http.IncomingMessage];
  return new Response(ReadableStream.from(chunksOf(response, onBreak)), {
    status: response.statusCode,
    headers: response.headers as Record<string, string>,
  });
}

async function* chunksOf(
  response: http.IncomingMessage,
  onBreak: (error: Error) => void,
): AsyncGenerator<Uint8Array> {
  try {
    yield* response;
  } catch (error) {
    onBreak(error as Error);
  }
}
