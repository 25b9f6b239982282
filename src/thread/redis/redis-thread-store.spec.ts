import { afterAll, beforeAll, describe } from 'vitest';
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
});
