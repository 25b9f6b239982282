import { FastifyAdapter } from '@nestjs/platform-fastify';
import { serveOurs } from './ours.mjs';

await serveOurs(() => new FastifyAdapter(), true);
