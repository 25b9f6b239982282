import type { AddressInfo } from 'node:net';
import { inspect } from 'node:util';
import {
  Module,
  type INestApplication,
  type LoggerService,
  type LogLevel,
  type ModuleMetadata,
  type NestApplicationOptions,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ExpressAdapter } from '@nestjs/platform-express';
import {
  FastifyAdapter,
  type NestFastifyApplication,
} from '@nestjs/platform-fastify';
import { AguiModule, type AgentSource } from 'nestjs-agui';

type AguiOptions = Parameters<typeof AguiModule.forRoot>[0];

export type Platform = 'express' | 'fastify';

export const PLATFORMS: readonly Platform[] = ['express', 'fastify'];

/** What a test changes of an application. */
export interface StartOptions {
  nest?: NestApplicationOptions;
  /** Options of the platform itself; Fastify only. */
  fastify?: ConstructorParameters<typeof FastifyAdapter>[0];
  /** Which levels of the log are kept; by default all, one line or more per run. */
  kept?: readonly LogLevel[];
  /** How many connections may wait to be accepted; by default as many as Node lets. */
  backlog?: number;
  /** Called before the application listens. */
  configure?: (app: INestApplication) => unknown;
}

export interface TestApp {
  platform: Platform;
  url: string;
  port: number;
  app: INestApplication;
  /** The lines the application logged, as `level: text`. */
  log: string[];
  /** The warnings and errors among them, since the start. */
  readonly complaints: string[];
  close(): Promise<void>;
}

const running = new Set<INestApplication>();

/** Starts an application on one platform, on a free port. */
export async function startApp(
  platform: Platform,
  metadata: ModuleMetadata,
  { nest, fastify, kept, backlog, configure }: StartOptions = {},
): Promise<TestApp> {
  class AppModule {}
  Module(metadata)(AppModule);
  const log: string[] = [];
  const app = await NestFactory.create(
    AppModule,
    platform === 'express'
      ? new ExpressAdapter()
      : // Fastify's own default would hold a test up for its keep-alive time.
        new FastifyAdapter(fastify),
    { logger: loggerInto(log, kept), abortOnError: false, ...nest },
  );
  running.add(app);
  await configure?.(app);
  const where = { port: 0, host: '127.0.0.1', backlog };
  // Nest hands on what Node takes there, and Fastify likewise.
  await app.listen(where as never);
  const { port } = (
    app.getHttpServer() as { address(): AddressInfo }
  ).address();
  const started = log.length;
  return {
    platform,
    url: `http://127.0.0.1:${port}`,
    port,
    app,
    log,
    get complaints() {
      return log.slice(started).filter((line) => /^(warn|error)/.test(line));
    },
    close: () => close(app),
  };
}

/** An application that does nothing but serve one agent. */
export function serve(
  platform: Platform,
  agent: AgentSource,
  options: AguiOptions = {},
  start: StartOptions & Pick<ModuleMetadata, 'controllers' | 'providers'> = {},
): Promise<TestApp> {
  const { controllers, providers, ...rest } = start;
  return startApp(
    platform,
    {
      imports: [AguiModule.forRoot({ agents: { default: agent }, ...options })],
      controllers,
      providers,
    },
    rest,
  );
}

/** Closes whatever a test has left open. */
export async function closeApps(): Promise<void> {
  await Promise.all([...running].map(close));
}

export function asFastify(app: INestApplication): NestFastifyApplication {
  return app as NestFastifyApplication;
}

async function close(app: INestApplication): Promise<void> {
  if (!running.delete(app)) return;
  const server = app.getHttpServer() as { closeAllConnections?(): void };
  const closing = app.close();
  server.closeAllConnections?.();
  await closing;
}

function loggerInto(
  log: string[],
  kept: readonly LogLevel[] | undefined,
): LoggerService {
  const at =
    (level: LogLevel) =>
    (...words: unknown[]) => {
      if (kept?.includes(level) ?? true)
        log.push(`${level}: ${words.map(textOf).join(' ')}`);
    };
  return {
    log: at('log'),
    error: at('error'),
    warn: at('warn'),
    debug: at('debug'),
    verbose: at('verbose'),
    fatal: at('fatal'),
  };
}

function textOf(word: unknown): string {
  return typeof word === 'string' ? word : inspect(word);
}
