import type { Type } from '@nestjs/common';
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

/** What has to happen to a request to our routes before the framework sees it. */
export interface HttpEdge {
  /** Whether a URL is one of ours. */
  matches(url: string): boolean;
  bodyLimit: number;
  /** Answers preflights and marks responses; undefined if CORS is off. */
  cors: CorsMiddleware | undefined;
}

/** Where routes are. */
export interface RoutesLocation {
  module: Type;
  /** The path of the module's controller. */
  path: string;
  /** The paths below it, as a regular expression. */
  routes: string;
}

/** Installs CORS and the body limit for our routes alone, on either platform. */
export function installHttpEdge(
  moduleRef: ModuleRef,
  properties: AguiProperties,
  location: RoutesLocation,
): void {
  const { httpAdapter } = moduleRef.get(HttpAdapterHost, { strict: false });
  if (httpAdapter === undefined || httpAdapter === null) return;
  const edge: HttpEdge = {
    matches: urlMatcher(httpAdapter, moduleRef, location),
    bodyLimit: properties.bodyLimit,
    cors: properties.corsEnabled
      ? corsFor(properties.corsAllowedOrigins)
      : undefined,
  };
  if (httpAdapter.getType() === 'fastify') fastifyEdge(httpAdapter, edge);
  else expressEdge(httpAdapter, edge);
}

const routesOf = new WeakMap<AbstractHttpAdapter, Map<string, RegExp>>();

/** Of several modules' routes that fit a URL, those with the longest prefix are meant. */
function urlMatcher(
  adapter: AbstractHttpAdapter,
  moduleRef: ModuleRef,
  { module, path, routes: below }: RoutesLocation,
): (url: string) => boolean {
  const before = pathBeforeRoutes(moduleRef, module);
  const prefix = pathPattern(path);
  const route = new RegExp(`^${before}${prefix}${below}/?(?:[?#]|$)`, 'i');
  const routes = routesOf.get(adapter) ?? new Map<string, RegExp>();
  routesOf.set(adapter, routes.set(prefix, route));
  return (url) => {
    if (!route.test(url)) return false;
    for (const [other, otherRoute] of routes)
      if (other.length > prefix.length && otherRoute.test(url)) return false;
    return true;
  };
}
