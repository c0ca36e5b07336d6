import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fee, invoiceOf, type Order, type OrderScene, openOrderScene, withCredits } from "./order-scene.ts";

let scene: OrderScene;
beforeAll(async () => {
  scene = await openOrderScene();
});
afterAll(() => scene.plane.stop());

describe("POST /api/v1/orders (4.4)", () => {
  it("answers 201 with the order by the names of 2.5, active at once where it costs nothing", async () => {
    const customer = await scene.newCustomer();
    const { status, json } = await scene.call("POST", "/api/v1/orders", {
      body: {
        customerExternalId: customer,
        orderName: "Free",
        startDate: "2026-02-28",
        lineItems: [{ agentId: "chat" }],
      },
    });
    expect(status).toBe(201);
    expect(json).toEqual({
      orderId: expect.any(String),
      customerExternalId: customer,
      orderName: "Free",
      startDate: "2026-02-28",
      type: "plan",
      status: "active",
      supersededBy: null,
      lineItems: [{ agentId: "chat", platformFee: null, creditBenefits: [] }],
      createdAt: expect.any(String),
      activatedAt: json.createdAt,
      supersededAt: null,
      cancelledAt: null,
      invoices: [],
    });
  });

  it("makes a second order for the agent a replacement, pending until its invoice is paid", async () => {
    const customer = await scene.newCustomer();
    const first = await scene.order(customer);
    const second = await scene.order(customer);
    expect(second).toMatchObject({ type: "replacement", status: "pending", invoices: [{ amount: 0 }] });
    expect(await scene.statuses(customer)).toEqual({
      [first.orderId]: "active",
      [second.orderId]: "pending",
    });
  });

  it("does not replace the order of another agent", async () => {
    const customer = await scene.newCustomer();
    await scene.order(customer);
    expect(await scene.order(customer, { agentId: "line" })).toMatchObject({
      type: "plan",
      status: "active",
    });
  });

  it("leaves an order with a fee pending, with an invoice of the sum of its fees", async () => {
    const customer = await scene.newCustomer();
    const created = await scene.client.orders.create({
      customerExternalId: customer,
      orderName: "Both",
      startDate: "2026-01-01",
      lineItems: [
        { agentId: "chat", ...fee },
        { agentId: "line", platformFee: { amount: 1, currency: "EUR" } },
      ],
    });
    expect(created).toMatchObject({
      type: "plan",
      status: "pending",
      invoices: [{ type: "order", status: "open", amount: 4901, currency: "EUR" }],
    });
  });

  it("puts credit benefits into pending, in a prepaid wallet that comes into being (1)", async () => {
    const customer = await scene.newCustomer();
    expect(await scene.plane.balance(customer)).toEqual({});
    await scene.order(customer, withCredits(12.5));
    const empty = {
      overage_used: 0,
      overage_limit: 0,
      postpaid_used: 0,
      postpaid_limit: 0,
      unsettled: 0,
      kind: "prepaid",
    };
    expect(await scene.plane.balance(customer)).toEqual({
      ai_credits: { available: 0, pending: 12.5, ...empty },
    });
    await scene.order(customer, withCredits(1));
    expect((await scene.plane.balance(customer)).ai_credits).toMatchObject({ available: 0, pending: 13.5 });
  });

  it("answers 422 to benefits for a postpaid wallet, and leaves no order behind", async () => {
    const before = await scene.statuses("alice");
    const refused = scene.order("alice", withCredits(1, "voice_credits"));
    await expect(refused).rejects.toMatchObject({ status: 422, problem: { code: "wallet_postpaid" } });
    expect(await scene.statuses("alice")).toEqual(before);
  });

  it("creates one order of 20 posts at once with one Idempotency-Key, and gives all the same answer", async () => {
    const customer = await scene.newCustomer();
    const key = randomUUID();
    const orders = await Promise.all(
      Array.from({ length: 20 }, () => scene.order(customer, withCredits(3), key)),
    );
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(1);
    expect(Object.keys(await scene.statuses(customer))).toHaveLength(1);
    expect((await scene.plane.balance(customer)).ai_credits?.pending).toBe(3);
    const other = scene.order(customer, withCredits(4), key);
    await expect(other).rejects.toMatchObject({ status: 422, problem: { code: "idempotency_key_reused" } });
  });

  it("answers 404 for a customer or an agent that does not exist", async () => {
    await expect(scene.order("nobody")).rejects.toMatchObject({
      status: 404,
      problem: { code: "customer_unknown" },
    });
    const strange = scene.order("alice", { agentId: "strange" });
    await expect(strange).rejects.toMatchObject({ status: 404, problem: { code: "agent_unknown" } });
  });

  it.each([
    [{ lineItems: [] }, "/lineItems: "],
    [{ startDate: "2026-02-30" }, "/startDate: "],
    [{ startDate: "0000-01-01" }, '/startDate: expected a day from 0001-01-01, received "0000-01-01"'],
    [
      { lineItems: [{ agentId: "chat", platformFee: { amount: 0.5, currency: "EUR" } }] },
      "/lineItems/0/platformFee/amount",
    ],
    [
      { lineItems: [{ agentId: "chat", platformFee: { amount: 1, currency: "eur" } }] },
      "three upper-case letters",
    ],
    [
      { lineItems: [{ agentId: "chat", creditBenefits: [{ credit_currency_key: "a", credits: 1 }] }] },
      "/lineItems/0/platformFee: expected a fee",
    ],
    [{ lineItems: [{ agentId: "chat", ...withCredits(1e-7) }] }, "at most 6 decimals, received 1e-7"],
    [
      {
        lineItems: [
          { agentId: "chat", ...fee },
          { agentId: "line", platformFee: { amount: 1, currency: "USD" } },
        ],
      },
      "/lineItems/1/platformFee/currency: expected EUR, as the first fee of the order, received USD",
    ],
  ])("answers 400 that names the field: %j", async (changes, detail) => {
    const body = {
      customerExternalId: "alice",
      orderName: "Plan",
      startDate: "2026-01-01",
      lineItems: [{ agentId: "chat" }],
      ...changes,
    };
    const { status, json } = await scene.call("POST", "/api/v1/orders", { body });
    expect(status).toBe(400);
    expect(json.detail).toContain(detail);
  });
});

describe("GET /api/v1/customers/by-external-id/{external_id}/orders (4.3)", () => {
  it("lists all orders, the newest first, also those that are history", async () => {
    const customer = await scene.newCustomer();
    const first = await scene.order(customer);
    const second = await scene.order(customer);
    await scene.client.invoices.markPaid(invoiceOf(second));
    const { orders } = (await scene.client.customers.orders(customer)) as { orders: Order[] };
    expect(orders).toMatchObject([
      { orderId: second.orderId, status: "active", supersededBy: null },
      { orderId: first.orderId, status: "superseded", supersededBy: second.orderId },
    ]);
  });

  it("answers an empty list for a customer without orders, 404 for one that does not exist", async () => {
    expect(await scene.client.customers.orders(await scene.newCustomer())).toEqual({
      orders: [],
      next: null,
    });
    await expect(scene.client.customers.orders("nobody")).rejects.toMatchObject({ status: 404 });
    expect((await scene.call("GET", "/api/v1/customers/by-external-id/a%00b/orders")).status).toBe(400);
  });
});

describe("GET /api/v1/orders/{order_id}/invoices (4.4)", () => {
  it("lists the invoices generated for the order", async () => {
    const created = await scene.order(await scene.newCustomer(), fee);
    expect(await scene.client.orders.invoices(created.orderId)).toEqual({
      invoices: created.invoices,
      next: null,
    });
  });

  it("names the credit currency of an invoice as top-ups do, in each answer that has one", async () => {
    const customer = await scene.newCustomer();
    const created = await scene.order(customer, fee);
    const paid = await scene.client.invoices.markPaid(invoiceOf(created));
    const lists = [
      await scene.client.orders.invoices(created.orderId),
      await scene.client.customers.invoices(customer),
    ] as { invoices: unknown[] }[];
    for (const invoice of [...created.invoices, paid, ...lists.flatMap(({ invoices }) => invoices)]) {
      expect(invoice).toHaveProperty("credit_currency_key", null);
      expect(invoice).not.toHaveProperty("creditCurrencyKey");
    }
  });

  it.each(["nothing", randomUUID()])("answers 404 for an order that does not exist: %s", async (id) => {
    await expect(scene.client.orders.invoices(id)).rejects.toMatchObject({
      status: 404,
      problem: { code: "order_unknown" },
    });
  });
});
