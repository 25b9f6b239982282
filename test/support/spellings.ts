import type { Platform, StartOptions } from './app.js';

/** Other ways to write the path of the run route, which the platforms take for the same. */
export const SPELLINGS: Record<Platform, readonly string[]> = {
  express: ['http://localhost/agui/run', '/AGUI/run?x', '/agui/run/'],
  fastify: ['http://localhost/agui/run', '/%61gui/r%75n', '//agui//run'],
};

/** An application that takes all of them. */
export const LENIENT: StartOptions = {
  fastify: { routerOptions: { ignoreDuplicateSlashes: true } },
};
