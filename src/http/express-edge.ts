import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AbstractHttpAdapter } from '@nestjs/core';
import { limitBodyTime } from './body-deadline.js';
import { hasCorsPolicy } from './cors-policy.js';
import type { HttpEdge } from './http-edge.js';
import { pathOf } from './request-path.js';
import { ValueCounter } from './value-counter.js';

interface ParsedRequest extends IncomingMessage {
  body?: unknown;
}

type Next = (error?: unknown) => void;
type Middleware = (
  request: ParsedRequest,
  response: ServerResponse,
  next: Next,
) => void;

interface ExpressAdapter extends AbstractHttpAdapter {
  useBodyParser(type: 'json', rawBody: boolean, options: object): void;
}

interface Layer {
  name?: string;
  match(path: string): boolean;
}

interface ExpressApplication {
  router: { stack: Layer[] };
}

const bodyErrors = new WeakMap<object, unknown>();

/** Why a request's body could not be read; undefined if it could. */
export function bodyErrorOf(request: object): unknown {
  return bodyErrors.get(request);
}

/**
 * On Express the application's JSON parser, with its limit of 100 kB, stands before all routes. So
 * a parser of ours is put before it, for our routes only; the other then finds nothing to do. What
 * is wrong with a body is kept for the controller, behind the application's guards.
 */
export function expressEdge(
  adapter: AbstractHttpAdapter,
  edge: HttpEdge,
): void {
  const { stack } = adapter.getInstance<ExpressApplication>().router;
  // What cors() makes; it may be there for some paths only.
  const ownCors = stack.filter(({ name }) => name === 'corsMiddleware');
  const { cors } = edge;
  const parse = jsonParser(adapter as ExpressAdapter, edge.bodyLimit);
  adapter.use(function aguiEdge(
    request: ParsedRequest,
    response: ServerResponse,
    next: Next,
  ) {
    const path = pathOf(request.url!);
    if (!edge.matches(path)) return next();
    limitBodyTime(request, response, edge.bodyTimeout);
    nameCharset(request.headers);
    const read = () =>
      parse(request, response, (error) => {
        if (error !== undefined) bodyErrors.set(request, error);
        if (edge.meantBy && edge.isBase(path)) respell(request, edge.meantBy);
        next();
      });
    if (
      cors === undefined ||
      ownCors.some((layer) => layer.match(path)) ||
      hasCorsPolicy(response.getHeaders())
    )
      return read();
    cors(request, response, read);
  });
  const parser = stack.findIndex(({ name }) => name === 'jsonParser');
  if (parser >= 0) stack.splice(parser, 0, stack.pop()!);
}

/** Express knows UTF-8 by this name only; clients have others for it. */
function nameCharset(headers: IncomingMessage['headers']): void {
  headers['content-type'] &&= headers['content-type'].replace(
    /(;\s*charset\s*=\s*"?)utf8\b/i,
    '$1utf-8',
  );
}

/** Turns a request into the one that its body means, before Express looks for its route. */
function respell(
  request: ParsedRequest,
  meantBy: NonNullable<HttpEdge['meantBy']>,
): void {
  const meant = request.method === 'POST' ? meantBy(request.body) : undefined;
  if (meant === undefined) return;
  const route = meant.route.replace(/:(\w+)/g, (_, name: string) =>
    encodeURIComponent(meant.params[name]!),
  );
  const [path = '', ...query] = request.url!.split('?');
  request.url = [path.replace(/\/$/, '') + route, ...query].join('?');
  request.method = meant.method;
  request.body = meant.body;
}

/** The platform's JSON parser. Its adapter only knows how to install one, so it is asked to install it here. */
function jsonParser(adapter: ExpressAdapter, limit: number): Middleware {
  let parser: Middleware | undefined;
  const stage = Object.create(adapter, {
    use: { value: (middleware: Middleware) => (parser = middleware) },
  }) as ExpressAdapter;
  stage.useBodyParser('json', false, { limit, verify });
  return parser!;
}

/** Called with the body before it is parsed. */
function verify(
  request: IncomingMessage & { rawBody?: Buffer },
  _response: ServerResponse,
  body: Buffer,
): void {
  // Whether the application asked for raw bodies, to check signatures, is not to be known.
  request.rawBody = body;
  const problem = new ValueCounter().add(body);
  if (problem !== undefined) throw problem;
}
