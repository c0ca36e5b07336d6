import { createRedisStore, initRedisStore, listBlocks, resolveBlock } from "@creditgate/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";
import { wordOf } from "./words.ts";

describe.skipIf(noRedis)("for operators", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  /** A process that has read a balance of 100, and asks for 1. */
  async function ask(name: string) {
    const store = createRedisStore({ redis: server.redis, name });
    const { now, epoch } = await store.exchange("a", wordOf("p", 1, { news: "now" }));
    const snapshot = { stamp: now, epoch, prepaid: 100, postpaid: 100, tells: true };
    return store.exchange("a", wordOf("p", 2, { epoch, snapshot, first: 1, need: 1 }));
  }

  it("begins an empty store without a quarantine, and leaves one that is in use", async () => {
    expect(await ask("used")).toMatchObject({ calm: false, block: 0 });
    expect(await initRedisStore({ redis: server.redis, name: "used" })).toBe(255);
    expect(await initRedisStore({ redis: server.redis, name: "empty" })).toBe(256);
    expect(await initRedisStore({ redis: server.redis, name: "empty" })).toBe(0);
    expect(await ask("empty")).toMatchObject({ calm: true, denied: false, block: 1 });
  });

  it.each([
    ["all of it as spent", {}, { out: 0, used: 1 }],
    ["nothing of it as spent", { spent: 0 }, { out: 0, used: 0 }],
  ])("frees a block of a process that is gone, with %s", async (_, options, expected) => {
    const redis = server.redis;
    const name = crypto.randomUUID();
    await initRedisStore({ redis, name });
    await ask(name);
    expect(await listBlocks("a", { redis, name })).toMatchObject([{ process: "p", amount: 1 }]);
    expect(await resolveBlock("a", "another", { redis, name, lagMs: 10_000 })).toBe(0);
    expect(await resolveBlock("a", "p", { redis, name, lagMs: 10_000, ...options })).toBe(1);
    expect(await listBlocks("a", { redis, name })).toEqual([]);
    const store = createRedisStore({ redis, name });
    expect(await store.exchange("a", wordOf("q", 1))).toMatchObject(expected);
  });

  it("refuses bad options", async () => {
    const redis = server.redis;
    await expect(initRedisStore({ redis, name: "" })).rejects.toThrow("name: expected");
    await expect(resolveBlock("a", "p", { redis, lagMs: -1 })).rejects.toThrow("lagMs: expected");
  });
});
