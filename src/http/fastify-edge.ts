import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { bodyProblem } from './body-problem.js';
import type { HttpEdge } from './http-edge.js';

interface Reply {
  raw: ServerResponse;
  send(payload: unknown): void;
}

interface Route {
  url: string;
  bodyLimit?: number;
  errorHandler?: (error: unknown, request: unknown, reply: Reply) => void;
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: Route) => void): void;
  addHook(
    name: 'onRequest',
    hook: (
      request: { url: string; raw: IncomingMessage },
      reply: Reply,
      done: () => void,
    ) => void,
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
    route.errorHandler = (error, _request, reply) =>
      reply.send(bodyProblem(error) ?? error);
  });
  const { cors } = edge;
  if (cors === undefined) return;
  fastify.addHook('onRequest', (request, reply, done) => {
    // @fastify/cors leaves this mark: the application has a policy of its own.
    const ownCors = fastify.hasRequestDecorator('corsPreflightEnabled');
    if (ownCors || !edge.matches(request.url)) return done();
    cors(request.raw, reply.raw, done);
  });
}
