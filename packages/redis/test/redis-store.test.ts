import { createRedisStore, type RedisStoreOptions } from "@creditgate/redis";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { accountKeys } from "../src/redis-store.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";
import { requestOf, sync } from "./requests.ts";

const request = requestOf("p", 1);

describe("createRedisStore", () => {
  const redis = { call: async () => null };

  it.each([
    ["options", undefined],
    ["redis", { redis: {} }],
    ["redis", { redis: null }],
    ["name", { redis, name: "" }],
    ["timeoutMs", { redis, timeoutMs: 60_001 }],
    ["nam", { redis, nam: "x" }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => createRedisStore(options as unknown as RedisStoreOptions)).toThrow(
      expect.objectContaining({ code: "invalid_option", message: expect.stringContaining(`${option}:`) }),
    );
  });

  it("keeps all keys of an account under one hash tag, of 256", () => {
    const tags = new Set<string>();
    for (let account = 0; account < 5_000; account++) {
      const keys = accountKeys("default", `account {${account}}`);
      const own = new Set(keys.map((key) => /\{(cg\d+)\}/.exec(key)?.[1] ?? ""));
      expect(own.size).toBe(1);
      for (const tag of own) tags.add(tag);
    }
    expect(tags.size).toBe(256);
  });
});

describe.skipIf(noRedis)("createRedisStore, on a server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  it("has one quarantine for all customers when it is first used, and when it was emptied", async () => {
    const name = crypto.randomUUID();
    let shift = 0;
    const store = createRedisStore({ redis: server.redis, name }, { shiftMs: () => shift });
    const read = async (account: string) => {
      const { now, epoch } = await sync(store, account, requestOf("p", 1, { refresh: "now" }));
      const snapshot = { stamp: now, epoch, prepaid: 100, postpaid: 100, extended: true };
      return store.exchange(account, requestOf("p", 2, { epoch, at: now, snapshot, first: 1, need: 1 }));
    };
    for (const turn of ["first", "emptied"]) {
      expect(await read(`${turn} customer`)).toMatchObject({ calm: false, reservation: 0 });
      shift += 5_000;
      for (let customer = 0; customer < 40; customer++)
        expect(await read(`${turn} new customer ${customer}`)).toMatchObject({ calm: true, reservation: 1 });
      const keys = await server.redis.keys(`${name}:*`);
      await server.redis.del(keys);
    }
  });

  it("refuses a server that may evict what it holds, and names the fix", async () => {
    await server.redis.config("SET", "maxmemory-policy", "volatile-ttl");
    const store = createRedisStore({ redis: server.redis });
    await expect(store.exchange("a", request)).rejects.toMatchObject({
      name: "RedisError",
      code: "unsafe_server",
      message: expect.stringMatching(
        /^maxmemory-policy: expected noeviction, received volatile-ttl.*CONFIG SET/,
      ),
    });
    await server.redis.config("SET", "maxmemory-policy", "noeviction");
    expect((await store.exchange("a", request)).status).toBe("ok");
  });

  it("looks at the server again after a minute, and after a failure", async () => {
    let now = 0;
    const store = createRedisStore(
      { redis: server.redis, name: "again", timeoutMs: 300 },
      { now: () => now },
    );
    const evicting = { code: "unsafe_server" };
    await store.exchange("a", request);
    await server.redis.config("SET", "maxmemory-policy", "allkeys-lru");
    now = 59_999;
    expect((await store.exchange("a", { ...request, seq: 2 })).status).toBe("ok");
    now = 60_000;
    await expect(store.exchange("a", { ...request, seq: 3 })).rejects.toMatchObject(evicting);
    await server.redis.config("SET", "maxmemory-policy", "noeviction");
    await store.exchange("a", { ...request, seq: 4 });
    await server.redis.config("SET", "maxmemory-policy", "allkeys-lru");
    await server.redis.call("CLIENT", "PAUSE", "600", "ALL");
    await expect(store.exchange("a", { ...request, seq: 5 })).rejects.toMatchObject({ code: "timeout" });
    await server.redis.ping();
    await expect(store.exchange("a", { ...request, seq: 6 })).rejects.toMatchObject(evicting);
    await server.redis.config("SET", "maxmemory-policy", "noeviction");
  });

  it("refuses a process that may not run INFO where others may, and begins no epoch for it", async () => {
    await server.redis.call("ACL", "SETUSER", "mute", "on", "nopass", "~*", "&*", "+@all", "-info");
    const redis = new Redis({ port: server.port, username: "mute", password: "any" });
    const lines: string[] = [];
    const logger = { error: (line: string) => lines.push(line) };
    const [able, mute] = [server.redis, redis].map((client) =>
      createRedisStore({ redis: client, name: "mixed", logger }),
    );
    const alone = await mute?.exchange("a", request);
    const first = await able?.exchange("a", { ...request, id: "q" });
    expect(first?.epoch).not.toBe(alone?.epoch);
    const refused = {
      code: "unsafe_server",
      message: expect.stringMatching(/^INFO: expected .*ACL SETUSER/),
    };
    for (const seq of [2, 3])
      await expect(mute?.exchange("a", { ...request, seq })).rejects.toMatchObject(refused);
    expect((await able?.exchange("a", { ...request, id: "q", seq: 2 }))?.epoch).toBe(first?.epoch);
    expect(lines).toEqual([expect.stringContaining("INFO: expected")]);
    redis.disconnect();
  });

  it("advises min-replicas-to-write where there are replicas, once", async () => {
    const replica = await startRedis("--replicaof", "127.0.0.1", String(server.port));
    await expect.poll(async () => server.redis.info("replication")).toContain("connected_slaves:1");
    const lines: string[] = [];
    const store = createRedisStore({
      redis: server.redis,
      name: "advised",
      logger: { error: (line) => lines.push(line) },
    });
    await store.exchange("a", request);
    await store.exchange("a", { ...request, seq: 2 });
    expect(lines).toEqual([expect.stringContaining("min-replicas-to-write 1")]);
    await replica.stop();
  });

  it("keeps an account as long as credits are out, and forgets one that is idle", async () => {
    const store = createRedisStore({ redis: server.redis, name: "kept" });
    const registering = { ...request, register: true, base: 5, keep: 5, claim: 5 };
    await sync(store, "a", registering);
    const keys = accountKeys("kept", "a");
    const [, figures = "", reservations = ""] = keys;
    expect(await server.redis.ttl(figures)).toBe(-1);
    expect(await server.redis.ttl(reservations)).toBe(-1);
    await store.exchange("a", { ...request, seq: 2 });
    expect(await server.redis.pttl(figures)).toBeGreaterThan(130_000);
    expect(await server.redis.pttl(figures)).toBeLessThanOrEqual(135_000);
  });

  it("rejects where Redis does not answer, and says a sync again without a second effect", async () => {
    const store = createRedisStore({ redis: server.redis, name: "slow", timeoutMs: 300 });
    const { epoch, now: at } = await store.exchange("a", request);
    const registering = {
      ...request,
      epoch,
      at,
      seq: 2,
      register: true,
      base: 5,
      keep: 5,
      claim: 5,
      acked: 3,
    };
    await server.redis.call("CLIENT", "PAUSE", "1000", "ALL");
    await expect(store.exchange("a", registering)).rejects.toMatchObject({ code: "timeout" });
    const again = createRedisStore({ redis: server.redis, name: "slow" });
    expect(await again.exchange("a", registering)).toMatchObject({
      status: "repeated",
      reservation: 5,
      used: 3,
    });
  });
});
