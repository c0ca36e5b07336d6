import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { grantToApp } from "../src/database/app-role.ts";
import { connect } from "../src/database/connection.ts";
import { createFairShare } from "../src/database/fair-share.ts";
import { keepPartitions, letPartitionGo, makePartitions } from "../src/database/partitions.ts";
import { resettle } from "../src/settlement/resettlement.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { createUsageIntake } from "../src/usage/intake.ts";
import { verify } from "../src/verification/wallets.ts";
import { openWallets } from "../src/wallets/opening.ts";
import { waitsForLock } from "./database-activity.ts";
import { acme } from "./fixture.ts";
import { delayMs, openScene, type Scene } from "./scene.ts";

const dayMs = 86_400_000;

let scene: Scene;
/** The beginning of the first month that has a partition of its own. */
let turn: number;
beforeEach(async () => {
  scene = await openScene(acme);
  const { rows } = await scene.pool.query<{ ends_at: Date }>(
    "select ends_at from partition_spans('usage_reports')",
  );
  turn = rows[0]?.ends_at.getTime() ?? Number.NaN;
});
afterEach(() => scene.close());

const later = (months: number, ms = 0): Date => {
  const date = new Date(turn);
  date.setUTCMonth(date.getUTCMonth() + months);
  return new Date(date.getTime() + ms);
};
const nameOf = (months: number): string =>
  `usage_reports_${later(months).toISOString().slice(0, 7).replace("-", "_")}`;

const report = (key: string, { hash = "0".repeat(64), intake = scene.intake } = {}) =>
  intake.accept({
    orgId: scene.orgId,
    report: { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: { inputTokens: 0 } },
    idempotencyKey: key,
    hash,
  });

/** In which partitions there is usage. */
async function filled(): Promise<readonly string[]> {
  const { rows } = await scene.pool.query<{ name: string }>(
    "select distinct tableoid::regclass::text as name from usage_reports order by 1",
  );
  return rows.map(({ name }) => name);
}

async function reportIn(months: number, customerId = "alice"): Promise<void> {
  scene.clock.time = later(months, 60_000).getTime();
  await scene.accept(customerId);
  await settleDue(scene.database, new Date(scene.clock.time + delayMs));
}

describe("the partitions of usage", () => {
  it("are made for this month and the next two, once, however many make them at once", async () => {
    const made = await Promise.all(
      [1, 2, 3].map(() => makePartitions(scene.database, "usage_reports", later(0))),
    );
    expect(made.flat()).toEqual([nameOf(0), nameOf(1), nameOf(2)]);
    expect(await makePartitions(scene.database, "usage_reports", later(1))).toEqual([nameOf(3)]);
    for (const months of [-1, 0, 1, 5]) await reportIn(months);
    expect(await filled()).toEqual(
      ["usage_events", "usage_reports_default", nameOf(0), nameOf(1)].toSorted(),
    );
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it("leave usage where it is that came before one was made for its month", async () => {
    await reportIn(0);
    expect(await makePartitions(scene.database, "usage_reports", later(0))).toEqual([nameOf(1), nameOf(2)]);
    expect(await filled()).toEqual(["usage_reports_default"]);
  });

  it("are made of the months that a clock has left out which was ahead for a while, or behind, and go then", async () => {
    const make = (months: number) => makePartitions(scene.database, "usage_reports", later(months));
    for (const months of [0, 12]) await make(months);
    expect(await make(2)).toEqual([3, 4].map(nameOf));
    expect(await make(2)).toEqual([]);
    await scene.pool.query("update organizations set usage_kept_months = 2");
    await keepPartitions(scene.database, later(8));
    expect(await make(1)).toEqual([1, 2, 3].map(nameOf));
    await keepPartitions(scene.database, later(8));
    expect(await make(8)).toEqual([]);
    expect(
      (await scene.pool.query("select name from partition_spans('usage_reports') order by ends_at limit 1"))
        .rows,
    ).toEqual([{ name: nameOf(8) }]);
  });

  it("know a key of the month before, and of two reports under one key at the turn the first", async () => {
    await makePartitions(scene.database, "usage_reports", later(0));
    const before = randomUUID();
    scene.clock.time = later(0, -86_400_000).getTime();
    const first = await report(before);
    scene.clock.time = later(0, 86_400_000).getTime();
    expect(await report(before)).toEqual({ ...first, isReplay: true });
    expect(await report(before, { hash: "1".repeat(64) })).toMatchObject({
      accepted: false,
      reason: "key_reused",
    });

    // Of another replica, which stores in statements of its own.
    const other = createUsageIntake({
      database: scene.database,
      clock: { now: () => turn },
      settlementDelayMs: delayMs,
      share: createFairShare({ slots: 10, maxWaiting: 1_000, waitMs: 10_000 }),
      onAccepted: () => undefined,
    });
    await other.accept({
      orgId: scene.orgId,
      report: { agentId: "chat", customerId: "alice", indicator: "message", rawUsage: { inputTokens: 0 } },
      idempotencyKey: "warm",
      hash: "0".repeat(64),
    });
    // The old month is looked through, and cannot be stored to yet.
    const held = await scene.pool.connect();
    await held.query("begin; lock table usage_events in share mode");
    const waiting = () => waitsForLock(scene.pool);
    scene.clock.time = later(0, -1).getTime();
    const key = randomUUID();
    const old = report(key);
    await expect.poll(waiting).toBe(1);
    const young = report(key, { intake: other });
    await Promise.race([young, expect.poll(waiting).toBe(2)]);
    await held.query("rollback");
    held.release();
    const receipt = await old;
    expect(receipt).toMatchObject({ accepted: true, isReplay: false });
    expect(await young).toEqual({ ...receipt, isReplay: true });
    const { rows } = await scene.pool.query("select count(*) from usage_reports");
    expect(rows).toEqual([{ count: 3n }]);
  });

  it("know a key of the month after, to which a clock had gone that was ahead", async () => {
    await makePartitions(scene.database, "usage_reports", later(0));
    const key = randomUUID();
    scene.clock.time = later(0, 86_400_000).getTime();
    const first = await report(key);
    scene.clock.time = later(0, -86_400_000).getTime();
    expect(await report(key)).toEqual({ ...first, isReplay: true });
    expect(await report(key, { hash: "1".repeat(64) })).toMatchObject({ reason: "key_reused" });
  });

  it("store a report of a customer who was unknown at the turn under the key that was refused", async () => {
    scene.clock.time = later(0).getTime();
    const key = randomUUID();
    const mary = () =>
      scene.intake.accept({
        orgId: scene.orgId,
        report: { agentId: "chat", customerId: "mary", indicator: "message", rawUsage: { inputTokens: 0 } },
        idempotencyKey: key,
        hash: "0".repeat(64),
      });
    expect(await mary()).toEqual({ accepted: false, reason: "customer_unknown" });
    await scene.pool.query("insert into customers (org_id, external_id, name) values ($1, 'mary', 'M')", [
      scene.orgId,
    ]);
    expect(await mary()).toMatchObject({ accepted: true, isReplay: false });
  });

  it("go when every organisation that has usage in them lets them, the oldest first, and their sums and entries stay", async () => {
    await makePartitions(scene.database, "usage_reports", later(0));
    for (const months of [-1, 0, 1]) await reportIn(months);
    const sums = async () =>
      (await scene.pool.query("select sum(events) as events, sum(credits) as credits from usage_days")).rows;
    const [before, { entries }] = [await sums(), await verify(scene.database)];
    await scene.pool.query("insert into organizations (name) values ('Without usage')");
    expect(await letPartitionGo(scene.database, "usage_reports", later(50))).toBeUndefined();
    await scene.pool.query("update organizations set usage_kept_months = 2 where org_id = $1", [scene.orgId]);
    expect(await letPartitionGo(scene.database, "usage_reports", later(2, -1))).toBeUndefined();
    expect(await letPartitionGo(scene.database, "usage_reports", later(2))).toBe("usage_events");
    expect(await letPartitionGo(scene.database, "usage_reports", later(2))).toBeUndefined();
    await keepPartitions(scene.database, later(3));
    expect(await filled()).toEqual([nameOf(1)]);
    expect(await sums()).toEqual(before);
    expect(await verify(scene.database)).toMatchObject({ entries, differences: [] });
  });

  describe("with budgets", () => {
    const setBudget = (key: string, every: string | null, zone = "UTC", customer: string | null = "alice") =>
      scene.pool.query(
        `insert into budgets (org_id, customer_id, currency, key, credit_limit, every, time_zone, begun_at)
           values ($1, $6, 'ai_credits', $2, 1000000, $3, $4, $5)
             on conflict (org_id, customer_id, currency, key) do update set every = excluded.every`,
        [scene.orgId, key, every, zone, later(-1), customer],
      );
    const reportAt = async (time: Date, ...budgets: { key: string; period?: string }[]) => {
      scene.clock.time = time.getTime();
      const rawUsage = { inputTokens: 0 };
      const usage = { agentId: "chat", customerId: "alice", indicator: "message", rawUsage, budgets };
      const idempotencyKey = randomUUID();
      await scene.intake.accept({
        orgId: scene.orgId,
        report: usage,
        idempotencyKey,
        hash: "0".repeat(64),
      });
      await settleDue(scene.database, new Date(scene.clock.time + delayMs));
    };
    const sums = async () =>
      (await scene.pool.query("select key, period from budget_sums order by key, period")).rows.map(
        ({ key, period }) => [key, period],
      );
    const differences = async () => (await verify(scene.database)).differences;
    beforeEach(async () => {
      await makePartitions(scene.database, "usage_reports", later(0));
      await scene.pool.query("update organizations set usage_kept_months = 2");
    });

    it("take the sums of their periods with them, but for those of a budget that never begins anew", async () => {
      await setBudget("daily", "day");
      await setBudget("run:*", null);
      await setBudget("all:*", null, "UTC", null);
      await setBudget("deleted", null);
      const keys = ["all:1", "daily", "deleted", "run:1"].map((key) => ({ key }));
      for (const months of [-1, 0, 1]) await reportAt(later(months, 2 * dayMs), ...keys);
      await scene.pool.query("delete from budgets where key = 'deleted'");
      await keepPartitions(scene.database, later(2, -1));
      expect(await sums()).toHaveLength(6);
      await keepPartitions(scene.database, later(3));
      expect(await filled()).toEqual([nameOf(1)]);
      expect(await sums()).toEqual([
        ["all:1", later(-1)],
        ["daily", later(0, 2 * dayMs)],
        ["daily", later(1, 2 * dayMs)],
        ["run:1", later(-1)],
      ]);
      expect(await differences()).toEqual([]);
    });

    it("leave a budget what it has used that never began anew, and does not again after a while", async () => {
      await setBudget("member:1", null);
      for (const months of [-1, 0, 1]) await reportAt(later(months), { key: "member:1" });
      await setBudget("member:1", "month");
      await keepPartitions(scene.database, later(3));
      await setBudget("member:1", null);
      await reportAt(later(3), { key: "member:1" });
      expect(await sums()).toEqual([["member:1", later(-1)]]);
      expect(await differences()).toEqual([]);
    });

    it("verify also where a report of one that is gone has named a period a month later", async () => {
      await setBudget("member:1", "month", "Pacific/Kiritimati");
      await reportAt(later(0, -60_000), { key: "member:1", period: later(1).toISOString() });
      await keepPartitions(scene.database, later(2));
      expect(await sums()).toEqual([["member:1", later(1, -14 * 3_600_000)]]);
      expect(await differences()).toEqual([]);
    });

    it("do not wait for a sum that somebody else holds", async () => {
      await setBudget("daily", "day");
      for (const months of [-1, 1]) await reportAt(later(months, dayMs), { key: "daily" });
      await scene.pool.query(
        "insert into budget_sums (org_id, customer_id, currency, key, period, used) select org_id, customer_id, currency, 'other', period, 0 from budget_sums",
      );
      const impatient = connect(scene.databaseUrl, 2);
      impatient.pool.on("connect", (client) => void client.query("set lock_timeout = '1s'"));
      const held = await scene.pool.connect();
      try {
        await held.query("begin; update budget_sums set warned = 1 where key = 'other'");
        await keepPartitions(impatient.database, later(3));
        expect(await sums()).toHaveLength(3);
      } finally {
        await held.query("rollback");
        held.release();
        await impatient.close();
      }
    });
  });

  it("take what was settled without an entry with them, and not before", async () => {
    await scene.pool.query("update organizations set usage_kept_months = 2");
    await scene.accept("alice", "gift");
    await settleDue(scene.database, later(0));
    expect(await letPartitionGo(scene.database, "usage_outcomes", later(9))).toBeUndefined();
    expect(await letPartitionGo(scene.database, "usage_reports", later(9))).toBe("usage_events");
    expect(await letPartitionGo(scene.database, "usage_outcomes", later(9))).toBe("usage_outcomes_first");
    expect((await verify(scene.database)).differences).toEqual([]);
  });

  it.each(["usage_reports", "usage_events", "usage_reports_default"])(
    "refuse to change a report: %s",
    async (table) => {
      await scene.accept("alice");
      for (const change of [`update ${table} set amount = 0`, `delete from ${table}`, `truncate ${table}`])
        await expect(scene.pool.query(change), change).rejects.toThrow("is append-only");
    },
  );

  it("stay while there is usage in them that is not settled", async () => {
    await scene.pool.query("update organizations set usage_kept_months = 2");
    await scene.accept("alice");
    expect(await letPartitionGo(scene.database, "usage_reports", later(9))).toBeUndefined();
    await settleDue(scene.database, later(0));
    expect(await letPartitionGo(scene.database, "usage_reports", later(9))).toBe("usage_events");
  });

  it("stay while usage in them is being queued again, which nobody else sees yet", async () => {
    await scene.pool.query("update organizations set usage_kept_months = 2");
    await scene.accept("alice");
    const key = { orgId: scene.orgId, customerId: "alice", currency: "ai_credits" };
    await scene.pool.query(
      "update usage_due set currency = 'rare'; insert into currencies (org_id, currency) select org_id, 'rare' from organizations",
    );
    await settleDue(scene.database, later(0));
    const go = () => letPartitionGo(scene.database, "usage_reports", later(9));
    await scene.database.transaction().execute(async (transaction) => {
      await openWallets(transaction, [{ ...key, currency: "rare" }], later(0));
      expect(await resettle(transaction, scene.orgId, {})).toMatchObject({ resettled: 1 });
      await expect(go()).rejects.toMatchObject({ code: "55P03" });
    });
    expect(await go()).toBeUndefined();
    await settleDue(scene.database, later(0));
    expect(await go()).toBe("usage_events");
  });

  it("are made and dropped by a role that may not change the schema, and wait for no lock for long", async () => {
    const role = `app_${randomUUID().slice(0, 8)}`;
    await scene.pool.query(`create role ${role} login`);
    await grantToApp(scene.pool, role);
    const app = connect(scene.databaseUrl, 2);
    const held = await scene.pool.connect();
    try {
      app.pool.on("connect", (client) => void client.query(`set role ${role}`));
      await expect(app.pool.query("create table mine ()")).rejects.toThrow("permission denied");
      await expect(app.pool.query("delete from usage_events")).rejects.toThrow("permission denied");
      await keepPartitions(app.database, later(0));
      await held.query("begin; lock table usage_reports_default in share mode");
      await keepPartitions(app.database, later(1));
      await held.query("rollback");
      await keepPartitions(app.database, later(1));
      const { rows } = await scene.pool.query(
        "select name from partition_spans('usage_reports') order by ends_at",
      );
      expect(rows.map(({ name }) => name)).toEqual([
        "usage_events",
        nameOf(0),
        nameOf(1),
        nameOf(2),
        nameOf(3),
      ]);
    } finally {
      held.release();
      await app.close();
      await scene.pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
