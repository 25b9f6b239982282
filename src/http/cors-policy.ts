import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import cors from 'cors';

export type CorsMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** Answers preflights and marks responses for some origins, or for any (`*`). */
export function corsFor(origins: readonly string[]): CorsMiddleware {
  return cors({
    origin: origins.includes('*') ? '*' : [...origins],
    methods: ['GET', 'POST'],
  }) as CorsMiddleware;
}

/** Whether the application has already said who may read a response. */
export function hasCorsPolicy(headers: OutgoingHttpHeaders): boolean {
  return (
    headers['access-control-allow-origin'] !== undefined ||
    /\borigin\b/i.test(String(headers.vary))
  );
}
