import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { journalFiles } from "../src/admin/books.ts";
import { creditsJournal } from "../src/books/credits-journal.ts";
import { type AccountSums, trialBalance } from "../src/books/trial-balance.ts";
import { grantToApp } from "../src/database/app-role.ts";
import { connect, type Database } from "../src/database/connection.ts";
import { keepPartitions, letPartitionGo } from "../src/database/partitions.ts";
import { closePeriods } from "../src/periods/period.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { verify } from "../src/verification/wallets.ts";
import { topUpWallets } from "../src/wallets/top-up.ts";
import { afterQueries } from "./after-queries.ts";
import { csvLimits } from "./csv-limits.ts";
import { acme } from "./fixture.ts";
import { openScene, type Scene } from "./scene.ts";

let scene: Scene;
/** The beginning of the first month that has a partition of its own. */
let turn: number;
beforeEach(async () => {
  scene = await openScene(acme);
  const { rows } = await scene.pool.query<{ ends_at: Date }>(
    "select ends_at from partition_spans('ledger_entries')",
  );
  turn = rows[0]?.ends_at.getTime() ?? Number.NaN;
  await keepPartitions(scene.database, later(0));
});
afterEach(() => scene.close());

const dayMs = 86_400_000;
const later = (months: number, ms = 0): Date => {
  const date = new Date(turn);
  date.setUTCMonth(date.getUTCMonth() + months);
  return new Date(date.getTime() + ms);
};
const nameOf = (months: number): string =>
  `ledger_entries_${later(months).toISOString().slice(0, 7).replace("-", "_")}`;

/** Uses both wallets of alice, and tops one up, on the second of a month. */
async function use(months: number): Promise<void> {
  scene.clock.time = later(months, dayMs).getTime();
  for (const indicator of ["message", "speech", "message"]) await scene.accept("alice", indicator);
  await settleDue(scene.database, later(months, dayMs + 60_000));
  await topUp(later(months, dayMs + 120_000));
}

const topUp = (at: Date) =>
  scene.database
    .transaction()
    .execute((transaction) =>
      topUpWallets(transaction, scene.orgId, "alice", [{ currency: "ai_credits", amount: 5n }], at),
    );

const close = (now: Date) =>
  closePeriods({ database: scene.database, defaults: defaultPeriodSettings, actor: "test", now });

const keepFor = (months: number) =>
  scene.pool.query(
    "update organizations set ledger_kept_months = $1, usage_kept_months = $1 where org_id = $2",
    [months, scene.orgId],
  );

/** Lets the oldest month of the ledger go, and before it the usage that it has settled. */
async function letGo(now: Date, database = scene.database): Promise<string | undefined> {
  while ((await letPartitionGo(database, "usage_reports", now)) !== undefined);
  return letPartitionGo(database, "ledger_entries", now);
}

const differences = async () => (await verify(scene.database)).differences;

/** In which partitions of the ledger there are entries. */
async function filled(): Promise<readonly string[]> {
  const { rows } = await scene.pool.query<{ name: string }>(
    "select distinct tableoid::regclass::text as name from ledger_entries order by 1",
  );
  return rows.map(({ name }) => name);
}

describe("the entries of a wallet", () => {
  it("say what it has after each, those of one batch too, and are refused to be changed in each partition", async () => {
    for (const months of [-1, 0, 5]) await use(months);
    const { rows } = await scene.pool.query(
      `select available, available_after, overage_used_after from ledger_entries
        where currency = 'ai_credits' order by entry_no limit 4`,
    );
    expect(rows).toEqual([
      { available: 100_000_000n, available_after: 100_000_000n, overage_used_after: 0n },
      { available: -1_000_000n, available_after: 99_000_000n, overage_used_after: 0n },
      { available: -1_000_000n, available_after: 98_000_000n, overage_used_after: 0n },
      { available: 5n, available_after: 98_000_005n, overage_used_after: 0n },
    ]);
    expect(await differences()).toEqual([]);
    const partitions = await filled();
    expect(partitions).toEqual([nameOf(0), "ledger_entries_default", "ledger_entries_first"]);
    for (const table of ["ledger_entries", ...partitions]) {
      for (const change of [
        `update ${table} set available = 0`,
        `delete from ${table}`,
        `truncate ${table}`,
      ]) {
        await expect(scene.pool.query(change), change).rejects.toThrow("is append-only");
      }
    }
  });
});

describe("a month of the ledger", () => {
  it("is detached when every organisation lets it go and its periods are invoiced; the books verify, and go on", async () => {
    const { database, pool } = scene;
    for (const months of [-1, 0, 1]) await use(months);
    await pool.query("insert into organizations (name) values ('Without any')");
    const { entries } = await verify(database);
    expect(await letGo(later(50))).toBeUndefined();

    await keepFor(2);
    expect(await letGo(later(2, -1))).toBeUndefined();
    expect(await letGo(later(2))).toBeUndefined();
    await close(later(2, dayMs));
    expect(await letGo(later(2, dayMs))).toBe("ledger_entries_first");
    expect(await letGo(later(2, dayMs))).toBeUndefined();
    expect(await differences()).toEqual([]);
    const left = await verify(database);
    const kept = await pool.query<{ count: bigint }>("select count(*) as count from ledger_entries_first");
    expect(left.entries + (kept.rows[0]?.count ?? 0n)).toBe(entries + 1n);

    await use(2);
    await keepPartitions(database, later(3));
    await close(later(3));
    await keepPartitions(database, later(3));
    await use(3);
    expect(await filled()).toEqual([1, 2, 3].map(nameOf));
    expect(await differences()).toEqual([]);
    const detached = await pool.query(
      "select name from detached_partitions where parent = 'ledger_entries' order by until",
    );
    expect(detached.rows).toEqual([{ name: "ledger_entries_first" }, { name: nameOf(0) }]);
    await expect(pool.query("delete from ledger_entries_first")).rejects.toThrow("is append-only");
  });

  it("waits for the usage that it has settled: a report would seem to wait", async () => {
    for (const months of [-1, 0]) await use(months);
    await keepFor(2);
    await close(later(2));
    expect(await letPartitionGo(scene.database, "ledger_entries", later(2))).toBeUndefined();
    expect(await letPartitionGo(scene.database, "usage_reports", later(2))).toBe("usage_events");
    expect(await letPartitionGo(scene.database, "ledger_entries", later(2))).toBe("ledger_entries_first");
    expect(await differences()).toEqual([]);
  });

  it("is never missing from the books where it goes while they are read: they fail, and are whole the next time", async () => {
    await use(-1);
    await scene.pool.query(
      `insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, top_up_id, available, pending, overage_used, postpaid_used, created_at,
                                  available_after, pending_after, overage_used_after, postpaid_used_after)
       select $1, 'alice', 'ai_credits', 100 + i, 'top_up', gen_random_uuid(), 1, 0, 0, 0, $2, 1, 0, 0, 0 from generate_series(1, 600) as i`,
      [scene.orgId, later(-1, dayMs)],
    );
    await use(1);
    await close(later(2, dayMs));
    await keepFor(2);
    const { database, orgId } = scene;
    const limits = csvLimits();
    // Each month that goes is gone after the first statement.
    const during = (now: Date) => afterQueries(database, () => letGo(now));
    const lines = async (read: Database, query = {}) => {
      const call = { orgId, actor: "test", at: new Date(), query, database: read } as Parameters<
        ReturnType<typeof journalFiles>["creditsJournalCsv"]
      >[0];
      const { parts } = await journalFiles(limits).creditsJournalCsv(call);
      let count = 0;
      for await (const rows of parts) count += rows.length;
      return count;
    };
    const problem = { status: 503, code: "database_unavailable" };
    const sums = (read: Database) => trialBalance(read, creditsJournal, { orgId, span: {} });
    const before = await sums(database);
    const whole = await lines(database);
    await expect(lines(during(later(2)))).rejects.toMatchObject(problem);
    expect(await lines(database)).toBeLessThan(whole);
    await expect(sums(during(later(5)))).rejects.toMatchObject(problem);
    const walletsIn = (accounts: readonly AccountSums[]) =>
      accounts
        .filter(({ account }) => account.startsWith("wallet:"))
        .map(({ account, currency, debit, credit }) => [account, currency, debit - credit]);
    expect(walletsIn(await sums(database))).toEqual(walletsIn(before));
    // What it has begun with is there still.
    await use(4);
    await close(later(5, dayMs));
    expect(await lines(during(later(7)), { from: later(4).toISOString() })).toBeGreaterThan(0);
  });

  it("leaves books in which a wrong wallet, a wrong sum of what went and a wrong entry are found", async () => {
    for (const months of [-1, 0]) await use(months);
    await keepFor(2);
    await close(later(2));
    await keepPartitions(scene.database, later(2));
    await use(2);
    const wrong = async (statement: string) => {
      const client = await scene.pool.connect();
      try {
        await client.query(`set session_replication_role = replica; ${statement}`);
        return (await differences()).map(({ what }) => what);
      } finally {
        await client.query("reset session_replication_role");
        client.release();
      }
    };
    const last = `where currency = 'ai_credits' and entry_no = (select max(entry_no) from ledger_entries where currency = 'ai_credits')`;
    expect(await wrong("")).toEqual([]);
    for (const [table, column, what] of [
      ["wallets where currency = 'ai_credits'", "available", ["wallet", "journal"]],
      ["ledger_carried where currency = 'ai_credits'", "available", ["wallet", "entry", "journal"]],
      [
        "ledger_carried where currency = 'voice_credits'",
        "postpaid_used",
        ["wallet", "entry", "invoice", "journal"],
      ],
      [`ledger_entries ${last}`, "available_after", ["entry"]],
    ] as const) {
      const [, name, where] = /^(\w+) (.*)$/.exec(table) ?? [];
      expect(await wrong(`update ${name} set ${column} = ${column} + 1 ${where}`), table).toEqual(what);
      await wrong(`update ${name} set ${column} = ${column} - 1 ${where}`);
    }
    expect(await wrong("")).toEqual([]);
  });

  it("may have been written in after the one that follows it, by a clock that is behind", async () => {
    await use(-1);
    await topUp(later(0, 1));
    await topUp(later(0, -1));
    await topUp(later(0, 2));
    expect(await differences()).toEqual([]);
    await keepFor(2);
    await close(later(2));
    expect(await letGo(later(2))).toBe("ledger_entries_first");
    await topUp(later(2, 1));
    expect(await differences()).toEqual([]);
    const client = await scene.pool.connect();
    await client.query(`set session_replication_role = replica;
      update ledger_entries set available_after = available_after + 1
       where currency = 'ai_credits' and entry_no = (select max(entry_no) from ledger_entries where created_at < '${later(1).toISOString()}' and currency = 'ai_credits')`);
    client.release(true);
    expect(await differences()).toMatchObject([{ what: "entry" }]);
  });

  it("is let go by a role that can write neither into it nor what its entries sum to", async () => {
    const { pool, databaseUrl } = scene;
    for (const months of [-1, 0]) await use(months);
    await keepFor(2);
    await close(later(2));
    const role = `app_${randomUUID().slice(0, 8)}`;
    await pool.query(`create role ${role} login`);
    await grantToApp(pool, role);
    const app = connect(databaseUrl, 2);
    try {
      app.pool.on("connect", (client) => void client.query(`set role ${role}`));
      expect(await letGo(later(2), app.database)).toBe("ledger_entries_first");
      for (const statement of [
        "table ledger_entries_first",
        "update ledger_carried set available = 0",
        "delete from ledger_carried",
      ]) {
        await expect(app.pool.query(statement), statement).rejects.toMatchObject({ code: "42501" });
      }
      expect((await verify(app.database)).differences).toEqual([]);
    } finally {
      await app.close();
      await pool.query(`drop owned by ${role}; drop role ${role}`);
    }
  });
});
