import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { orderTopUps } from "../src/auto-top-up/order.ts";
import { type Connection, connect } from "../src/database/connection.ts";
import { defaultPeriodSettings } from "../src/periods/settings.ts";
import { verify } from "../src/verification/wallets.ts";
import type { WalletFailure } from "../src/wallets/due.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";

let scene: AdminScene;
let connection: Connection;
let acme: OrganizationAdmin;
beforeAll(async () => {
  scene = await openAdminScene();
  connection = connect(scene.plane.databaseUrl);
  const client = createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken });
  acme = client.organization(scene.path.split("/").at(-1) ?? "");
});
afterAll(async () => {
  expect((await verify(connection.database)).differences).toEqual([]);
  await connection.close();
  await scene.plane.stop();
});

const price = { amount: 4900, currency: "EUR" };
const autoTopUp = { below: 10, credits: 100, price, maxPerPeriod: 3 };

/** A customer with credits and a threshold below them. */
async function newWallet(credits = 20, settings = autoTopUp): Promise<string> {
  const customer = await scene.admin.newCustomer(scene.plane);
  await acme.wallets.create(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
  await correct(customer, credits);
  await acme.wallets.setLimits(customer, "ai_credits", { autoTopUp: settings });
  return customer;
}

const correct = (customerId: string, credits: number) =>
  acme.wallets.correct(
    { customerId, creditCurrencyKey: "ai_credits", credits, reason: "r" },
    { idempotencyKey: crypto.randomUUID() },
  );

/** What a worker does. That of the server does it too, at its own times: whichever comes first makes the order. */
const pass = (onFailure?: (failure: WalletFailure) => void) =>
  orderTopUps(
    connection.database,
    { defaults: defaultPeriodSettings, now: new Date(scene.clock.now()) },
    onFailure,
  );

async function ordersOf(customerId: string) {
  await pass();
  const { orders } = await acme.orders.list({ customerId, type: "top_up" });
  return orders;
}

async function openInvoiceOf(customerId: string): Promise<string> {
  const { invoices } = await acme.invoices.list({ customerId, status: "open" });
  expect(invoices).toHaveLength(1);
  return invoices[0]?.invoiceId ?? "";
}

describe("auto top-up", () => {
  it("orders credits with an invoice below the threshold, once, and tops the wallet up when that is paid", async () => {
    const customer = await newWallet();
    expect(await ordersOf(customer)).toEqual([]);
    await correct(customer, -10);
    expect(await ordersOf(customer), "10 are not below 10").toEqual([]);
    await correct(customer, -0.000001);
    const [order] = await ordersOf(customer);
    expect(order).toMatchObject({ status: "pending", type: "top_up", orderName: "Top-up of ai_credits" });
    await correct(customer, -5);
    await Promise.all([pass(), pass(), pass(), pass()]);
    expect(await ordersOf(customer)).toHaveLength(1);
    expect(await scene.wallet(customer)).toMatchObject({ available: 4.999999, pending: 100 });

    const details = await acme.orders.get(order?.orderId ?? "");
    expect(details.lineItems).toEqual([
      {
        agentId: null,
        platformFee: price,
        creditBenefits: [{ credit_currency_key: "ai_credits", credits: 100 }],
      },
    ]);
    expect(details.invoices).toMatchObject([{ type: "order", status: "open", ...price }]);
    await acme.invoices.markPaid(await openInvoiceOf(customer));
    expect(await scene.wallet(customer)).toMatchObject({ available: 104.999999, pending: 0 });
    expect(await ordersOf(customer)).toMatchObject([{ status: "active" }]);
  });

  it("makes the next one after payment, void or cancellation, and no more in a period than it may", async () => {
    const customer = await newWallet(5);
    await ordersOf(customer);
    await acme.invoices.markPaid(await openInvoiceOf(customer));
    await correct(customer, -100);
    expect(await ordersOf(customer), "after payment").toHaveLength(2);
    await acme.invoices.void(await openInvoiceOf(customer), { reason: "r" });
    const third = (await ordersOf(customer)).find(({ status }) => status === "pending");
    expect(third, "after the void").toBeDefined();
    await acme.orders.cancel(third?.orderId ?? "", { reason: "r" });
    expect(await ordersOf(customer), "three in a period").toHaveLength(3);
    expect(await scene.wallet(customer)).toMatchObject({ available: 5, pending: 0 });

    scene.clock.time += 31 * 24 * hour;
    expect(await ordersOf(customer), "the next period").toHaveLength(4);
  });

  it("is made by twenty workers at once as by one, and is there whole or not at all", async () => {
    const customers = await Promise.all(Array.from({ length: 5 }, () => newWallet(1)));
    await Promise.all(Array.from({ length: 20 }, () => pass()));
    for (const customer of customers) expect(await ordersOf(customer)).toHaveLength(1);
    // The index, should the lock be missed.
    const again = `insert into orders (org_id, order_id, customer_id, name, start_date, kind, status, top_up_currency, created_at)
      select org_id, gen_random_uuid(), customer_id, name, start_date, kind, status, top_up_currency, created_at
        from orders where customer_id = '${customers[0]}'`;
    await expect(connection.pool.query(again)).rejects.toThrow("orders_one_top_up");
  });

  it("leaves a customer that another transaction holds to a later pass, and orders for the others", async () => {
    const [held, free] = [await newWallet(), await newWallet()];
    const holder = await connection.pool.connect();
    await holder.query("begin");
    await holder.query("select from customers where external_id = $1 for update", [held]);
    await correct(held, -15);
    await correct(free, -15);
    const failures: string[] = [];
    await pass(({ wallet }) => failures.push(wallet.customerId));
    expect(failures).toEqual([held]);
    expect((await acme.orders.list({ customerId: free })).orders).toHaveLength(1);
    expect((await acme.orders.list({ customerId: held })).orders).toEqual([]);
    await holder.query("rollback");
    holder.release();
    expect(await ordersOf(held)).toHaveLength(1);
  });

  it("is set and ended by an administrator, for prepaid wallets alone, and ends with what is known of a customer", async () => {
    const customer = await newWallet(1);
    const wallet = await acme.wallets.get(customer, "ai_credits");
    expect(wallet.autoTopUp).toEqual(autoTopUp);
    await ordersOf(customer);
    const off = await acme.wallets.setLimits(customer, "ai_credits", { autoTopUp: null });
    expect(off.autoTopUp).toBeNull();
    await acme.invoices.void(await openInvoiceOf(customer), { reason: "r" });
    expect(await ordersOf(customer)).toMatchObject([{ status: "cancelled" }]);
    await acme.wallets.setLimits(customer, "ai_credits", { autoTopUp });
    expect(await ordersOf(customer), "it is still below").toHaveLength(2);
    // Set again while one is open: no second one.
    await acme.wallets.setLimits(customer, "ai_credits", { autoTopUp: { ...autoTopUp, below: 11 } });
    expect(await ordersOf(customer)).toHaveLength(2);
    await acme.customers.erase(customer);
    await acme.invoices.void(await openInvoiceOf(customer), { reason: "r" });
    expect(await ordersOf(customer)).toHaveLength(2);

    const postpaid = await scene.admin.newCustomer(scene.plane);
    await acme.wallets.create(postpaid, {
      kind: "postpaid",
      creditCurrencyKey: "ai_credits",
      postpaidLimit: 0,
    });
    await expect(acme.wallets.setLimits(postpaid, "ai_credits", { autoTopUp })).rejects.toThrow("postpaid");
    const path = `${scene.path}/customers/${customer}/wallets/ai_credits/limits`;
    for (const wrong of [
      { below: 0 },
      { credits: -1 },
      { price: { amount: 0, currency: "EUR" } },
      { maxPerPeriod: 0 },
    ])
      expect((await scene.admin.post(path, { autoTopUp: { ...autoTopUp, ...wrong } })).status).toBe(400);
  });

  it("is no subscription, and supersedes no plan", async () => {
    const customer = await newWallet(1);
    await ordersOf(customer);
    const { baseUrl, apiKey } = scene.plane;
    const { customers } = createClient({ baseUrl, apiKey });
    const subscription = () => customers.subscription(customer);
    expect(await subscription()).toMatchObject({ state: "no_order", openInvoiceIds: [] });
    const plan = await acme.orders.create(
      {
        customerExternalId: customer,
        orderName: "Plan",
        startDate: "2026-01-01",
        lineItems: [{ agentId: "chat" }],
      },
      { idempotencyKey: crypto.randomUUID() },
    );
    await acme.invoices.markPaid(await openInvoiceOf(customer));
    expect(await acme.orders.get(plan.orderId)).toMatchObject({ status: "active" });
    expect(await subscription()).toMatchObject({ activeOrderId: plan.orderId, pendingOrderId: null });
  });
});
