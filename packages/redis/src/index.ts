export { RedisError, type RedisErrorCode } from "./connection-trouble.ts";
export {
  initRedisStore,
  listReservations,
  operateRedisOutbox,
  type RedisOutboxPlace,
  type RedisStorePlace,
  resolveReservation,
} from "./operators.ts";
export type { IoredisClient, NodeRedisClient, RedisClient, UpstashClient } from "./redis-client.ts";
export { createRedisOutbox, type RedisOutboxOptions } from "./redis-outbox.ts";
export { createRedisStore, type RedisStoreOptions } from "./redis-store.ts";
