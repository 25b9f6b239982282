import type { Readable } from 'node:stream';
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
import { pathOf } from './request-path.js';
import { ValueCounter } from './value-counter.js';

interface Reply {
  raw: ServerResponse;
  getHeaders(): OutgoingHttpHeaders;
  send(payload: unknown): void;
}

interface Request {
  url: string;
  /** Of the route that was found; no URL if there is none, such as for a preflight. */
  routeOptions: { url?: string };
  headers: IncomingMessage['headers'];
  raw: IncomingMessage;
  params: unknown;
  body: unknown;
}

type Handler = (this: unknown, request: Request, reply: Reply) => unknown;
type Hook = (request: Request, reply: Reply, done: () => void) => void;
type PreParsing = (
  request: Request,
  reply: Reply,
  body: Readable,
  done: (error: null, body: Readable) => void,
) => void;

interface Route {
  method: string | string[];
  url: string;
  handler: Handler;
  onRequest?: Hook | Hook[];
  bodyLimit?: number;
  preParsing?: PreParsing | PreParsing[];
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
    route.preParsing = [route.preParsing ?? [], countValues].flat();
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
    if (!isFor(edge, request)) return done();
    limitBodyTime(request.raw, reply.raw, edge.bodyTimeout);
    // @fastify/cors leaves this mark: the application has a policy of its own.
    const ownCors = fastify.hasRequestDecorator('corsPreflightEnabled');
    if (cors === undefined || ownCors || hasCorsPolicy(reply.getHeaders()))
      return done();
    cors(request.raw, reply.raw, done);
  });
}

/** The application may have Fastify take more spellings of a path for the same; preflights have no route. */
function isFor({ matches }: HttpEdge, { url, routeOptions }: Request): boolean {
  const route = routeOptions.url;
  return (route !== undefined && matches(route)) || matches(pathOf(url));
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

/** Looks on while the body is read; whoever reads it hears of too many values as of any other error. */
function countValues(
  ...[, , body, done]: Parameters<PreParsing>
): ReturnType<PreParsing> {
  const counter = new ValueCounter();
  const count = (part: Buffer | string) => {
    const problem = counter.add(
      typeof part === 'string' ? Buffer.from(part) : part,
    );
    if (problem === undefined) return;
    body.off('data', count);
    if (body.listenerCount('error') > 0) body.emit('error', problem);
  };
  body.on('data', count);
  // It begins to flow when it is read.
  body.pause();
  done(null, body);
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
