import { testOutboxStore } from "@creditgate/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { createOutboxStore } from "../src/redis-outbox.ts";
import { clients } from "./clients.ts";
import { testOutboxBy } from "./contracts.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

// By the other clients in `clients.full.test.ts`.
describe.skipIf(noRedis)("createRedisOutbox", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis("--appendonly", "yes");
  });
  afterAll(() => server.stop());

  testOutboxBy("ioredis", clients.ioredis, () => server);

  testOutboxStore(
    "Redis",
    {
      create() {
        let shiftMs = 0;
        const place = { redis: server.redis, name: crypto.randomUUID() };
        return {
          store: createOutboxStore(place, { shiftMs: () => shiftMs }),
          advance(ms) {
            shiftMs += ms;
          },
        };
      },
    },
    { describe, it },
  );
});
