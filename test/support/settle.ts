import { setTimeout as sleep } from 'node:timers/promises';
import type { Server, Socket } from 'node:net';
import { once } from 'node:events';
import { vi } from 'vitest';
import type { TestApp } from './app.js';

/** The number as soon as it has stopped growing. */
export async function untilStill(count: () => number): Promise<number> {
  for (let still = 0, last = -1; still < 5;) {
    await sleep(10);
    still = count() === last ? still + 1 : 0;
    last = count();
  }
  return count();
}

/** Gives the server time to do what it should not do: a request goes there and back. */
export async function roundTrip({ url }: Pick<TestApp, 'url'>): Promise<void> {
  await (await fetch(`${url}/nothing-here`)).text();
}

/** Resolves when the server knows that no connection is left. */
export async function allGone({ app }: Pick<TestApp, 'app'>): Promise<void> {
  const server = app.getHttpServer() as Server;
  const count = () =>
    new Promise<number>((resolve) =>
      server.getConnections((_error, connections) => resolve(connections)),
    );
  await vi.waitUntil(async () => (await count()) === 0);
}

/** The server's end of the next connection. */
export async function nextConnection({
  app,
}: Pick<TestApp, 'app'>): Promise<Socket> {
  const server = app.getHttpServer() as Server;
  const [socket] = (await once(server, 'connection')) as [Socket];
  return socket;
}
