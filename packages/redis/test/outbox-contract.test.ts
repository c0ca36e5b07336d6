import { testOutbox, testOutboxStore } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import { createRedisOutbox } from "@creditgate/redis";
import { afterAll, beforeAll, describe, it } from "vitest";
import { createOutboxStore } from "../src/redis-outbox.ts";
import { clients } from "./clients.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

const maxReports = 5;

describe.skipIf(noRedis)("createRedisOutbox", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis("--appendonly", "yes");
  });
  afterAll(() => server.stop());

  for (const [client, connect] of Object.entries(clients)) {
    testOutbox(
      `Redis, by ${client}`,
      {
        durable: true,
        async create() {
          const clock = createManualClock();
          const name = crypto.randomUUID();
          const { redis, close } = await connect(server.port);
          const start = () => createRedisOutbox({ redis, name, process: "one", maxReports, clock });
          return { outbox: start(), maxReports, crash: start, advance: clock.advance, close };
        },
      },
      { describe, it },
    );
  }

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
