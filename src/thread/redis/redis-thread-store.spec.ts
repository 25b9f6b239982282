import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import {
  describeThreadStore,
  EVENT_LOG_LIMIT,
} from '../thread-store.fixture.js';
import { HAS_REDIS, RedisServer } from './redis-server.fixture.js';
import { RedisThreadStore } from './redis-thread-store.js';

describe.skipIf(!HAS_REDIS)('RedisThreadStore', () => {
  let server: RedisServer;
  let here: RedisThreadStore;
  let there: RedisThreadStore;

  beforeAll(async () => {
    server = await RedisServer.start();
    const options = { eventLogLimit: EVENT_LOG_LIMIT };
    here = new RedisThreadStore(server.client(), options);
    there = new RedisThreadStore(server.client(), options);
  });

  afterAll(async () => {
    for (const store of [here, there]) store.onApplicationShutdown();
    await server.stop();
  });

  describeThreadStore('RedisThreadStore', async () => ({ here, there }));

  it('leaves its threads to others when it is closed', async () => {
    const store = new RedisThreadStore(server.client(), { leaseTime: 300 });
    const key = { userId: 'closing', threadId: 't' };
    await store.begin(key, 'r1');
    expect(await there.begin(key, 'r2')).toBeUndefined();
    store.onApplicationShutdown();
    const begun = await vi.waitUntil(() => there.begin(key, 'r2'), 5_000);
    await begun.end();
  });

  it('says within its answer time that Redis cannot be reached, and when it can again', async () => {
    const other = await RedisServer.start();
    const store = new RedisThreadStore(other.client(), { answerTime: '2s' });
    try {
      await store.ping();
      await other.kill();
      await expect(store.ping()).rejects.toThrow(
        /Redis|connect|closed|retries/i,
      );
      await other.run();
      await vi.waitFor(() => store.ping());
    } finally {
      store.onApplicationShutdown();
      await other.stop();
    }
  });

  it('says so of a Redis that takes connections and does not answer', async () => {
    const silent = createServer().listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    const client = server.client({ port, retryStrategy: () => null });
    const store = new RedisThreadStore(client, { answerTime: 50 });
    try {
      await expect(store.ping()).rejects.toThrow('did not answer in 50 ms');
    } finally {
      store.onApplicationShutdown();
      client.disconnect();
      silent.close();
    }
  });
});
