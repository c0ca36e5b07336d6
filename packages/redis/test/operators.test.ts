import { parseArgs } from "node:util";
import type { OutboxReport } from "@creditgate/core";
import {
  createRedisOutbox,
  createRedisStore,
  initRedisStore,
  listReservations,
  resolveReservation,
} from "@creditgate/redis";
import { main as run } from "@creditgate/redis/cli";
import { Redis } from "ioredis";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { accountKeys } from "../src/redis-store.ts";
import { noRedis, type RedisServer, startRedis } from "./redis-server.ts";
import { requestOf, sync } from "./requests.ts";

function report(id: string): OutboxReport {
  const what = { customerId: "ada", agentId: "chat", indicator: "message", currency: "credits" };
  return { id, ...what, rawUsage: { outputTokens: 7 }, entry: { id, amount: 2_500_000 } };
}

describe.skipIf(noRedis)("for operators", () => {
  let server: RedisServer;
  beforeAll(async () => {
    server = await startRedis();
  });
  afterAll(() => server.stop());

  /** The command line, and what it prints. */
  async function main(args: readonly string[], env = { REDIS_URL: `redis://127.0.0.1:${server.port}` }) {
    let text = "";
    const stream = { write: (part: string) => (text += part) };
    const code = await run(args, { process: { env, stdout: stream, stderr: stream }, parseArgs });
    return { code, text };
  }

  /** A process that has read a balance of 100, and asks for 1. */
  async function ask(name: string, shiftMs = () => 0) {
    const store = createRedisStore({ redis: server.redis, name }, { shiftMs });
    const { now, epoch } = await store.exchange("a", requestOf("p", 1, { refresh: "now" }));
    const snapshot = { stamp: now, epoch, prepaid: 100, postpaid: 100, extended: true };
    return store.exchange("a", requestOf("p", 2, { epoch, at: now, snapshot, first: 1, need: 1 }));
  }

  it("begins an empty store without a quarantine, and leaves one that is used as it is", async () => {
    expect(await ask("used")).toMatchObject({ calm: false, reservation: 0 });
    const inUse = { code: 0, text: "the store is in use, and stays as it is: nothing to do\n" };
    expect(await main(["init", "--name", "used"])).toEqual(inUse);
    expect(await ask("used")).toMatchObject({ calm: false, reservation: 0 });
    const url = `redis://127.0.0.1:${server.port}`;
    expect(await main(["init", "--url", url, "--name", "empty"], { REDIS_URL: "" })).toEqual({
      code: 0,
      text: "the store grants at once\n",
    });
    expect(await main(["init", "--name", "empty"])).toEqual(inUse);
    expect(await ask("empty")).toMatchObject({ calm: true, denied: false, reservation: 1 });
  });

  it("begins what a store in use has lost with a quarantine, although it was begun by an operator", async () => {
    const place = { redis: server.redis, name: crypto.randomUUID() };
    expect(await initRedisStore(place)).toBe(true);
    const [lost = ""] = accountKeys(place.name, "a");
    await server.redis.del(lost);
    expect(await initRedisStore(place)).toBe(false);
    expect(await ask(place.name)).toMatchObject({ calm: false, reservation: 0 });
  });

  it("begins no store on a server that the store would refuse", async () => {
    await server.redis.config("SET", "maxmemory-policy", "allkeys-lru");
    onTestFinished(async () => void (await server.redis.config("SET", "maxmemory-policy", "noeviction")));
    const { code, text } = await main(["init", "--name", "evicting"]);
    expect(code).toBe(1);
    expect(text).toMatch(/maxmemory-policy: expected noeviction, received allkeys-lru.*CONFIG SET/);
  });

  it("reaches the store and the outbox of a client with a keyPrefix, whose keys all begin with it", async () => {
    const prefixed = new Redis({ port: server.port, keyPrefix: "app:" });
    onTestFinished(() => prefixed.disconnect());
    const name = crypto.randomUUID();
    const outbox = createRedisOutbox({ redis: prefixed, name, process: "web-1", acceptLoss: true });
    await outbox.append([report("a")]);
    const heir = createRedisOutbox({ redis: prefixed, name, process: "web-1", acceptLoss: true });
    expect((await heir.next(10)).map(({ id }) => id)).toEqual(["a"]);
    await sync(
      createRedisStore({ redis: prefixed, name }),
      "a",
      requestOf("p", 1, { base: 1, keep: 1, claim: 1 }),
    );
    const keys = (await server.redis.keys("*")).filter((key) => key.includes(name));
    expect(keys.filter((key) => !key.startsWith("app:"))).toEqual([]);
    expect((await main(["list", "--name", name])).text).toBe("0 reservations\n");
    expect((await main(["list", "--name", name, "--key-prefix", "app:"])).text).toContain("1 reservations");
  });

  it("shows what processes have, and frees what one has that is silent: as usage", async () => {
    const place = { redis: server.redis, name: crypto.randomUUID() };
    let shift = 0;
    const shiftMs = () => shift;
    await initRedisStore(place);
    await ask(place.name, shiftMs);
    const reservation = { account: "a", process: "p", credits: 1e-6, unused: 0 };
    expect(await listReservations(place, { shiftMs })).toEqual([{ ...reservation, silent: false }]);
    await expect(resolveReservation(place, "a", "p", { shiftMs })).rejects.toThrow("silent for a lease");
    await expect(resolveReservation(place, "a", "another", { shiftMs })).rejects.toThrow(
      "silent for a lease",
    );
    shift = 6_000;
    expect(await listReservations(place, { shiftMs })).toEqual([{ ...reservation, silent: true }]);
    await resolveReservation(place, "a", "p", { shiftMs });
    const store = createRedisStore(place, { shiftMs });
    expect(await store.exchange("a", requestOf("q", 1))).toMatchObject({ out: 0, used: 1 });
    expect(await listReservations(place)).toEqual([]);
    expect(await main(["list", "--name", place.name])).toEqual({ code: 0, text: "0 reservations\n" });
  });

  it("lists, sends again and drops what waits in the outboxes, while their processes run", async () => {
    const name = crypto.randomUUID();
    const outbox = createRedisOutbox({ redis: server.redis, name, acceptLoss: true });
    await outbox.append(["a", "b"].map(report));
    await outbox.park(report("a"), "reset");
    await outbox.bury(report("b"), "422");
    const { text } = await main(["outbox", "list", "--name", name]);
    expect(text).toMatch(/^parked {2}a {2}ada {2}message {2}2.5 credits {2}\S+Z {2}reset\ndead {2}b .*422\n/);
    const result = async (...args: readonly string[]) => {
      let isOver = false;
      const told = main(["outbox", ...args, "--name", name]).finally(() => {
        isOver = true;
      });
      while (!isOver) await outbox.fleet.heartbeat(0);
      return told;
    };
    expect(await result("retry", "a")).toEqual({ code: 0, text: "1 queued\n" });
    expect(await result("resolve", "--dead", "--discard", "--reason", "refunded")).toEqual({
      code: 0,
      text: "1 resolved: refunded\n",
    });
    expect(await outbox.status()).toEqual({ queued: 1, parked: 0, dead: 0 });
  });

  it.each<[string[], object, number, string]>([
    [["migrate"], {}, 2, "command: expected init, list, resolve, outbox"],
    [["resolve", "a"], {}, 2, "resolve: expected an account and a process"],
    [
      ["list"],
      { REDIS_URL: "" },
      2,
      "--url: expected the URL of a server, such as redis://127.0.0.1:6379, or REDIS_URL",
    ],
    [
      ["list", "--url", "http://127.0.0.1:1"],
      {},
      2,
      '--url: expected redis:// or rediss:// before the server, received "http"',
    ],
    [
      ["list", "--url", "redis://127.0.0.1:1"],
      {},
      1,
      "Redis cannot be reached: connect ECONNREFUSED 127.0.0.1:1",
    ],
    [
      ["list", "--cluster", "--url", "redis://127.0.0.1:1"],
      {},
      1,
      "Redis cannot be reached: node 127.0.0.1:1: Connection is closed.",
    ],
    [[], {}, 0, "creditgate redis outbox resolve ID... --discard"],
  ])("ends as it should: %j", async (args, env, code, message) => {
    const told = await main(args, { REDIS_URL: `redis://127.0.0.1:${server.port}`, ...env });
    expect(told.text).toContain(message);
    expect(told.code).toBe(code);
  });

  it("refuses bad options", async () => {
    await expect(initRedisStore({ redis: server.redis, name: "" })).rejects.toThrow("name: expected");
  });
});
