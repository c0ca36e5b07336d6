import { createAdminClient, type OrganizationAdmin, webhookEvent } from "@creditgate/admin";
import pg from "pg";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";
const day = 24 * 60 * 60 * 1_000;
const noon = Date.UTC(2026, 4, 5, 12);

let plane: TestControlPlane;
let call: Caller;
let acmeAdmin: OrganizationAdmin;
let pool: pg.Pool;
let clock: { time: number; now(): number };
let reports = 0;

/** Another for each test, with the wallets of Alice. */
let customer = "";
let customers = 0;

beforeAll(async () => {
  clock = { time: noon, now: () => clock.time };
  plane = await startControlPlane({ fixture: acme, adminToken, clock });
  call = caller(plane);
  acmeAdmin = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed("Acme");
  pool = new pg.Pool({ connectionString: plane.databaseUrl });
});
afterAll(async () => {
  await pool.end();
  await plane.stop();
});
beforeEach(async () => {
  clock.time = noon;
  customer = `customer-${customers++}`;
  await acmeAdmin.customers.create({ externalId: customer, name: "Customer" });
  await acmeAdmin.wallets.create(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  const top_ups = [{ credit_currency_key: "ai_credits", credits: 100 }];
  await acmeAdmin.wallets.topUp({ customer_id: customer, top_ups }, { idempotencyKey: customer });
});

type Named = readonly { readonly key: string; readonly period?: string }[];

/** Reports a message of a customer's, which costs a credit. */
const report = (budgets?: Named, key = `report-${reports++}`) =>
  call("POST", "/api/v2/usage", {
    body: usageOf({ customerId: customer, rawUsage: {}, ...(budgets === undefined ? {} : { budgets }) }),
    headers: { "idempotency-key": key },
  });

/** The budgets of the customer, as a gate reads them. */
async function read(...keys: string[]) {
  const body = { customer_id: customer, budgets: { ai_credits: keys } };
  const { json, status } = await call("POST", "/api/v1/wallet/balance", { body });
  expect(status).toBe(200);
  return (json.budgets as Record<string, Record<string, Record<string, unknown>>>).ai_credits;
}

const set = (key: string, request: Parameters<OrganizationAdmin["budgets"]["set"]>[3]) =>
  acmeAdmin.budgets.set(customer, "ai_credits", key, request);

/** What `verify` finds of budgets; a test as an old version settles, and leaves other sums as they are. */
async function differences() {
  const { database, close } = connect(plane.databaseUrl);
  try {
    return (await verify(database)).differences.filter(({ what }) => what === "budget");
  } finally {
    await close();
  }
}

const now = () => new Date(clock.time).toISOString();

describe("budgets of the control plane", () => {
  it("are told with the balances, as of one instant, and named in each answer", async () => {
    await set("member:1", { limit: 10.5, every: "day" });
    const body = {
      customer_id: customer,
      budgets: { ai_credits: ["member:1", "member:2"], voice_credits: ["x"] },
    };
    const { json, headers } = await call("POST", "/api/v1/wallet/balance", { body });
    const { json: balances, headers: plain } = await call(
      "GET",
      `/api/v1/wallet/balance?customer_id=${customer}`,
    );
    expect(json).toEqual({
      ...balances,
      budgets: {
        ai_credits: {
          "member:1": {
            limit: 10.5,
            used: 0,
            unsettled: 0,
            period: now(),
            resets_at: "2026-05-06T00:00:00.000Z",
          },
        },
        voice_credits: {},
      },
    });
    expect([headers, plain].map((all) => all.get("creditgate-budgets"))).toEqual(["8", "8"]);
  });

  it("are debited with the wallet, in the transaction that settles", async () => {
    await set("member:1", { limit: 10 });
    await set("team:1", { limit: 10 });
    // Settlement waits for the wallet.
    const holder = await pool.connect();
    await holder.query(`begin; select from wallets where customer_id = '${customer}' for update`);
    expect((await report([{ key: "member:1" }, { key: "team:1" }])).json).toMatchObject({
      credits: 1,
      budgets: ["member:1", "team:1"],
    });
    await report([{ key: "member:1" }]);
    await report();
    expect(await read("member:1", "team:1")).toMatchObject({
      "member:1": { used: 0, unsettled: 2 },
      "team:1": { used: 0, unsettled: 1 },
    });
    await holder.query("commit");
    holder.release();
    await plane.settled();
    expect(await read("member:1", "team:1")).toMatchObject({
      "member:1": { used: 2, unsettled: 0 },
      "team:1": { used: 1, unsettled: 0 },
    });
    expect((await plane.balance(customer)).ai_credits?.available).toBe(97);
    expect(await differences()).toEqual([]);
  });

  it("answer a repeated report as it was stored, and refuse other budgets under its key", async () => {
    await set("member:1", { limit: 10 });
    const first = await report([{ key: "member:1" }], customer);
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:1");
    expect((await report([{ key: "member:1" }], customer)).json).toEqual(first.json);
    expect((await report([{ key: "member:2" }], customer)).json).toMatchObject({
      code: "idempotency_key_reused",
    });
    const batch = await call("POST", "/api/v2/usage/batch", {
      body: {
        reports: [
          {
            key: customer,
            ...(usageOf({ customerId: customer, rawUsage: {}, budgets: [{ key: "member:1" }] }) as object),
          },
        ],
      },
    });
    expect(batch.json).toEqual({ results: [{ key: customer, status: 202, body: first.json }] });
  });

  it("are shown with the usage that names them, in lists and feeds, with the period in which it counts", async () => {
    await set("member:1", { limit: 10, every: "day" });
    const stop = new AbortController();
    const feed = acmeAdmin.usage.feed({ customerId: customer, outcome: "debited" }, { signal: stop.signal });
    await feed.next();
    const reported = await report([{ key: "team:1" }, { key: "member:1" }]);
    const budgets = [
      { key: "member:1", period: new Date(noon).toISOString() },
      { key: "team:1", period: null },
    ];
    expect((await feed.next()).value).toMatchObject({ type: "settled", usage: { budgets } });
    stop.abort();
    clock.time += 1_000;
    await report();
    const { usage } = await acmeAdmin.usage.list({ customerId: customer });
    expect(usage.map(({ budgets }) => budgets)).toEqual([[], budgets]);
    expect(await acmeAdmin.usage.get(String(reported.json.id))).toMatchObject({ budgets });
    // Before the clock of the next test, on which it would never be due.
    await plane.settled();
  });

  it("name none in the answer to a report that a version without budgets has stored", async () => {
    await set("member:1", { limit: 10 });
    await report(undefined, customer);
    const again = await report([{ key: "member:1" }], customer);
    expect([again.status, again.json.budgets]).toEqual([202, undefined]);
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 0 } });
  });

  it("are debited also by a version that knows none", async () => {
    await set("member:1", { limit: 10 });
    const holder = await pool.connect();
    await holder.query(`begin; select from wallets where customer_id = '${customer}' for update`);
    await report([{ key: "member:1" }]);
    await holder.query(`
      insert into ledger_entries (org_id, customer_id, currency, entry_no, cause, usage_id, available, pending, overage_used, postpaid_used,
                                  created_at, accrued_at, available_after, pending_after, overage_used_after, postpaid_used_after)
      select org_id, customer_id, currency, 2, 'usage', usage_id, -amount, 0, 0, 0, received_at, received_at, 99000000, 0, 0, 0 from usage_due;
      update wallets set available = 99000000, last_entry = 2 where customer_id = '${customer}';
      delete from usage_due; commit`);
    holder.release();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 1, unsettled: 0 } });
  });

  it("are debited also where a version that knows none takes up again what could not be", async () => {
    await set("member:1", { limit: 10 });
    const overage = (used: string) =>
      pool.query("update wallets set available = 0, overage_used = $2 where customer_id = $1", [
        customer,
        used,
      ]);
    await overage("9223372036854775807");
    await report([{ key: "member:1" }]);
    await plane.settled();
    await overage("0");
    await pool.query(
      `with reopened as (delete from usage_outcomes where customer_id = $1 returning *)
       insert into usage_due (org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, due_at, counted)
       select org_id, usage_id, customer_id, agent_id, indicator, currency, amount, received_at, received_at, true from reopened`,
      [customer],
    );
    // Settlement looks for what is due when a report comes.
    await report();
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 1 } });
    expect(await differences()).toEqual([]);
  });

  it.each([
    ["an object", { budgets: {} }],
    ["a key that is none", { budgets: [{ key: "a b" }] }],
    ["one key twice", { budgets: [{ key: "a" }, { key: "a" }] }],
    ["nine", { budgets: Array.from({ length: 9 }, (_, index) => ({ key: `k${index}` })) }],
    ["a period that is none", { budgets: [{ key: "a", period: "today" }] }],
  ])("refuse %s in a report", async (_, fields) => {
    const { status, json } = await call("POST", "/api/v2/usage", {
      body: usageOf({ customerId: customer, ...fields }),
    });
    expect([status, json.code]).toEqual([400, "invalid_request"]);
  });

  it("store a period that no calendar has as none", async () => {
    await set("member:1", { limit: 10, every: "day" });
    const periods = ["2026-02-30T00:00:00.000Z", "0001-01-01T00:00:00Z", "9999-12-31T23:59:59-23:59"];
    for (const period of periods) expect((await report([{ key: "member:1", period }])).status).toBe(202);
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 3 } });
  });

  it("read up to 100 keys", async () => {
    const keys = Array.from({ length: 101 }, (_, index) => `${"k".repeat(124)}:${index}`);
    const ask = (budgets: object) =>
      call("POST", "/api/v1/wallet/balance", { body: { customer_id: customer, budgets } });
    expect((await ask({ ai_credits: keys.slice(1) })).json.budgets).toEqual({ ai_credits: {} });
    expect((await ask({ ai_credits: keys.slice(0, 50), b: keys.slice(50) })).json.code).toBe(
      "invalid_request",
    );
    expect((await ask({ ai_credits: ["member:*"] })).json.code).toBe("invalid_request");
    expect((await ask({ "a\0": ["a"] })).json.code).toBe("invalid_request");
    expect((await ask({ constructor: ["__proto__"] })).json.budgets).toEqual({ constructor: {} });
  });
});

describe("a period", () => {
  it("begins anew by the calendar of its zone, and leaves what was used behind", async () => {
    await set("member:1", { limit: 10, every: "day", timeZone: "Europe/Amsterdam" });
    await report([{ key: "member:1" }]);
    await plane.settled();
    clock.time = Date.UTC(2026, 4, 5, 22, 30);
    expect(await read("member:1")).toMatchObject({
      "member:1": { used: 0, period: "2026-05-05T22:00:00.000Z", resets_at: "2026-05-06T22:00:00.000Z" },
    });
  });

  it("is the later one of a report's receipt and of what it names, the next one at most", async () => {
    await set("member:1", { limit: 10, every: "day" });
    clock.time += day;
    // Let in by a replica whose clock is ahead.
    const next = "2026-05-07T00:00:00.000Z";
    await report([{ key: "member:1", period: next }]);
    await report([{ key: "member:1", period: "2026-05-05T00:00:00.000Z" }]);
    await report([{ key: "member:1", period: "2027-01-01T00:00:00.000Z" }]);
    await plane.settled();
    // Later periods count as well: those who are let in now may be told of them.
    expect(await read("member:1")).toMatchObject({
      "member:1": { used: 3, period: "2026-05-06T00:00:00.000Z" },
    });
    clock.time += day;
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 2, period: next } });
    clock.time += day;
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 0 } });
    expect(await differences()).toEqual([]);
  });

  it("that is longer counts all of its beginning on; a shorter one begins anew", async () => {
    await set("member:1", { limit: 10, every: "day" });
    for (let count = 0; count < 3; count++) {
      await report([{ key: "member:1" }]);
      clock.time += day;
    }
    await plane.settled();
    expect(await set("member:1", { every: "month" })).toMatchObject({
      used: 3,
      resetsAt: "2026-06-01T00:00:00.000Z",
    });
    await report([{ key: "member:1" }]);
    await plane.settled();
    expect(await set("member:1", { every: "hour" })).toMatchObject({
      used: 0,
      resetsAt: "2026-05-08T13:00:00.000Z",
    });
    expect(await set("member:1", { every: null })).toMatchObject({
      used: 4,
      resetsAt: null,
      period: new Date(noon).toISOString(),
    });
  });

  it("begins anew when an administrator says so, also for what is reported with the one before", async () => {
    const { period } = await set("member:1", { limit: 10 });
    await report([{ key: "member:1", period }]);
    await plane.settled();
    // A clock that stands still, or is behind.
    clock.time -= 5_000;
    const reset = await acmeAdmin.budgets.reset(customer, "ai_credits", "member:1");
    expect(reset).toMatchObject({ used: 0 });
    expect(Date.parse(reset.period)).toBeGreaterThan(Date.parse(period));
    await report([{ key: "member:1", period }]);
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 1 } });
    expect(await differences()).toEqual([]);
  });

  it("has 23 and 25 hours where the clocks are changed, and each hour is one", async () => {
    clock.time = Date.UTC(2026, 9, 25, 0, 30);
    const zone = { timeZone: "Europe/Amsterdam", limit: 1 } as const;
    expect(await set("d", { ...zone, every: "day" })).toMatchObject({
      resetsAt: "2026-10-25T23:00:00.000Z",
    });
    expect(await set("h", { ...zone, every: "hour" })).toMatchObject({
      resetsAt: "2026-10-25T01:00:00.000Z",
    });
    clock.time = Date.UTC(2026, 9, 25, 1, 30);
    expect(await read("h")).toMatchObject({
      h: { period: "2026-10-25T01:00:00.000Z", resets_at: "2026-10-25T02:00:00.000Z" },
    });
  });
});

describe("a kind", () => {
  it("stands for each key that has no budget of its own, and each has used its own part", async () => {
    await set("member:*", { limit: 5, every: "day" });
    await report([{ key: "member:1" }, { key: "team:1" }]);
    await report([{ key: "member:2" }]);
    await plane.settled();
    expect(await read("member:1", "member:2", "member:3", "member", "team:1")).toMatchObject({
      "member:1": { limit: 5, used: 1 },
      "member:2": { limit: 5, used: 1 },
      "member:3": { limit: 5, used: 0 },
    });
    expect(Object.keys((await read("member", "team:1")) ?? {})).toEqual([]);
    expect(await acmeAdmin.budgets.get(customer, "ai_credits", "member:1")).toMatchObject({
      kind: "member:*",
      used: 1,
    });
    // A member with more goes on where it was.
    expect(await set("member:1", { limit: 50, every: "day" })).toMatchObject({
      kind: null,
      limit: 50,
      used: 1,
    });
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:1");
    expect(await read("member:1")).toMatchObject({ "member:1": { limit: 5, used: 1 } });
    expect(await differences()).toEqual([]);
  });
});

describe("a kind of all customers", () => {
  const defaults = () => acmeAdmin.budgets.defaults;
  const limitOf = async (key: string) => (await read(key))?.[key]?.limit;

  it("is behind the customer's own kind, which is behind the key's own budget, and begins nothing anew", async () => {
    await defaults().set("ai_credits", "seat:*", { limit: 5, every: "day" });
    await report([{ key: "seat:1" }]);
    await report([{ key: "seat:2" }]);
    await plane.settled();
    expect(await read("seat:1", "seat:2", "seat:3", "seat")).toMatchObject({
      "seat:1": { limit: 5, used: 1, resets_at: "2026-05-06T00:00:00.000Z" },
      "seat:2": { limit: 5, used: 1 },
      "seat:3": { limit: 5, used: 0 },
    });
    expect(await read("seat")).toEqual({});
    const own = acmeAdmin.budgets;
    expect(await own.get(customer, "ai_credits", "seat:1")).toMatchObject({ kind: "seat:*", used: 1 });
    expect(await own.get(customer, "ai_credits", "seat:*")).toMatchObject({ kind: "seat:*", limit: 5 });
    // Those of a customer and of a key go on where they were.
    expect(await set("seat:*", { limit: 7, every: "day" })).toMatchObject({ kind: null });
    expect(await read("seat:1")).toMatchObject({ "seat:1": { limit: 7, used: 1 } });
    expect(await set("seat:1", { limit: 9, every: "day" })).toMatchObject({ kind: null, used: 1 });
    expect(await limitOf("seat:1")).toBe(9);
    await own.delete(customer, "ai_credits", "seat:1");
    expect(await limitOf("seat:1")).toBe(7);
    await own.delete(customer, "ai_credits", "seat:*");
    expect(await read("seat:1")).toMatchObject({ "seat:1": { limit: 5, used: 1 } });
    await defaults().delete("ai_credits", "seat:*");
    expect(await read("seat:1")).toEqual({});
    await expect(own.get(customer, "ai_credits", "seat:1")).rejects.toMatchObject({ status: 404 });
    expect(await differences()).toEqual([]);
  });

  it("counts each customer by itself, and nothing of a currency or an organisation that is another", async () => {
    await defaults().set("ai_credits", "desk:*", { limit: 5 });
    await report([{ key: "desk:1" }]);
    await plane.settled();
    const first = customer;
    customer = `${customer}-other`;
    await acmeAdmin.customers.create({ externalId: customer, name: "Other" });
    expect(await read("desk:1")).toMatchObject({ "desk:1": { limit: 5, used: 0 } });
    const body = { customer_id: first, budgets: { ai_credits: ["desk:1"], voice_minutes: ["desk:1"] } };
    expect((await call("POST", "/api/v1/wallet/balance", { body })).json.budgets).toMatchObject({
      ai_credits: { "desk:1": { limit: 5, used: 1 } },
      voice_minutes: {},
    });
    const { rows } = await pool.query<{ found: string }>(
      "select count(*) as found from organizations, budget_of(org_id, $1, 'ai_credits', 'desk:1')",
      [first],
    );
    expect(rows).toEqual([{ found: "1" }]);
    await defaults().delete("ai_credits", "desk:*");
  });

  it("is made, changed, listed and deleted, and the audit log has who did", async () => {
    const limit = 10;
    await expect(defaults().set("ai_credits", "room:*", { every: "day" })).rejects.toMatchObject({
      problem: { errors: [{ pointer: "/limit" }] },
    });
    const made = await defaults().set("ai_credits", "room:*", { limit, every: "month", timeZone: "UTC" });
    expect(made).toMatchObject({
      ...{ creditCurrencyKey: "ai_credits", key: "room:*", limit, every: "month", timeZone: "UTC" },
      ...{ warnAt: null, resetsAt: "2026-06-01T00:00:00.000Z" },
    });
    const changed = await defaults().set("ai_credits", "room:*", { warnAt: 3, etag: made.etag });
    expect(changed).toMatchObject({ limit, warnAt: 3 });
    const again = defaults().set("ai_credits", "room:*", { warnAt: 4, etag: made.etag });
    await expect(again).rejects.toMatchObject({ status: 409 });
    expect((await defaults().list()).budgets).toEqual([changed]);
    expect((await acmeAdmin.budgets.list()).budgets.map(({ key }) => key)).not.toContain("room:*");
    expect(await defaults().delete("ai_credits", "room:*")).toEqual(changed);
    await expect(defaults().delete("ai_credits", "room:*")).rejects.toMatchObject({ status: 404 });
    const { rows } = await pool.query<{ action: string; subject: object }>(
      "select action, subject from audit_log where subject->>'budget' = 'room:*' order by audit_id",
    );
    expect(rows).toEqual(
      ["budget.set", "budget.set", "budget.delete"].map((action) => ({
        action,
        subject: { currency: "ai_credits", budget: "room:*" },
      })),
    );
    for (const key of ["room:1", "room", "*"])
      await expect(defaults().set("ai_credits", key, { limit })).rejects.toMatchObject({ status: 400 });
  });

  it("warns of each key, and again when its terms change, but of keys that have another budget", async () => {
    const { budgets } = acmeAdmin;
    await defaults().set("ai_credits", "crew:*", { limit: 2 });
    await set("crew:2", { limit: 2 });
    await acmeAdmin.webhooks.create({ url: "http://127.0.0.1:1/", events: ["budget.exhausted"] });
    const spend = async () => {
      for (const key of ["crew:1", "crew:1", "crew:2", "crew:2"]) await report([{ key }]);
      await plane.settled();
    };
    const events = async () => {
      const found = await pool.query<{ body: string }>(
        "select body from webhook_events where customer_id = $1 order by sequence",
        [customer],
      );
      return found.rows.map(({ body }) => {
        const { type, data } = webhookEvent.parse(JSON.parse(body));
        return [type, "key" in data && data.key];
      });
    };
    await spend();
    const first = [
      ["budget.exhausted", "crew:1"],
      ["budget.exhausted", "crew:2"],
    ];
    expect((await events()).toSorted()).toEqual(first);
    await defaults().set("ai_credits", "crew:*", { limit: 4 });
    await spend();
    expect((await events()).slice(2)).toEqual([["budget.exhausted", "crew:1"]]);
    await defaults().delete("ai_credits", "crew:*");
    await budgets.delete(customer, "ai_credits", "crew:2");
  });

  it("costs a balance and a report no statement more, and two rows of an index for a key", async () => {
    await defaults().set("ai_credits", "post:*", { limit: 5 });
    await pool.query(
      `insert into budgets (org_id, customer_id, currency, key, credit_limit, time_zone, begun_at)
       select org_id, customer_id, currency, 'many:' || n, 1, 'UTC', now() from wallets, generate_series(1, 3000) as n
        where customer_id = $1 and currency = 'ai_credits'`,
      [customer],
    );
    await pool.query("analyze budgets");
    const { rows: organizations } = await pool.query<{ org_id: string }>(
      "select org_id from wallets where customer_id = $1",
      [customer],
    );
    const { rows } = await pool.query<{ "QUERY PLAN": string }>(
      `explain (analyze, costs off, timing off, summary off)
       select budget.* from unnest(array['post:1', 'many:7']) as asked (key)
        cross join lateral budget_of($2, $1, 'ai_credits', asked.key) as budget`,
      [customer, organizations[0]?.org_id],
    );
    const plan = rows.map((row) => row["QUERY PLAN"]).join("\n");
    expect(plan).not.toContain("Seq Scan on budgets");
    expect(plan.match(/Index Scan[^\n]* on budgets/g)).toHaveLength(2);
    await pool.query("delete from budgets where key like 'many:%'");
    await defaults().delete("ai_credits", "post:*");
  });
});

describe("the administration of budgets", () => {
  it("makes, changes, lists and deletes them, and notes who did", async () => {
    const made = await set("member:1", { limit: 10, warnAt: 7 });
    expect(made).toEqual({
      customerId: customer,
      creditCurrencyKey: "ai_credits",
      key: "member:1",
      kind: null,
      limit: 10,
      every: null,
      timeZone: "UTC",
      warnAt: 7,
      mode: "enforce",
      used: 0,
      unsettled: 0,
      period: now(),
      resetsAt: null,
      etag: made.etag,
    });
    expect(await set("member:1", { limit: 12 })).toMatchObject({ limit: 12, warnAt: 7 });
    await expect(set("member:1", { limit: 13, etag: made.etag ?? "" })).rejects.toMatchObject({
      problem: { code: "edit_conflict" },
    });
    for (const key of ["member:3", "member:2"]) await set(key, { limit: 1 });
    const keys: string[] = [];
    for await (const { key } of acmeAdmin.budgets.all({ customerId: customer, limit: 2 })) keys.push(key);
    expect(keys).toEqual(["member:1", "member:2", "member:3"]);
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:1");
    await expect(acmeAdmin.budgets.get(customer, "ai_credits", "member:1")).rejects.toMatchObject({
      problem: { code: "budget_unknown" },
    });
    const { rows } = await pool.query(
      "select action, subject from audit_log where action like 'budget.%' order by audit_id",
    );
    const subject = { customer, currency: "ai_credits", budget: "member:1" };
    expect(rows.filter(({ subject: of }) => of.customer === customer && of.budget === "member:1")).toEqual([
      { action: "budget.set", subject },
      { action: "budget.set", subject },
      { action: "budget.delete", subject },
    ]);
  });

  it("refuses a budget without a limit, without a wallet, or of a zone that there is not", async () => {
    await expect(set("member:1", {})).rejects.toMatchObject({ problem: { code: "invalid_request" } });
    for (const timeZone of ["Mars/Base", "AET"]) {
      await expect(set("member:1", { limit: 1, every: "day", timeZone })).rejects.toMatchObject({
        problem: { code: "invalid_request" },
      });
    }
    await expect(acmeAdmin.budgets.set(customer, "yen_credits", "a", { limit: 1 })).rejects.toMatchObject({
      problem: { code: "wallet_unknown" },
    });
    await expect(acmeAdmin.budgets.reset(customer, "ai_credits", "a")).rejects.toMatchObject({
      problem: { code: "budget_unknown" },
    });
  });

  it("counts nothing of a budget that was deleted for one that is made again", async () => {
    await set("member:1", { limit: 10 });
    await report([{ key: "member:1" }]);
    await plane.settled();
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:1");
    expect(await set("member:1", { limit: 10 })).toMatchObject({ used: 0 });
    expect(await differences()).toEqual([]);
  });

  it("lets one that is made again begin now, also where usage has come of a later period", async () => {
    await set("member:1", { limit: 10, every: "month" });
    await report([{ key: "member:1", period: "2026-06-01T00:00:00.000Z" }]);
    await plane.settled();
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:1");
    expect(await set("member:1", { limit: 10, every: "month" })).toMatchObject({
      period: now(),
      resetsAt: "2026-06-01T00:00:00.000Z",
    });
  });

  it("takes the budgets of a customer who is erased", async () => {
    await set("member:1", { limit: 10 });
    await acmeAdmin.customers.erase(customer);
    expect(await read("member:1")).toEqual({});
    await expect(set("member:1", { limit: 10 })).rejects.toMatchObject({
      status: 409,
      problem: { code: "customer_erased" },
    });
    await acmeAdmin.customers.edit(customer, { name: "Customer" });
    expect(await set("member:1", { limit: 10 })).toMatchObject({ limit: 10, used: 0 });
  });
});

describe("the events of a budget", () => {
  beforeAll(async () => {
    // What it receives is not looked at.
    await acmeAdmin.webhooks.create({
      url: "http://127.0.0.1:1/",
      events: ["budget.low", "budget.exhausted"],
    });
  });

  const spend = async (reports: number, key = "member:1") => {
    for (let count = 0; count < reports; count++) await report([{ key }]);
    await plane.settled();
  };
  const events = async () => {
    const { rows } = await pool.query<{ body: string }>(
      "select body from webhook_events where customer_id = $1 order by sequence",
      [customer],
    );
    return rows.map(({ body }) => {
      const { type, data } = webhookEvent.parse(JSON.parse(body));
      return [type, "used" in data && data.used];
    });
  };

  it("are written once in a period each, with what is used", async () => {
    await set("member:1", { limit: 5, every: "day" });
    await spend(3);
    expect(await events()).toEqual([]);
    await spend(1);
    await spend(1);
    await spend(3);
    const first = [
      ["budget.low", 4],
      ["budget.exhausted", 5],
    ];
    expect(await events()).toEqual(first);
    clock.time += day;
    await spend(4);
    expect(await events()).toEqual([...first, ["budget.low", 4]]);
  });

  it("go by the threshold of the budget, and again when its terms change", async () => {
    await set("member:*", { limit: 100, warnAt: 2 });
    await spend(2, "member:2");
    expect(await events()).toEqual([["budget.low", 2]]);
    await set("member:2", { limit: 3 });
    await spend(2, "member:2");
    expect(await events()).toEqual([
      ["budget.low", 2],
      ["budget.exhausted", 4],
    ]);
    await set("member:2", { limit: 6 });
    await spend(1, "member:2");
    expect((await events()).slice(2)).toEqual([["budget.low", 5]]);
  });

  it("are written also of one that only warns, which has no limit for gates", async () => {
    await set("member:1", { limit: 2, mode: "warn" });
    expect(await read("member:1")).toMatchObject({ "member:1": { limit: null, used: 0 } });
    expect((await report([{ key: "member:1" }])).json).toMatchObject({ budgets: ["member:1"] });
    // One by one: a worker may settle each report by itself, or several together.
    await spend(1);
    expect(await events()).toEqual([["budget.exhausted", 2]]);
    await spend(1);
    expect(await events()).toEqual([["budget.exhausted", 2]]);
    expect(await read("member:1")).toMatchObject({ "member:1": { limit: null, used: 3 } });
    expect(await acmeAdmin.budgets.get(customer, "ai_credits", "member:1")).toMatchObject({
      ...{ limit: 2, mode: "warn", used: 3 },
    });
    expect(await set("member:1", { mode: "enforce" })).toMatchObject({ limit: 2, mode: "enforce" });
    expect(await read("member:1")).toMatchObject({ "member:1": { limit: 2 } });
  });

  it("are written again for each key of a kind whose terms change, and for a key that gets those of its kind", async () => {
    await set("member:*", { limit: 2 });
    await set("member:3", { limit: 2 });
    for (const key of ["member:2", "member:3"]) await spend(2, key);
    const first = [
      ["budget.exhausted", 2],
      ["budget.exhausted", 2],
    ];
    expect(await events()).toEqual(first);
    await set("member:*", { limit: 5 });
    for (const key of ["member:2", "member:3"]) await spend(2, key);
    expect(await events()).toEqual([...first, ["budget.low", 4]]);
    await acmeAdmin.budgets.delete(customer, "ai_credits", "member:3");
    await spend(1, "member:3");
    expect((await events()).slice(3)).toEqual([["budget.exhausted", 5]]);
  });

  it("are written in the next period, also where usage of it has come before it began", async () => {
    await set("member:1", { limit: 2, every: "day" });
    await spend(1);
    await report([{ key: "member:1", period: "2026-05-06T00:00:00.000Z" }]);
    await plane.settled();
    const exhausted = ["budget.exhausted", 2];
    expect(await events()).toEqual([exhausted]);
    clock.time += day;
    await spend(1);
    expect(await events()).toEqual([exhausted, exhausted]);
  });
});

describe("verify", () => {
  it("finds a sum that is not that of its reports", async () => {
    await set("member:1", { limit: 10 });
    await report([{ key: "member:1" }]);
    await plane.settled();
    expect(await differences()).toEqual([]);
    await pool.query("update budget_sums set used = used + 1 where customer_id = $1", [customer]);
    expect(await differences()).toMatchObject([{ what: "budget", expected: "1000000", received: "1000001" }]);
    await pool.query("delete from budget_sums where customer_id = $1", [customer]);
    expect(await differences()).toMatchObject([{ what: "budget", expected: "1000000", received: "none" }]);
    await pool.query(
      "insert into budget_sums (org_id, customer_id, currency, key, period, used) select org_id, external_id, 'ai_credits', 'member:1', $2, 1000000 from customers where external_id = $1",
      [customer, now()],
    );
    expect(await differences()).toEqual([]);
  });

  it("counts what could not be debited nowhere, and what is taken up again once", async () => {
    await set("member:1", { limit: 10 });
    await pool.query(
      "update wallets set overage_used = 9223372036854775807, available = 0 where customer_id = $1",
      [customer],
    );
    await report([{ key: "member:1" }]);
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 0, unsettled: 0 } });
    await pool.query("update wallets set overage_used = 0 where customer_id = $1", [customer]);
    await acmeAdmin.unbilled.resettle({ reason: "it fits now" });
    await plane.settled();
    expect(await read("member:1")).toMatchObject({ "member:1": { used: 1, unsettled: 0 } });
    expect(await differences()).toEqual([]);
  });
});
