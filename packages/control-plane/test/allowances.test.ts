import { type AllowanceCreateRequest, createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import type { OrderBenefit } from "@creditgate/client";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import { settleGrants } from "../src/wallets/grants-due.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";
const hour = 60 * 60 * 1_000;
const day = 24 * hour;
/** A Friday. */
const noon = Date.UTC(2026, 0, 30, 12);

let database: TestDatabase;
let server: RunningServer;
let connection: Connection;
let call: Caller;
let admin: OrganizationAdmin;
let clock: { time: number; now(): number };
let count = 0;

/** Another for each test, with an empty wallet. */
let customer = "";

beforeAll(async () => {
  clock = { time: noon, now: () => clock.time };
  database = await createMigratedDatabase();
  server = await startServer({
    databaseUrl: database.databaseUrl,
    port: 0,
    // What is done in the background is done by the tests.
    settlement: false,
    settlementDelayMs: 0,
    adminTokens: [{ name: "test", token: adminToken }],
    periodSettings: { period: "monthly", anchor: 1, timeZone: "Europe/Amsterdam" },
    fixture: acme,
    clock,
  });
  call = caller({ baseUrl: server.url, apiKey: "cg_test_local" });
  admin = await createAdminClient({ baseUrl: server.url, adminToken }).organizationNamed("Acme");
  connection = connect(database.databaseUrl);
});
afterAll(async () => {
  await connection.close();
  await server.stop();
  await database.drop();
});
beforeEach(async () => {
  clock.time = noon;
  customer = `customer-${count++}`;
  await admin.customers.create({ externalId: customer, name: "Customer" });
  const wallet = { kind: "prepaid", creditCurrencyKey: "ai_credits", overageLimit: 50 } as const;
  await admin.wallets.create(customer, wallet);
});

const key = () => ({ idempotencyKey: `key-${count++}` });
const iso = (time: number) => new Date(time).toISOString();
const reason = "test";
const allow = (credits: number, request: Partial<AllowanceCreateRequest> = {}) =>
  admin.allowances.create(
    {
      ...{ customerId: customer, creditCurrencyKey: "ai_credits", credits, source: "promotion" },
      ...{ every: "day", timeZone: "UTC", reason },
      ...request,
    },
    key(),
  );
/** Reports usage of so many credits, and does not settle it. */
async function use(credits: number) {
  const rawUsage = { inputTokens: 2_000 * (credits - 1) };
  const { status } = await call("POST", "/api/v2/usage", {
    body: usageOf({ customerId: customer, rawUsage }),
  });
  expect(status).toBe(202);
}
const topUp = (credits: number) =>
  admin.wallets.topUp(
    { customer_id: customer, top_ups: [{ credit_currency_key: "ai_credits", credits }] },
    key(),
  );
async function balance() {
  const { json } = await call("GET", `/api/v1/wallet/balance?customer_id=${customer}`);
  return (json.balances as Record<string, Record<string, unknown>>).ai_credits;
}
/** What the background does. */
async function settle() {
  await settleDue(connection.database, new Date(clock.time));
  await settleGrants(connection.database, new Date(clock.time), ({ message }) => {
    throw new Error(message);
  });
  return (await verify(connection.database)).differences;
}
/** The grants that are not over. */
async function grants() {
  const { grants: all } = await admin.grants.list({ customerId: customer });
  const open = all.filter(({ state }) => state !== "ended");
  return open.map(({ state, remaining }) => `${state} ${remaining}`).sort();
}
const entries = async () =>
  (await admin.ledger.list({ customerId: customer })).entries
    .map(({ cause, available, overageUsed }) => `${cause} ${available} ${overageUsed}`)
    .reverse();
/** Orders the chat with these credits, and pays. */
async function order(...creditBenefits: OrderBenefit[]) {
  const platformFee = { amount: 500, currency: "EUR" };
  const { orderId, invoices } = await admin.orders.create(
    {
      ...{ customerExternalId: customer, orderName: "Plan", startDate: "2026-01-30", paid: true },
      lineItems: [{ agentId: "chat", platformFee, creditBenefits }],
    },
    key(),
  );
  return { orderId, invoiceId: invoices[0]?.invoiceId ?? "" };
}
const allowances = async () => (await admin.allowances.list({ customerId: customer })).allowances;
const monthly = (credits: number, rollover = 0): OrderBenefit => ({
  ...{ credit_currency_key: "ai_credits", credits, rollover },
  every: "month",
});

describe("credits that recur", () => {
  it("are there again at each boundary, and what is not used expires", async () => {
    const { allowanceId, grantId } = await allow(10);
    expect(await balance()).toMatchObject({
      available: 10,
      expiring: [{ at: "2026-01-31T00:00:00.000Z", credits: 10 }],
    });
    await use(4);
    expect(await settle()).toEqual([]);
    clock.time = Date.UTC(2026, 0, 31);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 10 });
    expect(await grants()).toEqual(["active 10", "expired 6"]);
    expect(await entries()).toEqual(["grant 10 0", "usage -4 0", "expiry -6 0", "grant 10 0"]);
    const [now] = await allowances();
    expect(now).toMatchObject({ allowanceId, period: iso(clock.time), nextAt: iso(clock.time + day) });
    expect(now?.grantId).not.toBe(grantId);
    // Also if nothing is left.
    await use(13);
    clock.time += day;
    expect(await settle()).toEqual([]);
    expect(await entries()).toEqual(expect.arrayContaining(["usage -13 0", "expiry 3 0"]));
    expect(await balance()).toMatchObject({ available: 10, overage_used: 0 });
  });

  it("are told as they will be, until the worker has come by", async () => {
    await allow(10);
    clock.time = Date.UTC(2026, 0, 31);
    expect(await balance()).toMatchObject({ available: 10 });
    await use(4);
    await settleDue(connection.database, new Date(clock.time));
    expect(await balance()).toMatchObject({ available: 6 });
    // The new period has paid, although nobody had let it begin.
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 6 });
    const [allowance] = await allowances();
    await admin.allowances.end(allowance?.allowanceId ?? "", { reason });
    clock.time += day;
    expect(await balance()).toMatchObject({ available: 0 });
    expect(await settle()).toEqual([]);
  });

  it("roll over for one period, and are spent first then", async () => {
    await allow(10, { rollover: 4 });
    await use(3);
    expect(await settle()).toEqual([]);
    clock.time = Date.UTC(2026, 0, 31);
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 10", "active 4", "expired 3"]);
    expect(await balance()).toMatchObject({ available: 14 });
    await use(1);
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 10", "active 3", "expired 3"]);
    clock.time += day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 14 });
    expect((await entries()).slice(-3)).toEqual(["expiry -6 0", "grant 10 0", "expiry -3 0"]);
  });

  it("pay with what rolled over also for usage that was received before", async () => {
    await allow(10, { rollover: 10 });
    await use(8);
    clock.time = Date.UTC(2026, 0, 31);
    await settleGrants(connection.database, new Date(clock.time), () => undefined);
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 10", "active 2"]);
    expect(await balance()).toMatchObject({ available: 12 });
  });

  it("follow boundary by boundary where these were missed", async () => {
    await allow(10, { rollover: 4 });
    clock.time = noon + 3 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 14 });
    expect(await entries()).toEqual([
      ...["grant 10 0", "expiry -6 0", "grant 10 0", "expiry -6 0", "grant 10 0", "expiry -4 0"],
      ...["expiry -6 0", "grant 10 0", "expiry -4 0"],
    ]);
    expect((await allowances())[0]).toMatchObject({ nextAt: "2026-02-03T00:00:00.000Z" });
  });

  it("follow where months were missed of many", { timeout: 60_000 }, async () => {
    for (let made = 0; made < 30; made++) await allow(1, { rollover: 1 });
    clock.time += 90 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 60 });
  });

  it("go by the calendar: an anchor, a time zone, a month that is shorter, an hour that is missing", async () => {
    const next = async (request: Partial<AllowanceCreateRequest>) => (await allow(1, request)).nextAt;
    expect(await next({ every: "week" })).toBe("2026-02-06T00:00:00.000Z");
    expect(await next({ every: "week", anchor: 1 })).toBe("2026-02-02T00:00:00.000Z");
    expect(await next({ every: "month" })).toBe("2026-02-28T00:00:00.000Z");
    expect(await next({ every: "month", anchor: 1 })).toBe("2026-02-01T00:00:00.000Z");
    const berlin = { timeZone: "Europe/Berlin" };
    expect(await next({ every: "month", anchor: 1, ...berlin })).toBe("2026-01-31T23:00:00.000Z");
    clock.time = Date.UTC(2026, 2, 28, 23);
    expect(await next(berlin)).toBe("2026-03-29T22:00:00.000Z");
    await expect(allow(1, { timeZone: "Mars/Olympus" })).rejects.toMatchObject({ status: 400 });
    await expect(allow(1, { every: "week", anchor: 8 })).rejects.toMatchObject({ status: 400 });
  });

  it("count at once where they become more, and from the next period on where they become fewer", async () => {
    const { allowanceId } = await allow(10);
    await use(4);
    await settle();
    const change = (credits: number) => admin.allowances.change(allowanceId, { credits, reason });
    await change(30);
    expect(await balance()).toMatchObject({ available: 26 });
    expect((await entries()).slice(-2)).toEqual(["grant -6 0", "grant 26 0"]);
    // Again, and nothing changes.
    await change(30);
    expect((await entries()).length).toBe(4);
    await use(1);
    expect(await settle()).toEqual([]);
    await change(20);
    await change(28);
    expect(await balance()).toMatchObject({ available: 25 });
    await change(31);
    expect(await balance()).toMatchObject({ available: 26 });
    await change(3);
    expect(await balance()).toMatchObject({ available: 26 });
    clock.time = Date.UTC(2026, 0, 31);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 3 });
    // Overage is cleared first. What has expired pays what would be overage.
    await use(40);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0, overage_used: 11 });
    await change(4);
    expect(await balance()).toMatchObject({ available: 0, overage_used: 10 });
    expect(await settle()).toEqual([]);
  });

  it("end with their period, and are refused for erased customers, who keep none", async () => {
    const { allowanceId } = await allow(10, { rollover: 5 });
    expect(await admin.allowances.end(allowanceId, { reason })).toMatchObject({ nextAt: null });
    await expect(admin.allowances.end(allowanceId, { reason })).rejects.toMatchObject({ status: 409 });
    await expect(admin.allowances.change(allowanceId, { credits: 1, reason })).rejects.toMatchObject({
      status: 409,
    });
    await allow(7);
    await admin.customers.erase(customer);
    await expect(allow(1)).rejects.toMatchObject({ status: 409 });
    expect((await allowances()).map(({ nextAt }) => nextAt)).toEqual([null, null]);
    clock.time += day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0 });
    const due = "select grants_at > $2 as later from wallets where customer_id = $1";
    const { rows } = await connection.pool.query(due, [customer, iso(clock.time)]);
    expect(rows).toEqual([{ later: true }]);
  });

  it("pay for what is used once their period has begun, also if it is settled before anybody has let it begin", async () => {
    await allow(10);
    await topUp(100);
    clock.time += 2 * day;
    await use(4);
    await settleDue(connection.database, new Date(clock.time));
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 6", "expired 10"]);
    clock.time += day;
    const correction = { customerId: customer, creditCurrencyKey: "ai_credits", credits: -2, reason };
    await admin.wallets.correct(correction, key());
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 8", "expired 6"]);
    expect(await balance()).toMatchObject({ available: 108 });
  });

  it("leave what was used before their period began to what there was then", async () => {
    await allow(10);
    await topUp(100);
    await use(14);
    clock.time += day;
    await settleGrants(connection.database, new Date(clock.time), () => undefined);
    expect(await settle()).toEqual([]);
    expect(await grants()).toEqual(["active 10"]);
    expect(await balance()).toMatchObject({ available: 106 });
  });

  it("do not come back by a change once a period's were taken back", async () => {
    const { allowanceId, grantId } = await allow(10);
    await admin.grants.void(grantId, { reason });
    await admin.allowances.change(allowanceId, { rollover: 2, reason });
    await admin.allowances.change(allowanceId, { credits: 12, reason });
    expect(await balance()).toMatchObject({ available: 0 });
    clock.time += day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 12 });
  });

  it("are there once where two begin the period at once", async () => {
    const { allowanceId } = await allow(10);
    clock.time += day;
    const twice = Array.from({ length: 4 }, () =>
      admin.allowances.change(allowanceId, { rollover: 1, reason }),
    );
    await Promise.all([settle(), ...twice, settle()]);
    expect(await settle()).toEqual([]);
    expect(await entries()).toEqual(["grant 10 0", "expiry -10 0", "grant 10 0"]);
  });
});

describe("orders", () => {
  it("give credits that never expire, that expire, and that recur", async () => {
    const { orderId } = await order(monthly(20, 5));
    const credit_currency_key = "voice_credits";
    const second = await order({ credit_currency_key, credits: 7, expiresInDays: 2 });
    expect((await admin.orders.get(orderId)).lineItems[0]?.creditBenefits).toEqual([
      { credit_currency_key: "ai_credits", credits: 20, every: "month", rollover: 5 },
    ]);
    expect((await admin.orders.get(second.orderId)).lineItems[0]?.creditBenefits).toEqual([
      { credit_currency_key, credits: 7, expiresInDays: 2 },
    ]);
    const { grants: all } = await admin.grants.list({ customerId: customer });
    expect(all).toMatchObject([
      { orderId, credits: 20, source: "purchase", expiresAt: "2026-02-27T23:00:00.000Z" },
      { orderId: second.orderId, allowanceId: null, credits: 7, expiresAt: iso(noon + 2 * day) },
    ]);
    expect(await settle()).toEqual([]);
    expect(await entries()).toEqual([
      ...["benefit 0 0", "payment 0 0", "grant 20 0", "benefit 0 0", "payment 0 0", "grant 7 0"],
    ]);
    expect(await allowances()).toMatchObject([
      { orderId, anchor: 28, timeZone: "Europe/Amsterdam", nextAt: null },
    ]);
    const both = { ...monthly(1), expiresInDays: 1 };
    await expect(order(both)).rejects.toThrow("expiresInDays or every");
    await expect(order({ credit_currency_key, credits: 1, rollover: 1 })).rejects.toThrow("rollover");
  });

  it("that replace another go on with its credits: more at once, fewer from the next period on", async () => {
    const first = await order(monthly(20));
    await use(5);
    await settle();
    const second = await order(monthly(50, 10));
    expect(await balance()).toMatchObject({ available: 45 });
    expect(await allowances()).toMatchObject([{ orderId: second.orderId, credits: 50, rollover: 10 }]);
    const third = await order({ ...monthly(30), every: "week" });
    expect(await balance()).toMatchObject({ available: 45, pending: 0 });
    clock.time = Date.UTC(2026, 1, 27, 23);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 30 });
    expect(await allowances()).toMatchObject([
      { orderId: third.orderId, anchor: 6, nextAt: "2026-03-06T23:00:00.000Z" },
    ]);
    // Of orders that were replaced nothing is left to take back.
    const credits = [{ creditCurrencyKey: "ai_credits", credits: 1 }];
    await expect(admin.invoices.credit(first.invoiceId, { credits, reason }, key())).rejects.toMatchObject({
      status: 422,
    });
    await order({ credit_currency_key: "ai_credits", credits: 1 });
    expect(await balance()).toMatchObject({ available: 31 });
    expect(await allowances()).toMatchObject([{ nextAt: null }]);
    expect(await settle()).toEqual([]);
    clock.time += 7 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 1 });
  });

  it("that replace one with a shorter period begin a longer one at once, whose credits are there once", async () => {
    await order({ ...monthly(10), every: "day" });
    await use(4);
    await settle();
    await order(monthly(100));
    expect(await allowances()).toMatchObject([
      { every: "month", anchor: 28, period: iso(noon), nextAt: "2026-02-27T23:00:00.000Z" },
    ]);
    await use(96);
    expect(await settle()).toEqual([]);
    // Back and forth: what the period has paid counts.
    await order({ ...monthly(101), every: "week" });
    expect(await balance()).toMatchObject({ available: 1 });
    await order(monthly(102));
    expect(await balance()).toMatchObject({ available: 2 });
    clock.time += 20 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 2 });
  });

  it("that give the same credits again change nothing, in whatever order these are", async () => {
    const platformFee = { amount: 500, currency: "EUR" };
    const benefits = [monthly(100), monthly(20), { ...monthly(5), every: "day" }] as const;
    for (const turn of [0, 1, 2, 0]) {
      const lineItems = [0, 1, 2].map((item) => {
        const benefit = benefits[(item + turn) % 3] ?? monthly(1);
        return { agentId: "chat", platformFee, creditBenefits: [benefit] };
      });
      const plan = { orderName: "Plan", startDate: "2026-01-30", lineItems, paid: true };
      await admin.orders.create({ customerExternalId: customer, ...plan }, key());
      expect(await balance()).toMatchObject({ available: 125 });
    }
    expect((await allowances()).map(({ credits, every }) => `${credits} ${every}`).sort()).toEqual([
      ...["100 month", "20 month", "5 day"],
    ]);
    expect(await settle()).toEqual([]);
  });

  it("of an erased customer that are paid give their credits once", async () => {
    const { invoices } = await admin.orders.create(
      {
        ...{ customerExternalId: customer, orderName: "Plan", startDate: "2026-01-30" },
        lineItems: [
          { agentId: "chat", platformFee: { amount: 5, currency: "EUR" }, creditBenefits: [monthly(20)] },
        ],
      },
      key(),
    );
    await admin.customers.erase(customer);
    await admin.invoices.markPaid(invoices[0]?.invoiceId ?? "");
    expect(await balance()).toMatchObject({ available: 20 });
    expect(await allowances()).toMatchObject([{ nextAt: null }]);
    clock.time += 60 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0 });
  });

  it("that are credited give back what one wallet has of several of their credits, in one credit note", async () => {
    const platformFee = { amount: 500, currency: "EUR" };
    const credit = { credit_currency_key: "ai_credits", credits: 5 };
    const benefits = [credit, { ...credit, expiresInDays: 1 }, { ...credit, expiresInDays: 2 }];
    const lineItems = benefits.map((benefit) => ({
      agentId: "chat",
      platformFee,
      creditBenefits: [benefit],
    }));
    const plan = { orderName: "Plan", startDate: "2026-01-30", lineItems, paid: true };
    const { invoices } = await admin.orders.create({ customerExternalId: customer, ...plan }, key());
    const credits = [{ creditCurrencyKey: "ai_credits", credits: 13 }];
    await admin.invoices.credit(invoices[0]?.invoiceId ?? "", { credits, reason }, key());
    expect((await entries()).slice(-3)).toEqual(["credit_note -5 0", "credit_note -5 0", "credit_note -3 0"]);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 2 });
  });

  it("are credited by what had not expired when it was asked for, although a faster clock has expired it", async () => {
    const { invoiceId } = await order({ credit_currency_key: "ai_credits", credits: 20 });
    const grant = {
      creditCurrencyKey: "ai_credits",
      credits: 10,
      source: "promotion",
      priority: 10,
    } as const;
    await admin.grants.create(
      { customerId: customer, ...grant, expiresAt: iso(noon + 1_000), reason },
      key(),
    );
    await settleGrants(connection.database, new Date(noon + 2_000), () => undefined);
    const credits = [{ creditCurrencyKey: "ai_credits", credits: 5 }];
    await admin.invoices.credit(invoiceId, { credits, reason }, key());
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 20 });
  });

  it("that are credited give back what remains of their own credits, which end then", async () => {
    const { invoiceId } = await order(monthly(20), { credit_currency_key: "voice_credits", credits: 3 });
    await topUp(100);
    await use(5);
    await settle();
    await use(2);
    const credit = (credits: number) =>
      admin.invoices.credit(
        invoiceId,
        { credits: [{ creditCurrencyKey: "ai_credits", credits }], reason },
        key(),
      );
    await expect(credit(16)).rejects.toMatchObject({ status: 422 });
    await credit(15);
    expect(await balance()).toMatchObject({ available: 100 });
    expect(await allowances()).toMatchObject([{ nextAt: null }]);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 98 });
    clock.time += 60 * day;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 98 });
  });
});
