import { testSharedStore } from "@creditgate/conformance";
import { afterAll, beforeAll, describe, it } from "vitest";
import { commonKey, tags } from "../src/epochs.ts";
import { accountKeys, createRedisStore } from "../src/redis-store.ts";
import { clients } from "./clients.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

describe.skipIf(noRedis)("createRedisStore", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  for (const [client, connect] of Object.entries(clients)) {
    testSharedStore(
      `Redis, by ${client}`,
      {
        restarts: true,
        stepsBack: true,
        loses: ["figures", "reservations", "windows", "account"],
        // The step is the same by all of them.
        seeds: client === "ioredis" ? 40 : 2,
        async create() {
          const name = crypto.randomUUID();
          const { redis, close } = await connect(server.port);
          let shiftMs = 0;
          return {
            store: createRedisStore({ redis, name }, { shiftMs: () => shiftMs }),
            advance(ms) {
              shiftMs += ms;
            },
            stepBack(ms) {
              shiftMs -= ms;
            },
            /** As a restart of the server does: it has another `run_id` than the one that is written down. */
            async restart() {
              const pipeline = server.redis.pipeline();
              for (let tag = 0; tag < tags; tag++) pipeline.hset(commonKey(name, tag), "run", "another");
              await pipeline.exec();
            },
            async lose(account, part) {
              const [, figures = "", reservations = "", due = "", windows = ""] = accountKeys(name, account);
              const keys = {
                figures: [figures],
                reservations: [reservations],
                windows: [windows],
                account: [figures, reservations, due, windows],
              };
              await server.redis.del(keys[part]);
            },
            close,
          };
        },
      },
      { describe, it },
    );
  }
});
