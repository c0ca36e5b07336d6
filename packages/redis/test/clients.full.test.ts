import { afterAll, beforeAll, describe } from "vitest";
import { clients } from "./clients.ts";
import { testOutboxBy, testStoreBy } from "./contracts.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

describe.skipIf(noRedis)("the contracts, by the clients other than ioredis", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis("--appendonly", "yes");
  });
  afterAll(() => server.stop());

  const { ioredis, ...others } = clients;
  for (const [client, connect] of Object.entries(others)) {
    // The step is the same by all of them: few seeds.
    testStoreBy(client, connect, () => server, 2);
    testOutboxBy(client, connect, () => server);
  }
});
