import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { hotContenders, measureHotWallets } from "../src/fleet/hot-wallet.ts";
import { measureIdle } from "../src/fleet/idle-fleet.ts";
import { createMember, type Member } from "../src/fleet/member.ts";
import type { MemberTask } from "../src/fleet/member-task.ts";
import { measureRecalls, recallFunds } from "../src/fleet/recalls.ts";
import { hasRedis, type RedisServer, startRedisServer } from "../src/fleet/redis-server.ts";
import { redisStores, type StoreServer } from "../src/fleet/store-server.ts";
import { measureStranded } from "../src/fleet/stranded.ts";

if (!hasRedis && process.env.CI === "true") throw new Error("CI must have redis-server installed");

/** The processes of the benchmark, here in one. */
async function withMembers<T>(
  tasks: readonly MemberTask[],
  measure: (members: readonly Member[]) => Promise<T>,
): Promise<T> {
  const members = tasks.map(createMember);
  try {
    return await measure(members);
  } finally {
    await Promise.all(members.map((member) => member.stop()));
  }
}

describe.skipIf(!hasRedis)("the fleet benchmark, in its short form on Redis", () => {
  let redis: RedisServer;
  let server: StoreServer;
  beforeAll(async () => {
    redis = await startRedisServer();
    server = redisStores(redis);
  });
  afterAll(() => server.stop());

  it("finds at most one round trip for 100 decisions on a leased wallet, and one for each of a limiter", async () => {
    const contenders = await hotContenders([server]);
    const all = await withMembers(
      contenders.map(({ task }) => task),
      (members) => measureHotWallets(contenders, members, { rounds: 1, decisions: 8_000, pacedMs: 100 }),
    );
    const [memory, leased, unleased, ...limited] = all.map(({ trips }) => trips);
    expect(memory).toBe(0);
    expect(leased).toBeLessThanOrEqual(1);
    // A process that has work says a sync now and then.
    expect(unleased).toBeGreaterThanOrEqual(100);
    expect(limited).toEqual([100, 100]);
    for (const { released, settled, atOnce } of all) {
      for (const taken of [released, settled, atOnce]) expect(taken).toBeGreaterThan(0);
    }
  });

  it("recalls what a process does not use, and finds nothing stranded when traffic has stopped", async () => {
    const recalled = { address: await server.open("recalls"), funds: recallFunds };
    const recalls = await withMembers([recalled, recalled], (members) => measureRecalls(members, server, 2));
    for (const { unused } of recalls) expect(unused).toBeGreaterThan(0);
    const stranded = { address: await server.open("stranded") };
    const { credits } = await withMembers([stranded, stranded], (members) =>
      measureStranded(members, server, "one"),
    );
    expect(credits).toBeGreaterThan(0);
  });

  it("hears nothing of wallets that are not used any more", async () => {
    const task = { address: await server.open("idle"), leaseMs: 500 };
    const trips = await withMembers([task, task], (members) =>
      measureIdle(members, redis, { wallets: 20, seconds: 3 }),
    );
    expect(trips[0]).toBeGreaterThan(0);
    expect(trips.at(-1)).toBe(0);
  });
});
