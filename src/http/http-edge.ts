import type { IncomingMessage, ServerResponse } from 'node:http';
import cors from 'cors';
import type { HttpAdapterHost } from '@nestjs/core';
import type { AguiProperties } from '../agui.properties.js';
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

export type CorsMiddleware = (
  request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
) => void;

/** Installs CORS and the body limit for our routes alone, on either platform. */
export function installHttpEdge(
  { httpAdapter }: HttpAdapterHost,
  properties: AguiProperties,
): void {
  if (httpAdapter === undefined || httpAdapter === null) return;
  const edge: HttpEdge = {
    matches: urlMatcher(properties.pathPrefix),
    bodyLimit: properties.bodyLimit,
    cors: properties.corsEnabled
      ? (cors({
          origin: originOf(properties.corsAllowedOrigins),
          methods: ['GET', 'POST'],
        }) as CorsMiddleware)
      : undefined,
  };
  if (httpAdapter.getType() === 'fastify') fastifyEdge(httpAdapter, edge);
  else expressEdge(httpAdapter, edge);
}

function originOf(allowed: readonly string[]): string | string[] {
  return allowed.includes('*') ? '*' : [...allowed];
}

function urlMatcher(pathPrefix: string): (url: string) => boolean {
  const prefix = pathPrefix.split('/').filter(Boolean).map(escape).join('/');
  const route = new RegExp(
    `^/(?:.*/)?${prefix}${prefix && '/'}(?:run(?:/[^/]+)?|agents)/?(?:[?#]|$)`,
  );
  return (url) => route.test(url);
}

function escape(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
}
