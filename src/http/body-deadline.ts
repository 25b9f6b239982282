import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ServerHttp2Stream } from 'node:http2';

const REFUSAL = JSON.stringify({
  statusCode: 408,
  message: 'The request did not arrive in time.',
});

/**
 * Refuses a request that does not come to its end in time, and lets go of its connection: platforms
 * wait for minutes, or for ever.
 *
 * @param limit in milliseconds; 0 for none.
 */
export function limitBodyTime(
  request: IncomingMessage,
  response: ServerResponse,
  limit: number,
): void {
  if (limit === 0) return;
  const { stream } = response as { stream?: ServerHttp2Stream };
  const timer = setTimeout(() => {
    if (response.headersSent) request.destroy();
    else refuse(response, stream === undefined);
    stream?.close();
  }, limit);
  const arrived = () => clearTimeout(timer);
  request.once('end', arrived);
  request.once('close', arrived);
}

function refuse(response: ServerResponse, closing: boolean): void {
  response.statusCode = 408;
  response.setHeader('Content-Type', 'application/json; charset=utf-8');
  // Node closes the connection behind it; HTTP/2 has no such header.
  if (closing) response.setHeader('Connection', 'close');
  response.end(REFUSAL);
}
