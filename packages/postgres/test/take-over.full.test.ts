import type { OutboxReport } from "@creditgate/core";
import type { NotedReservation } from "@creditgate/core/adapter";
import { createPostgresOutbox, createPostgresStore, type PostgresOutboxOptions } from "@creditgate/postgres";
import { describe, expect, it } from "vitest";
import { createTestDatabase } from "./database.ts";
import { requestOf } from "./request.ts";
import { createTrialSchema } from "./trial.ts";

const { pool } = await createTestDatabase();
await createTrialSchema(pool, "fleet");
const abandonMs = 60_000;

/** A process: nothing of it is ended, as if it were killed. */
async function start(name: string) {
  const outbox = createPostgresOutbox({ sql: pool, schema: "fleet", name, abandonMs });
  await outbox.recover(0);
  return outbox;
}

const pass = (ms: number) => pool.query(`update fleet.trial set passed = passed + ${ms}`);

function report(id: string): OutboxReport {
  const entry = { id, amount: 7_000_000 };
  return {
    id,
    customerId: "ada",
    agentId: "chat",
    indicator: "message",
    rawUsage: {},
    currency: "credits",
    entry,
  };
}

const reservation: NotedReservation = {
  account: "ada's",
  process: "the dead",
  service: "s",
  customerId: "ada",
  currency: "credits",
};

const ids = (reports: readonly { readonly id: string }[]) => reports.map(({ id }) => id);

describe("createPostgresOutbox", () => {
  it.each<[string, object]>([
    ["sql", {}],
    ["name", { sql: pool, name: "a b" }],
    ["maxReports", { sql: pool, maxReports: 0 }],
    ["timeoutMs", { sql: pool, timeoutMs: 0 }],
    ["nam", { sql: pool, nam: "a" }],
    ['timeoutMS: unknown option; did you mean "timeoutMs"?', { sql: pool, timeoutMS: 1 }],
  ])("refuses misuse: %s", (option, options) => {
    expect(() => createPostgresOutbox(options as PostgresOutboxOptions)).toThrow(option);
  });

  it("does not wait for ever for a pool that hangs, nor does the store", async () => {
    const sql = { query: () => new Promise<never>(() => {}) };
    const late = { name: "PostgresError", code: "timeout" };
    const outbox = createPostgresOutbox({ sql, timeoutMs: 1 });
    await expect(outbox.append([report("a")])).rejects.toMatchObject(late);
    expect([outbox.failing, outbox.full]).toEqual([true, false]);
    const store = createPostgresStore({ sql, timeoutMs: 1 });
    await expect(store.exchange("ada", requestOf("one", 1))).rejects.toMatchObject(late);
  });

  it("hands what a process has left that is silent to one other, with its reservations, and tells it when it wakes", async () => {
    const [sleeper, one, two] = [await start("silent"), await start("silent"), await start("silent")];
    const stranger = await start("of-another-gate");
    await sleeper.append([report("a"), report("b")]);
    await sleeper.reservations.begin(reservation);
    for (let heartbeat = 0; heartbeat < 7; heartbeat++) {
      await pass(abandonMs / 6);
      expect((await stranger.fleet.heartbeat(0)).reports).toEqual([]);
      if (heartbeat < 5)
        for (const alive of [one, two]) expect((await alive.fleet.heartbeat(0)).reports).toEqual([]);
    }
    const found = await Promise.all([one.fleet.heartbeat(0), two.fleet.heartbeat(0)]);
    const [heir] = found[0].reports.length > 0 ? [one] : [two];
    expect(found.flatMap(({ reports }) => ids(reports))).toEqual(["a", "b"]);
    expect(found.flatMap(({ reservations = [] }) => reservations)).toEqual([reservation]);
    heir.fleet.entered();
    expect(ids(await heir.next(10))).toEqual(["a", "b"]);
    await sleeper.append([report("c")]);
    expect((await sleeper.fleet.heartbeat(0)).lost).toEqual(["a", "b"]);
    await heir.delivered([report("a"), report("b")], 0, []);
    expect(await heir.status()).toEqual({ queued: 0, parked: 0, dead: 0 });
  });

  it("hands what a process left that was closed to the next at once", async () => {
    const closed = await start("closed");
    await closed.append([report("d")]);
    await closed.close();
    const next = await start("closed");
    expect(ids(await next.next(10))).toEqual(["d"]);
  });

  it("leaves no rows of what was delivered", async () => {
    const outbox = await start("delivered");
    await outbox.append([report("e"), report("f")]);
    await outbox.delivered([report("e"), report("f")], 0, []);
    await outbox.forget(["e", "f"]);
    const { rows } = await pool.query(
      `select count(*)::int as rows from fleet.outbox_row as row
       join fleet.outbox_process as process on process.id = row.lane where process.outbox = 'delivered'`,
    );
    expect(rows).toEqual([{ rows: 0 }]);
  });

  it("knows for a week that a process has been taken over, and forgets it with the next that joins", async () => {
    const [dead, heir] = [await start("remembered"), await start("remembered")];
    const names = async () => {
      const { rows } = await pool.query("select id from fleet.outbox_process where outbox = 'remembered'");
      return rows.length;
    };
    await dead.close();
    await heir.fleet.heartbeat(0);
    await pass(6 * 86_400_000);
    await start("remembered");
    expect(await names()).toBe(3);
    await pass(2 * 86_400_000);
    await start("remembered");
    expect(await names()).toBe(3);
  });
});
