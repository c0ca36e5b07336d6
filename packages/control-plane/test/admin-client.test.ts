import { randomUUID } from "node:crypto";
import { type AdminClient, createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { CreditgateError, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
let admin: AdminClient;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  admin = createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken });
  acme = await admin.organizationNamed("Acme");
});
afterAll(() => scene.plane.stop());

const client = () => createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });

async function newCustomer(prefix = ""): Promise<string> {
  const externalId = `${prefix}${randomUUID()}`;
  await client().customers.createOrGet({ externalId, name: "Customer" });
  return externalId;
}

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

/** The error of a call that must fail. */
async function failure(promise: Promise<unknown>): Promise<CreditgateError> {
  const error = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (error instanceof CreditgateError) return error;
  throw new Error(`expected a CreditgateError, received ${error}`);
}

describe("createAdminClient", () => {
  it("gives a new customer a wallet that a top-up can fill", async () => {
    const customer = await newCustomer();
    const wallet = await acme.wallets.ensure(customer, {
      kind: "prepaid",
      creditCurrencyKey: "ai_credits",
    });
    expect(wallet).toMatchObject({ customerId: customer, kind: "prepaid", available: 0 });
    await client().wallets.topUp(
      {
        customer_id: customer,
        top_ups: [{ credit_currency_key: "ai_credits", credits: 12 }],
      },
      { idempotencyKey: customer },
    );
    expect((await scene.wallet(customer))?.available).toBe(12);
  });

  it("opens a wallet for a payment that was refused for want of one: delivered again, it is credited once", async () => {
    const customerId = await newCustomer();
    const payment = { customer_id: customerId, top_ups: [{ credit_currency_key: "ai_credits", credits: 4 }] };
    const deliver = () => client().wallets.topUp(payment, { idempotencyKey: `payment-${customerId}` });
    const early = await Promise.allSettled([deliver(), deliver(), deliver()]);
    expect(early.map(({ status }) => status)).toEqual(["rejected", "rejected", "rejected"]);
    await acme.wallets.ensure(customerId, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
    await Promise.all([deliver(), deliver(), deliver()]);
    expect((await scene.wallet(customerId))?.available).toBe(4);
  });

  it("leaves a wallet that is there as it is, and finds it among customers of similar names", async () => {
    const customer = await newCustomer();
    await newCustomer(`0${customer}`);
    await newCustomer(`${customer}0`);
    const wallet = { kind: "prepaid", creditCurrencyKey: "ai_credits", overageLimit: 3 } as const;
    await acme.wallets.create(customer, wallet);
    const again = await acme.wallets.ensure(customer, { ...wallet, overageLimit: 7 });
    expect(again).toMatchObject({ customerId: customer, overageLimit: 3 });
  });

  it("opens one wallet, however many ask for it at once", async () => {
    const customer = await newCustomer();
    const wallet = { kind: "prepaid", creditCurrencyKey: "ai_credits" } as const;
    const opened = await Promise.all(Array.from({ length: 10 }, () => acme.wallets.ensure(customer, wallet)));
    expect(opened).toHaveLength(10);
    const [record] = (await acme.customers.list({ search: customer })).customers;
    expect(record?.wallets).toHaveLength(1);
  });

  it("refuses to take a wallet of the other kind for the one that was asked for", async () => {
    const customer = await newCustomer();
    await acme.wallets.create(customer, {
      kind: "postpaid",
      creditCurrencyKey: "ai_credits",
      postpaidLimit: 0,
    });
    const error = await failure(
      acme.wallets.ensure(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" }),
    );
    expect(error).toMatchObject({ code: "http", status: 409, problem: { code: "wallet_exists" } });
    expect(error.message).toContain("kind: expected prepaid, received a wallet that is there and postpaid");
  });

  it("changes limits, refunds once per key, and corrects, and the ledger has it all", async () => {
    const customerId = await newCustomer();
    const creditCurrencyKey = "ai_credits";
    await acme.wallets.create(customerId, { kind: "prepaid", creditCurrencyKey });
    expect(await acme.wallets.setLimits(customerId, creditCurrencyKey, { overageLimit: 2 })).toMatchObject({
      overageLimit: 2,
    });
    const refund = { customerId, creditCurrencyKey, credits: 5, reason: "Because" };
    const idempotencyKey = randomUUID();
    await acme.wallets.refund(refund, { idempotencyKey });
    expect(await acme.wallets.refund(refund, { idempotencyKey })).toMatchObject({ available: 5 });
    expect(
      await acme.wallets.correct({ ...refund, credits: -1.5 }, { idempotencyKey: randomUUID() }),
    ).toMatchObject({ available: 3.5 });
    const entries = await collect(acme.ledger.all({ customerId, limit: 1 }));
    expect(entries.map(({ cause, available }) => [cause, available])).toEqual([
      ["correction", -1.5],
      ["refund", 5],
    ]);
    const [newest] = entries;
    const part = await acme.ledger.list({ customerId, limit: 1 });
    const rest = await acme.ledger.list({ customerId, cursor: part.next ?? "" });
    expect([part.entries, rest.entries, rest.next]).toEqual([[newest], [entries[1]], null]);
  });

  it("walks through all customers, part after part", async () => {
    const prefix = randomUUID();
    for (let at = 0; at < 5; at++) await newCustomer(`${prefix}-${at}-`);
    const names = (await collect(acme.customers.all({ search: prefix, limit: 2 }))).map(({ externalId }) =>
      externalId.slice(prefix.length, prefix.length + 3),
    );
    expect(names).toEqual(["-0-", "-1-", "-2-", "-3-", "-4-"]);
  });

  it("makes, replaces and ends API keys", async () => {
    const { keyId, apiKey } = await acme.apiKeys.create({ name: "reader", scopes: ["read"] });
    const reader = createClient({ baseUrl: scene.plane.baseUrl, apiKey });
    expect((await reader.wallets.balance("alice")).balances.ai_credits).toBeDefined();
    const refused = await failure(reader.customers.createOrGet({ externalId: "x", name: "X" }));
    expect(refused.status).toBe(403);
    const replaced = await acme.apiKeys.rotate(keyId, { overlapSeconds: 60 });
    expect(Date.parse(replaced.previousExpiresAt)).toBe(scene.clock.time + 60_000);
    expect((await acme.apiKeys.revoke(replaced.keyId)).revokedAt).not.toBeNull();
    expect((await acme.apiKeys.list()).map((key) => key.keyId)).toEqual(
      expect.arrayContaining([keyId, replaced.keyId]),
    );
    expect(await acme.apiKeys.create({ name: "all" })).toMatchObject({
      scopes: expect.arrayContaining(["usage", "wallets"]),
    });
  });

  it("makes organisations, with settings, and knows them by name", async () => {
    const { organizationId } = await admin.organizations.create({ name: "Umbrella" });
    const umbrella = await admin.organizationNamed("Umbrella");
    expect(umbrella.organizationId).toBe(organizationId);
    const settings = { billingPeriod: "weekly", billingAnchor: 7, timeZone: "Europe/Amsterdam" } as const;
    expect(await umbrella.configure(settings)).toMatchObject(settings);
    expect(await umbrella.configure({ timeZone: null })).toMatchObject({ ...settings, timeZone: null });
    expect((await failure(umbrella.configure({ timeZone: "Mars/Olympus" }))).status).toBe(400);
    expect((await admin.organizations.list()).map(({ name }) => name)).toEqual(["Acme", "Umbrella"]);
    const unknown = await failure(admin.organizationNamed("Umbrela"));
    expect(unknown.message).toBe(
      'name: expected that of an organisation (there is "Acme", "Umbrella"), received "Umbrela"',
    );
  });

  it("names and prices currencies", async () => {
    const currency = {
      creditCurrencyKey: "gold",
      name: "Gold",
      unitPrice: { amount: "0.25", currency: "EUR" },
    };
    expect(await acme.currencies.set(currency)).toMatchObject(currency);
    expect(await acme.currencies.list()).toContainEqual(expect.objectContaining(currency));
    const unitPrice = { amount: "0.0000000000000001", currency: "EUR" };
    expect((await failure(acme.currencies.set({ ...currency, unitPrice }))).status).toBe(400);
  });

  it("closes periods, and marks their invoices paid", async () => {
    const customerId = await newCustomer();
    await acme.wallets.create(customerId, {
      kind: "postpaid",
      creditCurrencyKey: "voice_credits",
      postpaidLimit: 0,
    });
    await client().usage.report({
      agentId: "chat",
      customerId,
      indicator: "speech",
      rawUsage: {},
    });
    await scene.plane.settled();
    scene.clock.time += hour;
    expect(await acme.closePeriods({ early: true })).toMatchObject({ invoices: 1 });
    const [invoice] = await collect(acme.invoices.all({ customerId, status: "open" }));
    expect(invoice).toMatchObject({ type: "period", credits: 2, customerExternalId: customerId });
    expect(await acme.invoices.markPaid(invoice?.invoiceId ?? "")).toMatchObject({ status: "paid" });
    expect((await acme.invoices.list({ customerId, status: "open" })).invoices).toEqual([]);
  });

  it("makes orders and cancels them, voids invoices and credits them", async () => {
    const customerExternalId = await newCustomer();
    const lineItems = [{ agentId: "chat", platformFee: { amount: 100, currency: "EUR" } }];
    const order = { customerExternalId, orderName: "Plan", startDate: "2026-01-01", lineItems };
    const waiting = await acme.orders.create(order, { idempotencyKey: randomUUID() });
    const paid = await acme.orders.create({ ...order, paid: true }, { idempotencyKey: randomUUID() });
    expect([waiting.status, paid.status]).toEqual(["pending", "active"]);
    expect(await acme.orders.cancel(waiting.orderId, { reason: "r" })).toMatchObject({ status: "cancelled" });
    expect(await acme.orders.get(waiting.orderId)).toMatchObject({ invoices: [{ status: "void" }] });
    const all = await collect(acme.orders.all({ customerId: customerExternalId, limit: 1 }));
    expect(all.map(({ orderId }) => orderId).sort()).toEqual([waiting.orderId, paid.orderId].sort());
    const invoiceId = paid.invoices[0]?.invoiceId ?? "";
    const note = await acme.invoices.credit(invoiceId, { reason: "r" }, { idempotencyKey: randomUUID() });
    expect(note).toMatchObject({ invoiceId, amount: 100, credits: [] });
    expect(await acme.invoices.get(invoiceId)).toMatchObject({ status: "paid", creditedAmount: 100 });
    expect(await collect(acme.invoices.creditNotes.all({ invoiceId }))).toEqual([note]);
    const next = await acme.orders.create(order, { idempotencyKey: randomUUID() });
    const voided = await acme.invoices.void(next.invoices[0]?.invoiceId ?? "", { reason: "r" });
    expect(voided).toMatchObject({ status: "void" });
  });

  it("reads the audit log to its end, of one organisation", async () => {
    const query = { organizationId: acme.organizationId };
    const records = await collect(admin.audit.all({ ...query, limit: 3 }));
    const ids = records.map(({ auditId }) => auditId);
    expect(ids).toEqual([...new Set(ids)].sort((a, b) => b - a));
    expect(records.length).toBeGreaterThan(3);
    expect(records.at(-1)).toEqual((await admin.audit.list({ ...query, limit: 100 })).records.at(-1));
  });

  it("says what the service says of a token that it does not know, without the token", async () => {
    const wrong = "cga_a-token-of-somebody-else";
    const error = await failure(
      createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken: wrong }).organizations.list(),
    );
    expect(error).toMatchObject({ code: "http", status: 401, problem: { code: "unauthorized" } });
    expect(`${error.stack}${JSON.stringify(error)}`).not.toContain(wrong);
  });
});
