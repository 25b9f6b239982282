import type {
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import {
  UnsupportedMediaTypeException,
  type HttpException,
} from '@nestjs/common';
import { limitBodyTime } from './body-deadline.js';
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
  params: unknown;
  body: unknown;
}

type Handler = (this: unknown, request: Request, reply: Reply) => unknown;
type Hook = (request: Request, reply: Reply, done: () => void) => void;

interface Route {
  method: string | string[];
  url: string;
  handler: Handler;
  onRequest?: Hook | Hook[];
  bodyLimit?: number;
  errorHandler?: (error: unknown, request: Request, reply: Reply) => void;
}

interface FastifyInstance {
  addHook(name: 'onRoute', hook: (route: Route) => void): void;
  addHook(name: 'onRequest', hook: Hook): void;
  hasRequestDecorator(name: string): boolean;
}

/** On Fastify a route has a body limit of its own, and hooks see every request first. */
export function fastifyEdge(
  adapter: AbstractHttpAdapter,
  edge: HttpEdge,
): void {
  const fastify = adapter.getInstance<FastifyInstance>();
  const respell = respeller(edge);
  fastify.addHook('onRoute', (route) => {
    if (!edge.matches(route.url)) return;
    route.bodyLimit = edge.bodyLimit;
    route.errorHandler = (error, request, reply) => {
      const problem = parserProblem(error, request);
      reply.send(problem ? (edge.refusal?.(problem) ?? problem) : error);
    };
    if (edge.takesNothing?.(route.url))
      route.onRequest = [...[route.onRequest ?? []].flat(), takeNothing];
    respell(route);
  });
  const { cors } = edge;
  fastify.addHook('onRequest', (request, reply, done) => {
    if (!edge.matches(request.url)) return done();
    limitBodyTime(request.raw, reply.raw, edge.bodyTimeout);
    // @fastify/cors leaves this mark: the application has a policy of its own.
    const ownCors = fastify.hasRequestDecorator('corsPreflightEnabled');
    if (cors === undefined || ownCors || hasCorsPolicy(reply.getHeaders()))
      return done();
    cors(request.raw, reply.raw, done);
  });
}

/** Fastify's parser refuses an empty body that is declared as JSON, as browsers' `fetch` sends it. */
function takeNothing(request: Request, _reply: Reply, done: () => void): void {
  if (request.headers['content-length'] === '0')
    delete request.headers['content-type'];
  done();
}

/** Has the route of the module's own path hand requests to those routes that their bodies mean. */
function respeller({ meantBy, isBase }: HttpEdge): (route: Route) => void {
  if (meantBy === undefined) return () => undefined;
  const handlers = new Map<string, Handler>();
  return (route) => {
    const { method, url, handler } = route;
    handlers.set(`${String(method)} ${url}`, handler);
    if (method !== 'POST' || !isBase(url)) return;
    route.handler = function (request, reply) {
      const meant = meantBy(request.body);
      if (meant === undefined) return handler.call(this, request, reply);
      Object.assign(request, { params: meant.params, body: meant.body });
      const target = handlers.get(`${meant.method} ${url}${meant.route}`)!;
      return target.call(this, request, reply);
    };
  };
}

/** Plugins' errors pass here, too; only the parser's are about the body. */
function parserProblem(
  error: unknown,
  { headers }: Request,
): HttpException | undefined {
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
