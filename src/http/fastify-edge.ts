import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { UnsupportedMediaTypeException } from '@nestjs/common';
import { bodyProblem } from './body-problem.js';
import { hasCorsPolicy } from './cors-policy.js';
import type { HttpEdge } from './http-edge.js';

interface Reply {
  raw: ServerResponse;
  getHeaders(): OutgoingHttpHeaders;
  send(payload: unknown): void;
}

interface Request {
  url: string;
  headers: IncomingMessage['headers'];
  raw: IncomingMessage;
}

interface Route {
  url: string;
  bodyLimit?: number;
  errorHandler?: (error: unknown, request: Request, reply: Reply) => void;
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: Route) => void): void;
  addHook(
    name: 'onRequest',
    hook: (request: Request, reply: Reply, done: () => void) => void,
  ): void;
  hasRequestDecorator(name: string): boolean;
}

/** On Fastify a route has a body limit of its own, and hooks see every request first. */
export function fastifyEdge(
  adapter: AbstractHttpAdapter,
  edge: HttpEdge,
): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  fastify.addHook('onRoute', (route) => {
    if (!edge.matches(route.url)) return;
    route.bodyLimit = edge.bodyLimit;
    route.errorHandler = (error, request, reply) =>
      reply.send(parserProblem(error, request) ?? error);
  });
  const { cors } = edge;
  if (cors === undefined) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    // @fastify/cors leaves this mark: the application has a policy of its own.
    const ownCors = fastify.hasRequestDecorator('corsPreflightEnabled');
    if (
      ownCors ||
      !edge.matches(request.url) ||
      hasCorsPolicy(reply.getHeaders())
    )
      return done();
    cors(request.raw, reply.raw, done);
  });
}

/** Plugins' errors pass here, too; only the parser's are about the body. */
function parserProblem(error: unknown, { headers }: Request): unknown {
  const { code } = (error ?? {}) as { code?: unknown };
  const ofParser =
    error instanceof SyntaxError || String(code).startsWith('FST_ERR_CTP_');
  if (!ofParser) return undefined;
  // Fastify does not decompress, and takes what is compressed for bad JSON.
  const encoding = headers['content-encoding'] ?? 'identity';
  return encoding === 'identity'
    ? bodyProblem(error)
    : new UnsupportedMediaTypeException(
        `The run input must not be compressed (${encoding}).`,
      );
}
