import { randomUUID } from "node:crypto";
import { type Client, createClient, type OrderLineItem } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let client: Client;
let call: Caller;

beforeAll(async () => {
  plane = await startControlPlane({
    fixture: {
      ...acme,
      agents: [
        ...(acme.agents ?? []),
        { agentId: "line", agent_external_id: "line-1", agent_name: "Line", agent_type: "voice" },
      ],
    },
  });
  client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  call = caller(plane);
});
afterAll(() => plane.stop());

interface Invoice {
  readonly invoiceId: string;
  readonly status: string;
}

interface Order {
  readonly orderId: string;
  readonly type: string;
  readonly status: string;
  readonly supersededBy: string | null;
  readonly invoices: readonly Invoice[];
}

async function newCustomer(): Promise<string> {
  const externalId = randomUUID();
  await client.customers.createOrGet({ externalId, name: "Customer" });
  return externalId;
}

const order = (customer: string, item: Partial<OrderLineItem> = {}, idempotencyKey?: string) =>
  client.orders.create(
    {
      customerExternalId: customer,
      orderName: "Plan",
      startDate: "2026-02-28",
      lineItems: [{ agentId: "chat", ...item }],
    },
    { idempotencyKey },
  ) as Promise<Order>;

const fee = { platformFee: { amount: 4900, currency: "EUR" } };
const withCredits = (credits: number, credit_currency_key = "ai_credits") => ({
  ...fee,
  creditBenefits: [{ credit_currency_key, credits }],
});

async function statuses(customer: string): Promise<Record<string, string>> {
  const { orders } = (await client.customers.orders(customer)) as { orders: Order[] };
  return Object.fromEntries(orders.map(({ orderId, status }) => [orderId, status]));
}

const invoiceOf = ({ invoices }: Order) => invoices[0]?.invoiceId ?? "";

describe("POST /api/v1/orders (4.4)", () => {
  it("answers 201 with the order by the names of 2.5, active at once where it costs nothing", async () => {
    const customer = await newCustomer();
    const { status, json } = await call("POST", "/api/v1/orders", {
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
      invoices: [],
    });
  });

  it("makes a second order for the agent a replacement, pending until its invoice is paid", async () => {
    const customer = await newCustomer();
    const first = await order(customer);
    const second = await order(customer);
    expect(second).toMatchObject({ type: "replacement", status: "pending", invoices: [{ amount: 0 }] });
    expect(await statuses(customer)).toEqual({ [first.orderId]: "active", [second.orderId]: "pending" });
  });

  it("does not replace the order of another agent", async () => {
    const customer = await newCustomer();
    await order(customer);
    expect(await order(customer, { agentId: "line" })).toMatchObject({ type: "plan", status: "active" });
  });

  it("leaves an order with a fee pending, with an invoice of the sum of its fees", async () => {
    const customer = await newCustomer();
    const created = await client.orders.create({
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
    const customer = await newCustomer();
    expect(await plane.balance(customer)).toEqual({});
    await order(customer, withCredits(12.5));
    const empty = { overage_used: 0, overage_limit: 0, postpaid_used: 0, postpaid_limit: 0 };
    expect(await plane.balance(customer)).toEqual({ ai_credits: { available: 0, pending: 12.5, ...empty } });
    await order(customer, withCredits(1));
    expect((await plane.balance(customer)).ai_credits).toMatchObject({ available: 0, pending: 13.5 });
  });

  it("answers 422 to benefits for a postpaid wallet, and leaves no order behind", async () => {
    const before = await statuses("alice");
    const refused = order("alice", withCredits(1, "voice_credits"));
    await expect(refused).rejects.toMatchObject({ status: 422, problem: { code: "wallet_postpaid" } });
    expect(await statuses("alice")).toEqual(before);
  });

  it("creates one order of 20 posts at once with one Idempotency-Key, and gives all the same answer", async () => {
    const customer = await newCustomer();
    const key = randomUUID();
    const orders = await Promise.all(Array.from({ length: 20 }, () => order(customer, withCredits(3), key)));
    expect(new Set(orders.map(({ orderId }) => orderId)).size).toBe(1);
    expect(Object.keys(await statuses(customer))).toHaveLength(1);
    expect((await plane.balance(customer)).ai_credits?.pending).toBe(3);
    const other = order(customer, withCredits(4), key);
    await expect(other).rejects.toMatchObject({ status: 422, problem: { code: "idempotency_key_reused" } });
  });

  it("answers 404 for a customer or an agent that does not exist", async () => {
    await expect(order("nobody")).rejects.toMatchObject({
      status: 404,
      problem: { code: "customer_unknown" },
    });
    const strange = order("alice", { agentId: "strange" });
    await expect(strange).rejects.toMatchObject({ status: 404, problem: { code: "agent_unknown" } });
  });

  it.each([
    [{ lineItems: [] }, "/lineItems: "],
    [{ startDate: "2026-02-30" }, "/startDate: "],
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
    const { status, json } = await call("POST", "/api/v1/orders", { body });
    expect(status).toBe(400);
    expect(json.detail).toContain(detail);
  });
});

describe("GET /api/v1/customers/by-external-id/{external_id}/orders (4.3)", () => {
  it("lists all orders, the newest first, also those that are history", async () => {
    const customer = await newCustomer();
    const first = await order(customer);
    const second = await order(customer);
    await client.invoices.markPaid(invoiceOf(second));
    const { orders } = (await client.customers.orders(customer)) as { orders: Order[] };
    expect(orders).toMatchObject([
      { orderId: second.orderId, status: "active", supersededBy: null },
      { orderId: first.orderId, status: "superseded", supersededBy: second.orderId },
    ]);
  });

  it("answers an empty list for a customer without orders, 404 for one that does not exist", async () => {
    expect(await client.customers.orders(await newCustomer())).toEqual({ orders: [] });
    await expect(client.customers.orders("nobody")).rejects.toMatchObject({ status: 404 });
    expect((await call("GET", "/api/v1/customers/by-external-id/a%00b/orders")).status).toBe(400);
  });
});

describe("GET /api/v1/orders/{order_id}/invoices (4.4)", () => {
  it("lists the invoices generated for the order", async () => {
    const created = await order(await newCustomer(), fee);
    expect(await client.orders.invoices(created.orderId)).toEqual({ invoices: created.invoices });
  });

  it.each(["nothing", randomUUID()])("answers 404 for an order that does not exist: %s", async (id) => {
    await expect(client.orders.invoices(id)).rejects.toMatchObject({
      status: 404,
      problem: { code: "order_unknown" },
    });
  });
});

describe("POST /api/v1/invoices/{invoice_id}/mark-paid (3, 4.4)", () => {
  it("activates the pending replacement order, and supersedes the old plan order", async () => {
    const customer = await newCustomer();
    const old = await order(customer);
    const replacement = await order(customer, fee);
    const paid = await client.invoices.markPaid(invoiceOf(replacement));
    expect(paid).toMatchObject({
      invoiceId: invoiceOf(replacement),
      status: "paid",
      paidAt: expect.any(String),
    });
    expect(await statuses(customer)).toEqual({
      [old.orderId]: "superseded",
      [replacement.orderId]: "active",
    });
  });

  it("leaves one active order of several replacements, whichever is paid last", async () => {
    const customer = await newCustomer();
    const old = await order(customer);
    const [second, third] = [await order(customer, fee), await order(customer, fee)];
    await client.invoices.markPaid(invoiceOf(third));
    await client.invoices.markPaid(invoiceOf(second));
    expect(await statuses(customer)).toEqual({
      [old.orderId]: "superseded",
      [second.orderId]: "active",
      [third.orderId]: "superseded",
    });
  });

  it("moves the credit benefits from pending to available, overage first (3)", async () => {
    const customer = await newCustomer();
    const created = await order(customer, withCredits(10));
    // Two messages of 1.066 without credit: 2.132 of overage.
    for (const _ of [1, 2]) await client.usage.report(usageOf({ customerId: customer }) as never);
    await plane.settled();
    expect((await plane.balance(customer)).ai_credits).toMatchObject({
      available: 0,
      pending: 10,
      overage_used: 2.132,
    });
    await client.invoices.markPaid(invoiceOf(created));
    expect((await plane.balance(customer)).ai_credits).toMatchObject({
      available: 7.868,
      pending: 0,
      overage_used: 0,
    });
  });

  it("changes everything once of 20 posts at once, and nothing when it is repeated", async () => {
    const customer = await newCustomer();
    const created = await order(customer, withCredits(5));
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => client.invoices.markPaid(invoiceOf(created))),
    );
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const balance = await plane.balance(customer);
    expect(balance.ai_credits).toMatchObject({ available: 5, pending: 0 });
    const newer = await order(customer);
    await client.invoices.markPaid(invoiceOf(newer));
    expect(await client.invoices.markPaid(invoiceOf(created))).toEqual(answers[0]);
    expect(await plane.balance(customer)).toEqual(balance);
    expect(await statuses(customer)).toMatchObject({
      [created.orderId]: "superseded",
      [newer.orderId]: "active",
    });
  });

  it("needs no body, and answers 404 for an invoice that does not exist", async () => {
    for (const id of ["nothing", randomUUID(), "%00"]) {
      const { status, json } = await call("POST", `/api/v1/invoices/${id}/mark-paid`);
      expect([status, json.code]).toEqual([404, "invoice_unknown"]);
    }
  });

  it("leaves one active order of many that are made, or paid, at once", async () => {
    const customer = await newCustomer();
    const free = await Promise.all(Array.from({ length: 10 }, () => order(customer)));
    const actives = async () =>
      Object.values(await statuses(customer)).filter((status) => status === "active");
    expect(await actives()).toHaveLength(1);
    const pending = free.filter(({ status }) => status === "pending");
    expect(pending).toHaveLength(9);
    await Promise.all(pending.map((created) => client.invoices.markPaid(invoiceOf(created))));
    expect(await actives()).toHaveLength(1);
  });

  it("survives orders and payments of the same customer at once, in any order", async () => {
    const customer = await newCustomer();
    const orders = await Promise.all(Array.from({ length: 8 }, () => order(customer, withCredits(1))));
    await Promise.all([
      ...orders.map((created) => client.invoices.markPaid(invoiceOf(created))),
      ...Array.from({ length: 4 }, () => order(customer, withCredits(1))),
      ...Array.from({ length: 4 }, () => client.usage.report(usageOf({ customerId: customer }) as never)),
    ]);
    await plane.settled();
    const states = Object.values(await statuses(customer));
    expect(states.filter((status) => status === "active")).toHaveLength(1);
    expect((await plane.balance(customer)).ai_credits).toMatchObject({ available: 3.736, pending: 4 });
  });
});
