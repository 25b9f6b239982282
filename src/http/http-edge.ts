import type { AbstractHttpAdapter, HttpAdapterHost } from '@nestjs/core';
import type { AguiProperties } from '../agui.properties.js';
import { corsFor, type CorsMiddleware } from './cors-policy.js';
import { expressEdge } from './express-edge.js';
import { fastifyEdge } from './fastify-edge.js';

/** What has to happen to a request to our routes before the framework sees it. */
export interface HttpEdge {
  /** Whether a URL is one of ours, under whatever global prefix and version. */
  matches(url: string): boolean;
  bodyLimit: number;
  /** Answers preflights and marks responses; undefined if CORS is off. */
  cors: CorsMiddleware | undefined;
}

/** The routes below a module's prefix. */
const MODULE_ROUTES = '(?:run(?:/[^/?#]+)?|agents)';

/**
 * Installs CORS and the body limit for our routes alone, on either platform.
 *
 * @param path where the routes are, and `routes` which they are below it.
 */
export function installHttpEdge(
  { httpAdapter }: HttpAdapterHost,
  properties: AguiProperties,
  path = properties.pathPrefix,
  routes = MODULE_ROUTES,
): void {
  if (httpAdapter === undefined || httpAdapter === null) return;
  const edge: HttpEdge = {
    matches: urlMatcher(httpAdapter, path, routes),
    bodyLimit: properties.bodyLimit,
    cors: properties.corsEnabled
      ? corsFor(properties.corsAllowedOrigins)
      : undefined,
  };
  if (httpAdapter.getType() === 'fastify') fastifyEdge(httpAdapter, edge);
  else expressEdge(httpAdapter, edge);
}

const routesOf = new WeakMap<AbstractHttpAdapter, Map<string, RegExp>>();

/**
 * Where our routes will be is not known yet: a global prefix, a version or a module's path may come
 * before them. Of several modules' routes that fit a URL, those with the longest prefix are meant.
 */
function urlMatcher(
  adapter: AbstractHttpAdapter,
  path: string,
  tail: string,
): (url: string) => boolean {
  const prefix = path.split('/').filter(Boolean).map(escape).join('/');
  const slash = prefix && tail && '/';
  const route = new RegExp(
    `^/(?:.*/)?${prefix}${slash}${tail}/?(?:[?#]|$)`,
    'i',
  );
  const routes = routesOf.get(adapter) ?? new Map<string, RegExp>();
  routesOf.set(adapter, routes.set(prefix, route));
  return (url) => {
    if (!route.test(url)) return false;
    for (const [other, otherRoute] of routes)
      if (other.length > prefix.length && otherRoute.test(url)) return false;
    return true;
  };
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
