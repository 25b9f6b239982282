export {
  RedisThreadStore,
  type RedisThreadStoreOptions,
} from './redis-thread-store.js';
export type { RedisClient } from './redis-script.js';
