import { once } from "node:events";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { creditgate } from "./serve-process.ts";

/** `npm run test:settlement-crash` takes 50. */
const kills = Number(process.env.CREDITGATE_KILLS ?? "3");
const reportsPerRound = 20;

/** A number that nobody else locks. */
const gate = 4_611_686_018n;

/** Where a worker is held when it is killed: each is inside the transaction that settles a batch. */
const places = ["update on wallets", "insert on ledger_entries", "delete on usage_due"];

let database: TestDatabase;
let server: RunningServer;
let connection: Connection;
let call: Caller;
beforeAll(async () => {
  database = await createMigratedDatabase();
  server = await startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    settlementDelayMs: 0,
    settlement: false,
    fixture: acme,
  });
  connection = connect(database.databaseUrl);
  call = caller({ baseUrl: server.url, apiKey: "cg_test_local" });
  await connection.pool.query(`
    create function wait_at_gate() returns trigger language plpgsql as $$
    begin
      perform pg_advisory_xact_lock_shared(${gate});
      return null;
    end
    $$`);
});
afterAll(async () => {
  await server.stop();
  await connection.close();
  await database.drop();
});

async function report(): Promise<void> {
  const answers = await Promise.all(
    Array.from({ length: reportsPerRound }, () => call("POST", "/api/v2/usage", { body: usageOf() })),
  );
  expect(answers.every(({ status }) => status === 202)).toBe(true);
}

const number = async (text: string) => Number((await connection.pool.query(text)).rows[0]?.count);
const settled = () => number("select count(usage_id) from usage_settlements");
const waiting = () =>
  number(
    `select count(*) from pg_locks where locktype = 'advisory' and not granted
        and (classid::bigint << 32) + objid::bigint = ${gate}
        and database = (select oid from pg_database where datname = current_database())`,
  );

/** A worker that has settled something is held in the middle of its next batch, and killed there. */
async function killInTheMiddle(place: string): Promise<void> {
  const before = await settled();
  await report();
  const worker = creditgate(["worker"], { DATABASE_URL: database.databaseUrl });
  await worker.printed(/settling/);
  await expect.poll(settled, { timeout: 60_000 }).toBeGreaterThan(before);

  const keeper = await connection.pool.connect();
  await keeper.query(`drop trigger if exists gate on wallets; drop trigger if exists gate on ledger_entries;
                      drop trigger if exists gate on usage_due`);
  await keeper.query(`create trigger gate after ${place} for each statement execute function wait_at_gate()`);
  await keeper.query("select pg_advisory_lock($1)", [gate]);
  await report();
  await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
  worker.process.kill("SIGKILL");
  await once(worker.process, "exit");
  await keeper.query("select pg_advisory_unlock($1)", [gate]);
  keeper.release();
}

describe(`kill -9 of a worker in the middle of settling, ${kills} times`, { timeout: 900_000 }, () => {
  it("settles each accepted event exactly once", async () => {
    for (let round = 0; round < kills; round++) await killInTheMiddle(places[round % places.length] ?? "");
    const worker = creditgate(["worker"], { DATABASE_URL: database.databaseUrl });
    const accepted = kills * 2 * reportsPerRound;
    await expect.poll(settled, { timeout: 60_000 }).toBe(accepted);
    worker.process.kill("SIGTERM");
    expect((await worker.exit).code).toBe(0);

    expect(await number("select count(*) from usage_reports")).toBe(accepted);
    expect(await number("select count(*) from ledger_entries where cause = 'usage'")).toBe(accepted);
    expect((await verify(connection.database)).differences).toEqual([]);
    const { text } = await call("GET", "/api/v1/wallet/balance?customer_id=alice");
    const { available, overage_used } = JSON.parse(text).balances.ai_credits;
    // Micro-credits, which are integers: 100 credits less 1.066 for each event.
    expect(Math.round((available - overage_used) * 1e6)).toBe(100_000_000 - accepted * 1_066_000);
  });
});

/** Each is inside the transaction that orders a top-up. */
const ordering = ["insert on orders", "insert on invoices", "insert on ledger_entries", "update on wallets"];

const orderingKills = Math.ceil(kills / 3);

describe(`kill -9 of a worker in the middle of ordering a top-up, ${orderingKills} times`, {
  timeout: 900_000,
}, () => {
  it("makes each order once, with its invoice", async () => {
    for (let round = 0; round < orderingKills; round++) {
      // Nothing is due for settlement: what the worker writes is the order.
      const place = ordering[round % ordering.length] ?? "";
      const keeper = await connection.pool.connect();
      await keeper.query(`drop trigger if exists gate on wallets; drop trigger if exists gate on ledger_entries;
                          drop trigger if exists gate on usage_due; drop trigger if exists gate on orders;
                          drop trigger if exists gate on invoices`);
      await keeper.query(`update wallets set auto_top_up_below = available + 1, auto_top_up_credits = 1, auto_top_up_amount = 1,
                                             auto_top_up_currency = 'EUR', auto_top_up_most = 1000, top_up_at = '-infinity'
                           where (customer_id, currency) = ('alice', 'ai_credits')`);
      await keeper.query(
        `create trigger gate after ${place} for each statement execute function wait_at_gate()`,
      );
      await keeper.query("select pg_advisory_lock($1)", [gate]);
      const killed = creditgate(["worker"], { DATABASE_URL: database.databaseUrl });
      await expect.poll(waiting, { timeout: 60_000 }).toBeGreaterThan(0);
      killed.process.kill("SIGKILL");
      await once(killed.process, "exit");
      await keeper.query("select pg_advisory_unlock($1)", [gate]);
      keeper.release();
      expect(await openTopUps()).toBe(0);

      const worker = creditgate(["worker"], { DATABASE_URL: database.databaseUrl });
      await expect.poll(openTopUps, { timeout: 60_000 }).toBe(1);
      worker.process.kill("SIGTERM");
      expect((await worker.exit).code).toBe(0);
      expect((await verify(connection.database)).differences).toEqual([]);
      const { rows } = await connection.pool.query("select invoice_id from invoices where status = 'open'");
      const paid = await call("POST", `/api/v1/invoices/${rows[0]?.invoice_id}/mark-paid`);
      expect(paid.status).toBe(200);
    }
    expect(await number("select count(*) from orders where kind = 'top_up'")).toBe(orderingKills);
  });
});

const openTopUps = () =>
  number(
    "select count(*) from orders join invoices using (org_id, order_id) where orders.status = 'pending'",
  );
