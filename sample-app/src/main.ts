import { Logger } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import { serveApiDocument } from './api-document.js';
import { AppModule } from './app.module.js';
import { PageBuild } from './page/page-build.js';
import { servePageAssets } from './page/serve-page-assets.js';

async function bootstrap(): Promise<void> {
  const app = await NestFactory.create(AppModule, await createAdapter());
  servePageAssets(app);
  serveApiDocument(app);
  app.enableShutdownHooks();
  const port = Number(process.env['PORT'] ?? 3000);
  await app.listen(port);
  const logger = new Logger('Sample');
  logger.log(`Agents are served at http://localhost:${port}/agui/run`);
  if (process.env['SAMPLE_PAGE'] === 'off') return;
  const isBuilt = await app.get(PageBuild, { strict: false }).start();
  if (isBuilt) logger.log(`The page is at http://localhost:${port}`);
}

async function createAdapter() {
  if (process.env['SAMPLE_PLATFORM'] !== 'fastify') return new ExpressAdapter();
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return new FastifyAdapter();
}

void bootstrap();
