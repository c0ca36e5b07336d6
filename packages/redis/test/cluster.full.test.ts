import type { OutboxReport } from "@creditgate/core";
import { createFleetOutbox, type SyncResponse } from "@creditgate/fleet";
import { createRedisOutbox, createRedisStore } from "@creditgate/redis";
import { Cluster } from "ioredis";
import { createCluster } from "redis";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createOutboxStore } from "../src/redis-outbox.ts";
import { noRedis, type RedisServer, startRedis, startRedisCluster } from "./redis-server.ts";
import { requestOf, sync } from "./requests.ts";

const patience = { timeout: 30_000 };

const report: OutboxReport = {
  id: "a",
  customerId: "ada",
  agentId: "chat",
  indicator: "message",
  rawUsage: {},
  currency: "credits",
  entry: { id: "a", amount: 7 },
};

describe.skipIf(noRedis)("on a cluster of three nodes", () => {
  let nodes: readonly RedisServer[] = [];
  beforeAll(async () => {
    nodes = await startRedisCluster(3);
  });
  afterAll(() => Promise.all(nodes.map((node) => node.stop())));

  it("shares the wallets out among the nodes, by ioredis", async () => {
    const redis = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    const store = createRedisStore({ redis });
    const accounts = Array.from({ length: 60 }, (_, at) => `account ${at}`);
    const told = await Promise.all(accounts.map((account) => store.exchange(account, requestOf("p", 1))));
    expect(told.every(({ status }) => status === "ok")).toBe(true);
    const syncNext = () =>
      Promise.all(
        accounts.map((account, at) => {
          const { epoch, now } = told[at] ?? { epoch: null, now: null };
          return store.exchange(account, requestOf("p", 2, { epoch, at: now }));
        }),
      );
    expect((await syncNext()).every(({ status }) => status === "ok")).toBe(true);
    expect((await syncNext()).every(({ status }) => status === "repeated")).toBe(true);
    for (const node of nodes) expect(await node.redis.dbsize()).toBeGreaterThan(0);
    redis.disconnect();
  });

  it("has one quarantine for all customers, whichever node has them: at first, and after one was emptied", async () => {
    const redis = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    let shift = 0;
    const store = createRedisStore({ redis, name: "quarantined" }, { shiftMs: () => shift });
    const read = async (account: string) => {
      const { now, epoch } = await sync(store, account, requestOf("p", 1, { refresh: "now" }));
      const snapshot = { stamp: now, epoch, prepaid: 100, postpaid: 100, extended: true };
      return store.exchange(account, requestOf("p", 2, { epoch, at: now, snapshot, first: 1, need: 1 }));
    };
    const begun = async () => {
      const keys = await Promise.all(nodes.map((node) => node.redis.keys("quarantined:*:e")));
      return keys.flat().length;
    };
    expect(await read("a customer")).toMatchObject({ calm: false, reservation: 0 });
    await expect.poll(begun).toBe(256);
    shift = 5_000;
    for (let customer = 0; customer < 40; customer++)
      expect(await read(`new customer ${customer}`)).toMatchObject({ calm: true, reservation: 1 });
    await nodes[0]?.redis.flushall();
    // A customer of the node that has forgotten: the others go on.
    const ofNode = (answer: SyncResponse) => !answer.calm;
    let found: SyncResponse | undefined;
    for (let customer = 0; found === undefined; customer++) {
      const answer = await read(`later customer ${customer}`);
      if (ofNode(answer)) found = answer;
    }
    await expect.poll(begun).toBe(256);
    shift += 5_000;
    for (let customer = 0; customer < 40; customer++)
      expect(await read(`last customer ${customer}`)).toMatchObject({ calm: true, reservation: 1 });
    redis.disconnect();
  });

  it("keeps an outbox on one of them, by ioredis and by node-redis", async () => {
    const one = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    const first = createRedisOutbox({ redis: one, process: "web-1" });
    await first.append([report]);
    const rootNodes = nodes.map(({ port }) => ({ url: `redis://127.0.0.1:${port}` }));
    const two = createCluster({ rootNodes });
    await two.connect();
    const next = createRedisOutbox({ redis: two, process: "web-1" });
    expect(await next.next(10)).toEqual([report]);
    const store = createRedisStore({ redis: two });
    expect((await store.exchange("account 1", requestOf("q", 1))).status).toBe("ok");
    one.disconnect();
    two.destroy();
  });

  it("begins a new epoch for the wallets of a node that restarts, and for no others", async () => {
    const redis = new Cluster(nodes.map(({ port }) => ({ host: "127.0.0.1", port })));
    redis.on("error", () => {});
    const store = createRedisStore({ redis, name: "restarted" });
    const accounts = Array.from({ length: 60 }, (_, at) => `account ${at}`);
    const epochs = async (seq: number) =>
      Promise.all(
        accounts.map(async (account) => (await store.exchange(account, requestOf("p", seq))).epoch),
      );
    const before = await epochs(1);
    const [node] = nodes;
    await node?.kill();
    await node?.start();
    await expect.poll(() => node?.redis.cluster("INFO")).toContain("cluster_state:ok");
    let seq = 2;
    const after = await expect
      .poll(() => epochs(seq++).catch(() => []))
      .toHaveLength(accounts.length)
      .then(() => epochs(seq++));
    const renewed = after.filter((epoch, at) => epoch !== before[at]).length;
    expect(renewed).toBeGreaterThan(0);
    expect(renewed).toBeLessThan(accounts.length);
    redis.disconnect();
  });
});

describe.skipIf(noRedis)("on a server with a replica that becomes the primary", () => {
  let primary: RedisServer;
  let replica: RedisServer;
  beforeAll(async () => {
    primary = await startRedis("--appendonly", "yes");
    replica = await startRedis("--appendonly", "yes", "--replicaof", "127.0.0.1", String(primary.port));
    await vi.waitFor(
      async () => expect(await replica.redis.info("replication")).toContain("master_link_status:up"),
      patience,
    );
  });
  afterAll(() => Promise.all([primary.stop(), replica.stop()]));

  it("begins a new epoch that grants nothing, asks for what processes have, and takes it by force", async () => {
    const first = createRedisStore({ redis: primary.redis, logger: { error() {} } });
    const registering = requestOf("p", 1, { register: true, base: 5, keep: 5, claim: 9 });
    const { epoch } = await sync(first, "a", registering);
    // What the replica never gets: the process has 20 now.
    await primary.redis.wait(1, 5_000);
    await replica.redis.replicaof("NO", "ONE");
    await first.exchange("a", requestOf("p", 2, { epoch, base: 20, keep: 20, claim: 20 }));
    await primary.kill();
    const second = createRedisStore({ redis: replica.redis });
    const told = await second.exchange(
      "a",
      requestOf("p", 3, { epoch, base: 20, keep: 20, first: 1, need: 1 }),
    );
    expect(told).toMatchObject({ status: "register", calm: false, reservation: 9 });
    expect(told.epoch).not.toBe(epoch);
    const again = requestOf("p", 4, {
      epoch: told.epoch,
      register: true,
      base: 20,
      keep: 20,
      first: 1,
      need: 1,
    });
    expect(await second.exchange("a", again)).toMatchObject({
      status: "ok",
      calm: false,
      reservation: 20,
      out: 20,
    });
    const other = await sync(second, "a", requestOf("q", 1, { first: 1, need: 1 }));
    expect(other).toMatchObject({ calm: false, denied: false, reservation: 0 });
  });

  it("has the rows of an outbox that the replica never got written anew by the process that lives", async () => {
    await expect.poll(() => replica.redis.info("persistence")).toMatch(/aof_rewrite_in_progress:0/);
    const old = createOutboxStore({ redis: replica.redis, name: "older" });
    const outbox = createFleetOutbox(old, { process: "web-1" });
    await outbox.append([report]);
    outbox.release([report]);
    // As a replica that lags: the stream and the step are of before.
    const image = await Promise.all(
      (await replica.redis.keys("{cgo:older}*")).map((key) => copyOf(replica, key)),
    );
    await outbox.append([{ ...report, id: "b" }]);
    for (const { key, dump } of image) await replica.redis.restore(key, 0, dump, "REPLACE");
    await outbox.append([{ ...report, id: "c" }]);
    const next = createFleetOutbox(old, { process: "web-1" });
    expect((await next.next(10)).map(({ id }) => id)).toEqual(["a", "b", "c"]);
  });
});

async function copyOf({ redis }: RedisServer, key: string): Promise<{ key: string; dump: Buffer }> {
  const dump = await redis.dumpBuffer(key);
  if (dump === null) throw new Error(`${key} is gone`);
  return { key, dump };
}

describe.skipIf(noRedis)("on a server that comes back with an older RDB", () => {
  it("begins a new epoch that counts what it knows and has lost, once its process speaks", async () => {
    const server = await startRedis();
    const store = createRedisStore({ redis: server.redis });
    const { epoch } = await sync(
      store,
      "a",
      requestOf("p", 1, { register: true, base: 5, keep: 5, claim: 5 }),
    );
    await store.exchange("a", requestOf("p", 2, { epoch, base: 3, keep: 3, acked: 2 }));
    await server.redis.save();
    await store.exchange("a", requestOf("p", 3, { epoch, base: 0, keep: 0, acked: 3 }));
    await server.kill();
    await server.start();
    const told = await store.exchange("a", requestOf("p", 4, { epoch }));
    // The reservation that was given back, and usage that was acknowledged, count once more: too much, never too little.
    expect(told).toMatchObject({ status: "register", reservation: 3, used: 2, calm: false });
    const again = await store.exchange("a", requestOf("p", 5, { epoch: told.epoch, register: true }));
    expect(again).toMatchObject({ status: "ok", reservation: 0, used: 2, calm: false });
    await server.stop();
  });
});
