import { sql } from "kysely";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createMigratedDatabase, type TestDatabase, usePostgres } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { waitsForLock } from "./database-activity.ts";
import { acme } from "./fixture.ts";
import { startStuckProxy } from "./stuck-proxy.ts";
import { lockTable } from "./table-lock.ts";

const otherKey = "cg_test_other_org";

let database: TestDatabase;
/** For what is done to the database past the server. */
let hand: Connection;
let server: RunningServer;
let call: Caller;
let other: Caller;
let unforeseen: unknown[];
let notices: string[];

beforeEach(async () => {
  database = await createMigratedDatabase();
  hand = connect(database.databaseUrl);
  unforeseen = [];
  notices = [];
  const organization = { name: "Other", apiKey: otherKey };
  await (await start({ fixture: { ...acme, organization } })).stop();
  server = await start({ fixture: acme });
  call = caller({ baseUrl: server.url, apiKey: "cg_test_local" });
  other = caller({ baseUrl: server.url, apiKey: otherKey });
  // Both keys have been used: nothing is left to be noted or read for the first time.
  for (const each of [call, other]) expect((await each("GET", "/api/v1/agents")).status).toBe(200);
});
afterEach(async () => {
  await server.stop();
  await hand.close();
  await database.drop();
});

/** Locks are waited for as in production, only less long. */
const start = (options: Pick<Parameters<typeof startServer>[0], "fixture">) =>
  startServer({
    ...options,
    databaseUrl: `${database.databaseUrl}?lock_timeout=200`,
    port: 0,
    settlement: false,
    onError: (error) => unforeseen.push(error),
    onNotice: (line) => notices.push(line),
  });

const balance = (of: Caller) => of("GET", "/api/v1/wallet/balance?customer_id=alice");
const customer = { externalId: "new", name: "New" };

describe("a table that is locked", () => {
  it("is answered 503 with Retry-After, by reads, writes and usage", async () => {
    const unlock = await lockTable(hand.pool, "customers");
    const answers = await Promise.all([
      balance(call),
      call("POST", "/api/v1/customers/create-or-get", { body: customer }),
      call("POST", "/api/v2/usage", { body: usageOf() }),
    ]);
    for (const { status, headers, json } of answers) {
      expect({ status, code: json.code }).toEqual({ status: 503, code: "database_unavailable" });
      expect(headers.get("retry-after")).toBe("1");
    }
    await unlock();
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    expect(unforeseen).toEqual([]);
  });

  it("holds up operators, and not what settles", async () => {
    const adminToken = "cga_a-token-for-these-tests";
    const settling = await startServer({
      databaseUrl: `${database.databaseUrl}?lock_timeout=60000`,
      port: 0,
      adminTokens: [{ name: "test", token: adminToken }],
      onError: (error) => unforeseen.push(error),
    });
    const headers = { authorization: `Bearer ${adminToken}` };
    let answered = 0;
    const read = async (): Promise<number> => {
      const { status } = await fetch(`${settling.url}/admin/api/users`, { headers });
      answered += 1;
      return status;
    };
    // Which only people and operators read.
    const unlock = await lockTable(hand.pool, "users");
    const reads = [read(), read(), read(), read()];
    try {
      await expect.poll(() => waitsForLock(hand.pool)).toBe(reads.length);
      expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
      const unsettled = "select from usage_due";
      await expect.poll(async () => (await hand.pool.query(unsettled)).rowCount).toBe(0);
      expect(answered).toBe(0);
    } finally {
      await unlock();
      await Promise.all(reads);
      await settling.stop();
    }
    expect(await Promise.all(reads)).toEqual([200, 200, 200, 200]);
    expect(unforeseen).toEqual([]);
  });

  it("leaves connections to the other organisations", async () => {
    const unlock = await lockTable(hand.pool, "customers");
    const waiting = Array.from({ length: 50 }, () => balance(call));
    // The organisation has its whole share under way, and 46 requests more.
    await expect.poll(() => waitsForLock(hand.pool), { interval: 5 }).toBe(4);
    expect((await other("GET", "/api/v1/agents")).status).toBe(200);
    await unlock();
    for (const { status } of await Promise.all(waiting)) expect([200, 503]).toContain(status);
    expect((await balance(call)).status).toBe(200);
  });
});

it("a session that the server has ended is not used again, also before its socket is closed", async () => {
  const { database: ours, close } = connect(database.databaseUrl, 1);
  const end = sql`select pg_terminate_backend(pg_backend_pid())`;
  await expect(end.execute(ours)).rejects.toMatchObject({ code: "57P01" });
  expect((await sql`select 1`.execute(ours)).rows).toHaveLength(1);
  await close();
});

describe("a database that can only be read, as after a failover", () => {
  it("makes the server not ready and writes 503 with Retry-After, until it can be written to", async () => {
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await hand.pool.query(`alter database ${name} set default_transaction_read_only = on`);
    await disconnectAll();
    const ready = await fetch(`${server.url}/ready`);
    expect(ready.status).toBe(503);
    expect(await ready.json()).toMatchObject({
      code: "not_ready",
      detail: "database: expected one to write to, received one to read from only",
    });
    for (const answer of [
      await call("POST", "/api/v2/usage", { body: usageOf() }),
      await call("POST", "/api/v1/customers/create-or-get", { body: customer }),
    ]) {
      expect(answer.status).toBe(503);
      expect(answer.headers.get("retry-after")).toBe("1");
    }
    expect((await balance(call)).status).toBe(200);
    expect(unforeseen).toEqual([]);

    // As when the name of the database leads to the new primary: new connections can write, old ones cannot.
    const writer = connect(`${database.databaseUrl}?options=-c%20default_transaction_read_only%3Doff`);
    await writer.pool.query(`alter database ${name} reset default_transaction_read_only`);
    await writer.close();
    await expect
      .poll(async () => (await call("POST", "/api/v2/usage", { body: usageOf() })).status)
      .toBe(202);
    await expect.poll(async () => (await fetch(`${server.url}/ready`)).status).toBe(200);
  });
});

describe("a disk that is full", () => {
  it("makes the server not ready while usage is answered 503, until a few seconds later", async () => {
    const clock = { time: Date.now(), now: () => clock.time };
    const full = await startServer({
      databaseUrl: database.databaseUrl,
      port: 0,
      metricsPort: 0,
      settlement: false,
      clock,
    });
    const ready = () => fetch(`${full.url}/ready`);
    const report = () =>
      caller({ baseUrl: full.url, apiKey: "cg_test_local" })("POST", "/api/v2/usage", { body: usageOf() });
    await hand.pool.query(`
      create function refuse_write() returns trigger language plpgsql as
        $$ begin raise exception 'could not extend file: No space left on device' using errcode = '53100'; end $$;
      create trigger refuse_write before insert on usage_reports execute function refuse_write()`);
    expect((await ready()).status).toBe(200);
    expect((await report()).status).toBe(503);
    for (const url of [full.url, full.metricsUrl]) {
      const answer = await fetch(`${url}/ready`);
      expect(answer.status).toBe(503);
      expect(await answer.json()).toMatchObject({
        code: "not_ready",
        detail:
          "database: expected one to write to, received one that cannot: could not extend file: No space left on device",
      });
    }
    await hand.pool.query("drop trigger refuse_write on usage_reports");
    clock.time += 5_000;
    expect((await ready()).status).toBe(200);
    expect((await report()).status).toBe(202);
    await full.stop();
  });
});

describe("a database that takes no connections", () => {
  it("is answered 503 with Retry-After; a server without settlement tells of it once, and of its end", async () => {
    const administrator = connect((await usePostgres()).databaseUrl, 1);
    const name = new URL(database.databaseUrl).pathname.slice(1);
    await administrator.pool.query(`alter database ${name} allow_connections false`);
    await administrator.pool.query(
      `select pg_terminate_backend(pid, 5000) from pg_stat_activity where datname = '${name}'`,
    );
    const { status, headers } = await call("POST", "/api/v2/usage", { body: usageOf() });
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    const told = () => notices.map((line) => line.replace(/\d+ s$/, "N s"));
    const lost = `database: out of reach, requests are answered 503: database "${name}" is not currently accepting connections (55000)`;
    await expect.poll(() => told().length).toBe(1);
    await administrator.pool.query(`alter database ${name} allow_connections true`);
    await expect.poll(told).toEqual([lost, "database: back after N s"]);
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    expect(unforeseen).toEqual([]);
    await administrator.close();
  });
});

describe("connections that PostgreSQL ends", () => {
  it("fail their requests with 503 and Retry-After, and are replaced", async () => {
    const unlock = await lockTable(hand.pool, "customers");
    const answer = balance(call);
    await expect.poll(() => disconnectAll("wait_event_type = 'Lock'"), { interval: 5 }).toBeGreaterThan(0);
    const { status, headers } = await answer;
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    await unlock();
    expect((await balance(call)).status).toBe(200);
    expect(unforeseen).toEqual([]);
  });
});

describe("a PostgreSQL that does not answer", () => {
  it("is given up for each request, answered 503 with Retry-After, and does not keep the server from stopping", async () => {
    const proxy = await startStuckProxy(database.databaseUrl);
    const databaseUrl = `${proxy.databaseUrl}?statement_timeout=100`;
    const behind = await startServer({ databaseUrl, port: 0 });
    const through = caller({ baseUrl: behind.url, apiKey: "cg_test_local" });
    expect((await balance(through)).status).toBe(200);
    proxy.stick();
    const [{ status, headers }, health, ready] = await Promise.all([
      balance(through),
      fetch(`${behind.url}/health`),
      fetch(`${behind.url}/ready`),
    ]);
    expect(status).toBe(503);
    expect(headers.get("retry-after")).toBe("1");
    expect([health.status, ready.status]).toEqual([200, 503]);
    await behind.stop(500);
    await proxy.close();
  });
});

async function disconnectAll(condition = "true"): Promise<number> {
  const { rowCount } = await hand.pool.query(
    `select pg_terminate_backend(pid, 5000) from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and ${condition}`,
  );
  return rowCount ?? 0;
}
