import { ExpressAdapter } from '@nestjs/platform-express';
import { FastifyAdapter } from '@nestjs/platform-fastify';

export const PLATFORMS = ['Express', 'Fastify'] as const;

export type Platform = (typeof PLATFORMS)[number];

export function adapterOf(platform: Platform) {
  return (
    platform === 'Express' ? new ExpressAdapter() : new FastifyAdapter()
  ) as ExpressAdapter;
}
