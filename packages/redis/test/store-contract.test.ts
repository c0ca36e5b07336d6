import { afterAll, beforeAll, describe } from "vitest";
import { clients } from "./clients.ts";
import { testStoreBy } from "./contracts.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

// By the other clients in `clients.full.test.ts`.
describe.skipIf(noRedis)("createRedisStore", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  testStoreBy("ioredis", clients.ioredis, () => server, 40);
});
