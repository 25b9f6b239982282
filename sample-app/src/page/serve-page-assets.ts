import type { INestApplication } from '@nestjs/common';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { ASSETS_FOLDER } from './page-paths.js';

/** Serves the page's scripts and styles as the platform serves files. Their names change with their content. */
export function servePageAssets(app: INestApplication): void {
  const options = { prefix: '/assets/', immutable: true, maxAge: '365d' };
  if (app.getHttpAdapter().getType() === 'fastify')
    (app as NestFastifyApplication).useStaticAssets({
      root: ASSETS_FOLDER,
      ...options,
    });
  else (app as NestExpressApplication).useStaticAssets(ASSETS_FOLDER, options);
}
