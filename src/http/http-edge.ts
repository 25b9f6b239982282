import type { HttpException, Type } from '@nestjs/common';
import {
  HttpAdapterHost,
  type AbstractHttpAdapter,
  type ModuleRef,
} from '@nestjs/core';
import type { AguiProperties } from '../agui.properties.js';
import { corsFor, type CorsMiddleware } from './cors-policy.js';
import { expressEdge } from './express-edge.js';
import { fastifyEdge } from './fastify-edge.js';
import { pathBeforeRoutes, pathPattern } from './path-before-routes.js';

/** The request that is meant by one that says in its body what it is about. */
export interface MeantRequest {
  method: 'GET' | 'POST';
  /** The route below the module's path, its parameters as `:name`. */
  route: string;
  params: Record<string, string>;
  body: unknown;
}

/** What has to happen to a request to our routes before the framework sees it. */
export interface HttpEdge extends Spelling {
  /** Whether a path, as `pathOf` reads it, is one of ours. */
  matches: (path: string) => boolean;
  /** Whether a path is the module's own. */
  isBase: (path: string) => boolean;
  bodyLimit: number;
  /** How long a body may take, in milliseconds; 0 for no limit. */
  bodyTimeout: number;
  /** Answers preflights and marks responses; undefined if CORS is off. */
  cors: CorsMiddleware | undefined;
}

/** How the clients of some routes like to speak. */
export interface Spelling {
  /** Reads a request to the module's own path that means one to another route; undefined for any other. */
  meantBy?: (body: unknown) => MeantRequest | undefined;
  /** Whether a route takes requests that declare a JSON body and have none. */
  takesNothing?: (url: string) => boolean;
  /** The refusal of a request, in words that the clients know. */
  refusal?: (problem: HttpException) => HttpException;
}

/** Where routes are. */
export interface RoutesLocation extends Spelling {
  module: Type;
  /** The path of the module's controller. */
  path: string;
  /** The paths below it, as a regular expression. */
  routes: string;
}

/** Installs CORS and the limits of the body for our routes alone, on either platform. */
export function installHttpEdge(
  moduleRef: ModuleRef,
  properties: AguiProperties,
  location: RoutesLocation,
): void {
  const { module, path, routes, ...spelling } = location;
  const { httpAdapter } = moduleRef.get(HttpAdapterHost, { strict: false });
  if (httpAdapter === undefined || httpAdapter === null) return;
  const prefix = pathPattern(path);
  const base = pathBeforeRoutes(moduleRef, module) + prefix;
  const own = new RegExp(`^${base}/?$`, 'i');
  const edge: HttpEdge = {
    ...spelling,
    matches: pathMatcher(httpAdapter, prefix, `${base}${routes}`),
    isBase: (path) => own.test(path),
    bodyLimit: properties.bodyLimit,
    bodyTimeout: properties.bodyTimeout,
    cors: properties.corsEnabled
      ? corsFor(properties.corsAllowedOrigins)
      : undefined,
  };
  if (httpAdapter.getType() === 'fastify') fastifyEdge(httpAdapter, edge);
  else expressEdge(httpAdapter, edge);
}

const routesOf = new WeakMap<AbstractHttpAdapter, Map<string, RegExp>>();

/** Of several modules' routes that fit a path, those with the longest prefix are meant. */
function pathMatcher(
  adapter: AbstractHttpAdapter,
  prefix: string,
  pattern: string,
): (path: string) => boolean {
  const route = new RegExp(`^${pattern}/?$`, 'i');
  const routes = routesOf.get(adapter) ?? new Map<string, RegExp>();
  routesOf.set(adapter, routes.set(prefix, route));
  return (path) => {
    if (!route.test(path)) return false;
    for (const [other, otherRoute] of routes)
      if (other.length > prefix.length && otherRoute.test(path)) return false;
    return true;
  };
}
