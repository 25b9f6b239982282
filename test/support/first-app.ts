import 'reflect-metadata';
import type { AddressInfo } from 'node:net';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { inputOf } from './client.js';
import { GUARD_WAYS, TOKEN } from './guard-ways.js';

/** Started as a process of its own: guards the first application of the process in one way, and says whom it lets in. */
const [platform, way] = process.argv.slice(2) as [string, string];
const { metadata, configure } = GUARD_WAYS[way]!();

class AppModule {}
Module(metadata)(AppModule);
const app = await NestFactory.create(AppModule, await adapterOf(platform), {
  logger: false,
  forceCloseConnections: true,
});
configure?.(app);
await app.listen(0, '127.0.0.1');
const { port } = (app.getHttpServer() as { address(): AddressInfo }).address();
const base = `http://127.0.0.1:${port}/agui`;
process.stdout.write(
  JSON.stringify([
    await statusOfRun('/run'),
    await statusOfRun('/run/default'),
    (await fetch(`${base}/agents`)).status,
    await statusOfRun('/run', TOKEN),
  ]),
);
process.exit();

/** Only the one that is needed: to load both takes its time. */
async function adapterOf(name: string) {
  if (name === 'express') {
    const { ExpressAdapter } = await import('@nestjs/platform-express');
    return new ExpressAdapter();
  }
  const { FastifyAdapter } = await import('@nestjs/platform-fastify');
  return new FastifyAdapter();
}

async function statusOfRun(path: string, headers = {}): Promise<number> {
  const response = await fetch(base + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(inputOf()),
  });
  await response.text();
  return response.status;
}
