import type { OutboxReport } from "@creditgate/core";
import { createFleetOutbox } from "@creditgate/fleet";
import { createRedisOutbox, type RedisOutboxOptions } from "@creditgate/redis";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createOutboxStore } from "../src/redis-outbox.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";

function report(id: string): OutboxReport {
  return {
    id,
    customerId: "ada",
    agentId: "chat",
    indicator: "message",
    rawUsage: { model: "m\u0000\ud800" },
    currency: "credits",
    entry: { id, amount: Number.MAX_SAFE_INTEGER },
  };
}

const ids = (reports: readonly { readonly id: string }[]) => reports.map(({ id }) => id);

describe("createRedisOutbox", () => {
  const redis = { call: async () => null };

  it.each([
    ["options", undefined],
    ["options: expected an object: createRedisOutbox({ redis })", redis],
    ["redis", {}],
    ["redis", { redis: { get: () => null } }],
    ["name", { redis, name: "a b" }],
    ["acceptLoss", { redis, acceptLoss: "yes" }],
    ["timeoutMs", { redis, timeoutMs: 0 }],
    ["maxReports", { redis, maxReports: 0 }],
    ["process", { redis, process: "" }],
    ["maxreports", { redis, maxreports: 1 }],
  ])("refuses a bad %s", (option, options) => {
    expect(() => createRedisOutbox(options as unknown as RedisOutboxOptions)).toThrow(
      expect.objectContaining({
        code: "invalid_option",
        message: expect.stringContaining(option.includes(":") ? option : `${option}:`),
      }),
    );
  });

  it("does not wait for ever for a server that does not answer", async () => {
    const silent = { call: () => new Promise<never>(() => {}) };
    const outbox = createRedisOutbox({ redis: silent, timeoutMs: 1 });
    await expect(outbox.append([report("a")])).rejects.toMatchObject({ name: "RedisError", code: "timeout" });
    expect([outbox.failing, outbox.full]).toEqual([true, false]);
  });
});

describe.skipIf(noRedis)("createRedisOutbox, on a server", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis("--appendonly", "yes", "--appendfsync", "always");
  });
  afterAll(() => server.stop());

  const start = (options: Partial<RedisOutboxOptions> = {}) =>
    createRedisOutbox({ redis: server.redis, name: "one", ...options });

  it("refuses a server that may evict what it holds, names the fix, and takes it once it is mended", async () => {
    await server.redis.config("SET", "maxmemory-policy", "allkeys-lru");
    const outbox = start();
    await expect(outbox.recover(0)).rejects.toMatchObject({
      code: "unsafe_server",
      message: expect.stringMatching(
        /^maxmemory-policy: expected noeviction, received allkeys-lru.*CONFIG SET/,
      ),
    });
    await server.redis.config("SET", "maxmemory-policy", "noeviction");
    await outbox.recover(0);
  });

  it("refuses a server that loses all with its process, unless that is accepted", async () => {
    const { redis, stop } = await startRedis();
    await expect(start({ redis }).recover(0)).rejects.toMatchObject({
      code: "unsafe_server",
      message: expect.stringMatching(/^appendonly: expected yes, received no.*acceptLoss: true$/),
    });
    await start({ redis, acceptLoss: true }).recover(0);
    await stop();
  });

  it("refuses a server whose append-only file has not been written yet, and takes it once it has", async () => {
    const { redis, stop } = await startRedis("--enable-debug-command", "yes");
    await redis.set("a", "large");
    await redis.config("SET", "rdb-key-save-delay", "60000000");
    await redis.config("SET", "appendonly", "yes");
    const outbox = start({ redis });
    await expect(outbox.recover(0)).rejects.toMatchObject({
      code: "unsafe_server",
      message: expect.stringMatching(/^appendonly: expected a file that is complete.*tried again$/),
    });
    await redis.config("SET", "appendonly", "no");
    await redis.config("SET", "rdb-key-save-delay", "0");
    await redis.config("SET", "appendonly", "yes");
    await expect.poll(() => redis.info("persistence")).toMatch(/aof_rewrite_in_progress:0/);
    await outbox.recover(0);
    await stop();
  });

  it("has everything after the server has crashed and come back", async () => {
    const name = crypto.randomUUID();
    const first = start({ name, process: "web-1" });
    await first.append([report("a"), report("b")]);
    await first.works.begin({ ...report("work"), hold: 3 });
    await server.kill();
    await server.start();
    expect(await start({ name, process: "web-1" }).recover(0)).toMatchObject({
      reports: [{ id: "a" }, { id: "b" }],
      works: [{ id: "work" }],
    });
  });

  it("writes anew what a server has lost that came back empty, while its process lives", async () => {
    const name = crypto.randomUUID();
    const first = start({ name, process: "web-1" });
    await first.append([report("a")]);
    await server.redis.flushall();
    await first.append([report("b")]);
    const next = start({ name, process: "web-1" });
    expect(await next.next(10)).toEqual([report("a"), report("b")]);
  });

  it("writes anew what a stream had that was deleted by itself, for each process that lives", async () => {
    const name = crypto.randomUUID();
    const [one, two] = [start({ name, process: "web-1" }), start({ name, process: "web-2" })];
    await one.append([report("a")]);
    await two.append([report("b")]);
    await server.redis.del(`{cgo:${name}}:stream`);
    await one.append([report("c")]);
    await two.fleet.heartbeat(0);
    expect(ids(await start({ name, process: "web-1" }).next(10))).toEqual(["a", "c"]);
    expect(ids(await start({ name, process: "web-2" }).next(10))).toEqual(["b"]);
  });

  it("reads at a beat only the processes that are there, however many have been", async () => {
    const name = crypto.randomUUID();
    const living = start({ name });
    for (let life = 0; life < 20; life++) {
      const outbox = start({ name });
      await outbox.append([report(`of ${life}`)]);
      await outbox.close();
    }
    await living.fleet.heartbeat(0);
    expect(await server.redis.hlen(`{cgo:${name}}:processes`)).toBe(1);
    expect(await server.redis.zcard(`{cgo:${name}}:gone`)).toBe(20);
    expect(await living.status()).toMatchObject({ queued: 20 });
  });

  it("loads its scripts again after SCRIPT FLUSH", async () => {
    const outbox = start({ name: crypto.randomUUID() });
    await outbox.append([report("a")]);
    await server.redis.script("FLUSH");
    await outbox.append([report("b")]);
    expect(await outbox.status()).toEqual({ queued: 2, parked: 0, dead: 0 });
  });

  it("takes over thousands of reports of a process that is silent, and nothing of one that lives", async () => {
    const name = crypto.randomUUID();
    let shiftMs = 0;
    const store = createOutboxStore({ redis: server.redis, name }, { shiftMs: () => shiftMs });
    const [dead, living, third] = [
      createFleetOutbox(store),
      createFleetOutbox(store),
      createFleetOutbox(store),
    ];
    for (const outbox of [dead, living, third]) await outbox.recover(0);
    const reports = Array.from({ length: 2_500 }, (_, at) => report(`r${at}`));
    await dead.append(reports);
    await dead.park(report("r7"), "reset");
    await dead.reservations.begin({
      account: "a",
      process: "p",
      service: "s",
      customerId: "ada",
      currency: "credits",
    });
    await third.append([report("of the third")]);
    third.release([report("of the third")]);
    for (let heartbeat = 0; heartbeat < 5; heartbeat++) {
      shiftMs += 10_000;
      for (const outbox of [living, third]) expect((await outbox.fleet.heartbeat(0)).reports).toEqual([]);
    }
    shiftMs += 10_000;
    const found = await living.fleet.heartbeat(0);
    expect(ids(found.reports)).toEqual(ids(reports));
    expect(found.reservations).toMatchObject([{ process: "p" }]);
    living.fleet.entered();
    expect(ids(await living.next(10_000))).toEqual(ids(reports.filter(({ id }) => id !== "r7")));
    expect(await living.status()).toEqual({ queued: 2_499, parked: 1, dead: 0 });
    // It is drained: its lane goes, and with it every key of it.
    await living.delivered(
      reports.filter(({ id }) => id !== "r7"),
      0,
      [],
    );
    await living.reservations.end("a", ["p"]);
    expect((await dead.fleet.heartbeat(0)).lost).toHaveLength(2_500);
    expect(ids(await third.next(10))).toEqual(["of the third"]);
  });

  it("goes on as the process that it is where the server was full for a while, and writes nothing a second time", async () => {
    const name = crypto.randomUUID();
    const outbox = start({ name });
    await outbox.append([report("a")]);
    const lives = () => server.redis.hkeys(`{cgo:${name}}:processes`);
    const before = await lives();
    await server.redis.config("SET", "maxmemory", "1");
    await expect(outbox.append([report("b")])).rejects.toThrow(/OOM/);
    await server.redis.config("SET", "maxmemory", "0");
    await outbox.append([report("c")]);
    expect(await lives()).toEqual(before);
  });

  it("takes over what is left of a stream of which parts were trimmed", async () => {
    const name = crypto.randomUUID();
    const first = start({ name, process: "web-1" });
    await first.append(Array.from({ length: 1_200 }, (_, index) => report(`${index}`)));
    await server.redis.call("XTRIM", `{cgo:${name}}:stream`, "MAXLEN", "3");
    const next = start({ name, process: "web-1" });
    expect(ids((await next.recover(0)).reports)).toEqual(["1197", "1198", "1199"]);
    expect(await next.status()).toMatchObject({ queued: 3 });
  });

  it("shows by XINFO which process has how many rows", async () => {
    const name = crypto.randomUUID();
    const outbox = start({ name });
    await outbox.append([report("a"), report("b")]);
    const [consumer] = (await server.redis.call(
      "XINFO",
      "CONSUMERS",
      `{cgo:${name}}:stream`,
      "gates",
    )) as unknown[][];
    expect(consumer?.slice(2, 4)).toEqual(["pending", 2]);
  });
});
