import { createAdminClient, type GrantCreateRequest, type OrganizationAdmin } from "@creditgate/admin";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { type Connection, connect } from "../src/database/connection.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { maxMicroCredits } from "../src/money/decimal.ts";
import { settleDue } from "../src/settlement/settlement.ts";
import { createMigratedDatabase, type TestDatabase } from "../src/testing/index.ts";
import { verify } from "../src/verification/wallets.ts";
import type { WalletFailure } from "../src/wallets/due.ts";
import { advanceGrants } from "../src/wallets/grants.ts";
import { settleGrants } from "../src/wallets/grants-due.ts";
import { lockWallets } from "../src/wallets/ledger.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";
const hour = 60 * 60 * 1_000;
const day = 24 * hour;
const noon = Date.UTC(2026, 4, 5, 12);

let database: TestDatabase;
let server: RunningServer;
let connection: Connection;
let call: Caller;
let admin: OrganizationAdmin;
let clock: { time: number; now(): number };
let count = 0;

/** Another for each test, with a wallet of 100 credits. */
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
  await admin.wallets.create(customer, {
    kind: "prepaid",
    creditCurrencyKey: "ai_credits",
    overageLimit: 50,
  });
  await topUp(100);
});

const key = () => ({ idempotencyKey: `key-${count++}` });
const topUp = (credits: number) =>
  admin.wallets.topUp(
    { customer_id: customer, top_ups: [{ credit_currency_key: "ai_credits", credits }] },
    key(),
  );
/** Orders credits, and pays for them. */
async function buy(credits: number) {
  const { invoices } = await admin.orders.create(
    {
      customerExternalId: customer,
      orderName: "Credits",
      startDate: "2026-05-05",
      lineItems: [
        {
          agentId: "chat",
          platformFee: { amount: 500, currency: "EUR" },
          creditBenefits: [{ credit_currency_key: "ai_credits", credits }],
        },
      ],
    },
    key(),
  );
  const invoiceId = invoices[0]?.invoiceId ?? "";
  await admin.invoices.markPaid(invoiceId);
  return invoiceId;
}
const iso = (time: number) => new Date(time).toISOString();
const grant = (credits: number, request: Partial<GrantCreateRequest> = {}) =>
  admin.grants.create(
    {
      customerId: customer,
      creditCurrencyKey: "ai_credits",
      credits,
      source: "promotion",
      reason: "test",
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
async function balance() {
  const { json } = await call("GET", `/api/v1/wallet/balance?customer_id=${customer}`);
  return (json.balances as Record<string, Record<string, unknown>>).ai_credits;
}
/** Lets grants begin and expire. */
async function advance() {
  const failures: WalletFailure[] = [];
  await settleGrants(connection.database, new Date(clock.time), (failure) => failures.push(failure));
  return failures;
}
/** What the background does. */
async function settle() {
  await settleDue(connection.database, new Date(clock.time));
  expect(await advance()).toEqual([]);
  return (await verify(connection.database)).differences;
}
/** What is left of the grants, by what they began with. */
async function left() {
  const { grants } = await admin.grants.list({ customerId: customer });
  return Object.fromEntries(
    grants.map(({ credits, remaining, state }) => [credits, `${state} ${remaining}`]),
  );
}
const entries = async () =>
  (await admin.ledger.list({ customerId: customer })).entries
    .map(({ cause, available, overageUsed }) => `${cause} ${available} ${overageUsed}`)
    .reverse();

describe("grants of credits", () => {
  it("are spent by priority, then those that expire first, then what is given before what is sold, and the rest in its place", async () => {
    await grant(1, { priority: 60 });
    await grant(2, { expiresAt: iso(noon + 2 * day) });
    await grant(3, { expiresAt: iso(noon + day), source: "purchase" });
    await grant(4, { expiresAt: iso(noon + day) });
    await grant(5, { priority: 10 });
    expect((await balance())?.available).toBe(115);
    const spent = [];
    for (const credits of [6, 5, 2, 101]) {
      await use(credits);
      expect(await settle()).toEqual([]);
      spent.push(await left());
    }
    expect(spent).toEqual([
      { 1: "active 1", 2: "active 2", 3: "active 3", 4: "active 3", 5: "ended 0" },
      { 1: "active 1", 2: "active 2", 3: "active 1", 4: "ended 0", 5: "ended 0" },
      { 1: "active 1", 2: "active 1", 3: "ended 0", 4: "ended 0", 5: "ended 0" },
      { 1: "active 1", 2: "ended 0", 3: "ended 0", 4: "ended 0", 5: "ended 0" },
    ]);
    await use(1);
    expect(await settle()).toEqual([]);
    expect(await left()).toMatchObject({ 1: "ended 0" });
    expect(await balance()).toMatchObject({ available: 0, overage_used: 0 });
  });

  it("are told while they expire, and buy nothing from the instant on at which they have", async () => {
    await grant(10, { expiresAt: iso(noon + hour) });
    await grant(20, { expiresAt: iso(noon + day) });
    const expiring = [
      { at: iso(noon + hour), credits: 10 },
      { at: iso(noon + day), credits: 20 },
    ];
    expect(await balance()).toMatchObject({ available: 130, expiring });
    clock.time = noon + hour;
    // Also before the worker has come by.
    expect(await balance()).toMatchObject({ available: 120, expiring: expiring.slice(1) });
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 120 });
    expect(await left()).toEqual({ 10: "expired 10", 20: "active 20" });
    expect((await entries()).at(-1)).toBe("expiry -10 0");
  });

  it("pay for usage that was received before they expired, whenever it is settled", async () => {
    await grant(10, { expiresAt: iso(noon + hour) });
    await use(4);
    clock.time = noon + hour;
    await use(1);
    await advance();
    expect(await settle()).toEqual([]);
    expect(await left()).toEqual({ 10: "expired 6" });
    expect((await entries()).slice(-4).sort()).toEqual([
      "expiry -10 0",
      "expiry 4 0",
      "usage -1 0",
      "usage -4 0",
    ]);
    expect(await balance()).toMatchObject({ available: 99 });
  });

  it("pay for a day more what would be overage, and are over then", async () => {
    await grant(10, { expiresAt: iso(noon + hour) });
    clock.time = noon + hour;
    await settle();
    await use(107);
    expect(await settle()).toEqual([]);
    expect(await left()).toEqual({ 10: "expired 3" });
    expect(await balance()).toMatchObject({ available: 0, overage_used: 0 });
    clock.time = noon + hour + day + 15_000;
    expect(await settle()).toEqual([]);
    expect(await left()).toEqual({ 10: "ended 3" });
    await use(2);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0, overage_used: 2 });
  });

  it("are not over as long as usage waits that was received before", async () => {
    await grant(10, { expiresAt: iso(noon + hour) });
    await use(105);
    clock.time = noon + 2 * day;
    await advance();
    await advance();
    expect(await left()).toEqual({ 10: "expired 10" });
    expect(await settle()).toEqual([]);
    expect(await left()).toEqual({ 10: "ended 0" });
    expect(await balance()).toMatchObject({ available: 5, overage_used: 0 });
  });

  it("are over although usage waits that fails to settle", async () => {
    await grant(10, { expiresAt: iso(noon + hour) });
    await use(1);
    await connection.pool.query("update usage_due set failed_at = '2100-01-01' where customer_id = $1", [
      customer,
    ]);
    clock.time = noon + 2 * day;
    await settle();
    await settle();
    expect(await left()).toEqual({ 10: "ended 10" });
    await connection.pool.query("update usage_due set failed_at = null where customer_id = $1", [customer]);
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 99 });
  });

  it("begin when they are to, and clear overage first", async () => {
    await use(107);
    await settle();
    await grant(10, { effectiveAt: iso(noon + hour), expiresAt: iso(noon + day) });
    expect(await balance()).toMatchObject({ available: 0, overage_used: 7 });
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 3, overage_used: 0 });
    expect(await left()).toEqual({ 10: "active 3" });
    expect((await entries()).at(-1)).toBe("grant 3 -7");
  });

  it("are taken back as far as accepted usage does not need them", async () => {
    const { grantId } = await grant(10);
    await use(104);
    expect(await admin.grants.void(grantId, { reason: "wrong" })).toMatchObject({
      state: "ended",
      remaining: 6,
    });
    await expect(admin.grants.void(grantId, { reason: "wrong" })).rejects.toMatchObject({ status: 409 });
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0, overage_used: 0 });
    const other = await grant(5, { effectiveAt: iso(noon + hour) });
    expect(await admin.grants.void(other.grantId, { reason: "wrong" })).toMatchObject({
      state: "ended",
      remaining: 5,
    });
    await topUp(1);
    const last = await grant(2);
    await use(3);
    await expect(admin.grants.void(last.grantId, { reason: "wrong" })).rejects.toMatchObject({ status: 422 });
    clock.time = noon + day;
    expect(await settle()).toEqual([]);
  });

  it("pay no money back once they have expired, although no worker has come by", async () => {
    const invoiceId = await buy(50);
    await grant(10, { priority: 60, expiresAt: iso(noon + hour) });
    await grant(40, { priority: 70, expiresAt: iso(noon + 2 * hour) });
    await use(150);
    expect(await settle()).toEqual([]);
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    clock.time = noon + 2 * hour;
    expect(await balance()).toMatchObject({ available: 0 });
    const credits = [{ creditCurrencyKey: "ai_credits", credits: 5 }] as const;
    const refusal = { status: 422, problem: { code: "credits_used" } };
    for (const note of [{ reason: "all of it" }, { credits, reason: "a part" }])
      await expect(admin.invoices.credit(invoiceId, note, key())).rejects.toMatchObject(refusal);
    await topUp(5);
    await admin.invoices.credit(invoiceId, { credits, reason: "a part" }, key());
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 0 });
    expect(await left()).toEqual({ 10: "expired 10", 40: "expired 40" });
  });

  it("expire also while another waits for room in the wallet", async () => {
    await grant(10, { expiresAt: iso(noon + 2 * hour) });
    await grant(20, { effectiveAt: iso(noon + hour), expiresAt: iso(noon + day) });
    await connection.database.transaction().execute(async (transaction) => {
      const of = { orgId: 1n, customerId: customer, currency: "ai_credits" };
      const [wallet] = await lockWallets(transaction, [of]);
      if (wallet === undefined) throw new Error("expected a wallet");
      wallet.available = maxMicroCredits;
      expect(advanceGrants(wallet, new Date(noon + 2 * hour))).toMatchObject([{ cause: "expiry" }]);
      expect(wallet.grants.map(({ state }) => state).sort()).toEqual(["expired", "scheduled"]);
    });
  });

  it("expire later if they are extended", async () => {
    const { grantId } = await grant(10, { expiresAt: iso(noon + hour) });
    await expect(
      admin.grants.extend(grantId, { expiresAt: iso(noon + hour - 1), reason: "sooner" }),
    ).rejects.toMatchObject({ status: 422 });
    const extended = { expiresAt: iso(noon + 2 * hour), reason: "later" };
    expect(await admin.grants.extend(grantId, extended)).toMatchObject({ expiresAt: extended.expiresAt });
    expect(await admin.grants.extend(grantId, extended)).toMatchObject({ expiresAt: extended.expiresAt });
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 110 });
    clock.time = noon + 2 * hour;
    await expect(
      admin.grants.extend(grantId, { expiresAt: iso(noon + day), reason: "too late" }),
    ).rejects.toMatchObject({ status: 409 });
    expect(await settle()).toEqual([]);
    expect(await balance()).toMatchObject({ available: 100 });
  });

  it("buy nothing by an automatic top-up when they expire; the next debit does", async () => {
    await admin.wallets.setLimits(customer, "ai_credits", {
      autoTopUp: { below: 105, credits: 50, price: { amount: 500, currency: "EUR" }, maxPerPeriod: 1 },
    });
    const due = async () =>
      (await connection.pool.query("select top_up_due from wallets where customer_id = $1", [customer]))
        .rows[0]?.top_up_due;
    await grant(10, { expiresAt: iso(noon + hour) });
    expect(await due()).toBe(false);
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    expect(await due()).toBe(false);
    await use(1);
    expect(await settle()).toEqual([]);
    expect(await due()).toBe(true);
  });

  it("answer a repetition as they answered first, also when they have begun and expired", async () => {
    const request: GrantCreateRequest = {
      ...{
        customerId: customer,
        creditCurrencyKey: "ai_credits",
        credits: 5,
        source: "purchase",
        reason: "test",
      },
      ...{ effectiveAt: iso(noon + hour), expiresAt: iso(noon + 2 * hour) },
    };
    const once = key();
    const first = await admin.grants.create(request, once);
    clock.time = noon + day;
    expect(await admin.grants.create(request, once)).toEqual(first);
    await expect(admin.grants.create(request, key())).rejects.toMatchObject({ status: 422 });
  });

  it("are refused on postpaid wallets, for what has passed, and where there is no wallet", async () => {
    await admin.wallets.create(customer, {
      kind: "postpaid",
      creditCurrencyKey: "voice_credits",
      postpaidLimit: 0,
    });
    await expect(grant(1, { creditCurrencyKey: "voice_credits" })).rejects.toMatchObject({ status: 422 });
    await expect(grant(1, { creditCurrencyKey: "yen_credits" })).rejects.toMatchObject({ status: 404 });
    await expect(grant(1, { expiresAt: iso(noon) })).rejects.toMatchObject({ status: 422 });
    await expect(grant(1, { effectiveAt: iso(noon - 1) })).rejects.toMatchObject({ status: 422 });
    await expect(
      grant(1, { effectiveAt: iso(noon + day), expiresAt: iso(noon + day) }),
    ).rejects.toMatchObject({ status: 422 });
    await expect(grant(0)).rejects.toThrow("credits");
    await expect(grant(1, { expiresAt: "9999-12-31T23:59:59-15:00" })).rejects.toThrow("10000");
    expect(await left()).toEqual({});
  });

  it("expire also if another wallet's cannot", async () => {
    const spoilt = customer;
    await grant(10, { expiresAt: iso(noon + hour) });
    await connection.pool.query(
      `alter table grants add constraint spoilt check (customer_id <> '${spoilt}' or state <> 'expired')`,
    );
    customer = `customer-${count++}`;
    await admin.customers.create({ externalId: customer, name: "Customer" });
    await admin.wallets.create(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
    await grant(5, { expiresAt: iso(noon + hour) });
    clock.time = noon + hour;
    expect(await advance()).toMatchObject([
      { wallet: { customerId: spoilt }, message: expect.stringContaining("spoilt") },
    ]);
    expect(await left()).toEqual({ 5: "expired 5" });
    await connection.pool.query("alter table grants drop constraint spoilt");
    customer = spoilt;
    expect(await settle()).toEqual([]);
  });

  it("are refused for an erased customer, and those that are scheduled do not begin", async () => {
    await grant(10);
    await grant(20, { effectiveAt: iso(noon + hour) });
    await admin.customers.erase(customer);
    await expect(grant(1)).rejects.toMatchObject({ status: 409 });
    expect(await left()).toEqual({ 10: "active 10", 20: "ended 20" });
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    expect(await left()).toEqual({ 10: "active 10", 20: "ended 20" });
  });

  it("are compared with their entries, also those that are over", async () => {
    const { grantId } = await grant(10, { expiresAt: iso(noon + hour) });
    const other = await grant(20, { effectiveAt: iso(noon + hour) });
    await admin.grants.void(other.grantId, { reason: "wrong" });
    await use(4);
    expect(await settle()).toEqual([]);
    const set = (state: string, remaining: number) =>
      connection.pool.query("update grants set state = $1, remaining = $2 where grant_id = $3", [
        ...[state, remaining, grantId],
      ]);
    await set("ended", 6_000_000);
    expect(await settle()).toMatchObject([{ what: "grant", subject: grantId }]);
    await set("expired", 6_000_000);
    expect(await settle()).toMatchObject([{ what: "grant", subject: grantId }]);
    await set("active", 6_000_000);
    clock.time = noon + hour;
    expect(await settle()).toEqual([]);
    await set("active", 6_000_000);
    expect((await verify(connection.database)).differences).toMatchObject([{ subject: grantId }]);
    await set("ended", 6_000_000);
    expect(await settle()).toEqual([]);
  });

  it("follow a wallet that a replica without grants has debited", async () => {
    await grant(10, { expiresAt: iso(noon + day) });
    await connection.pool.query("update wallets set available = 4000000 where customer_id = $1", [customer]);
    await use(1);
    await settle();
    expect(await left()).toEqual({ 10: "active 3" });
    await connection.pool.query(
      "update wallets set available = available + 106000000 where customer_id = $1",
      [customer],
    );
  });
});
