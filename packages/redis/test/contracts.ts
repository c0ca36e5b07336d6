import { testOutbox, testSharedStore } from "@creditgate/conformance";
import { createManualClock } from "@creditgate/core/testing";
import { createRedisOutbox } from "@creditgate/redis";
import { describe, it } from "vitest";
import { commonKey, tags } from "../src/epochs.ts";
import { accountKeys, createRedisStore } from "../src/redis-store.ts";
import type { Connected } from "./clients.ts";
import type { RedisServer } from "./redis-server.ts";

type Connect = (port: number) => Promise<Connected>;

/** Declares the contract of shared stores for a client. The server is asked for as a test begins. */
export function testStoreBy(
  client: string,
  connect: Connect,
  server: () => RedisServer,
  seeds: number,
): void {
  testSharedStore(
    `Redis, by ${client}`,
    {
      restarts: true,
      stepsBack: true,
      loses: ["figures", "reservations", "windows", "account"],
      seeds,
      async create() {
        const name = crypto.randomUUID();
        const { redis, close } = await connect(server().port);
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
            const pipeline = server().redis.pipeline();
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
            await server().redis.del(keys[part]);
          },
          close,
        };
      },
    },
    { describe, it },
  );
}

/** Declares the contract of outboxes for a client. */
export function testOutboxBy(client: string, connect: Connect, server: () => RedisServer): void {
  const maxReports = 5;
  testOutbox(
    `Redis, by ${client}`,
    {
      durable: true,
      async create() {
        const clock = createManualClock();
        const name = crypto.randomUUID();
        const { redis, close } = await connect(server().port);
        const start = () => createRedisOutbox({ redis, name, process: "one", maxReports, clock });
        return { outbox: start(), maxReports, crash: start, advance: clock.advance, close };
      },
    },
    { describe, it },
  );
}
