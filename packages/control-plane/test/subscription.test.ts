import { type Client, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let client: Client;

const ai = { currency: "ai_credits", kind: "prepaid" } as const;
const voice = { currency: "voice_credits", kind: "postpaid" } as const;

/** A chat whose only price is in ai_credits, a line whose only price is in voice_credits, a bell that costs nothing. */
beforeAll(async () => {
  plane = await startControlPlane({
    fixture: {
      organization: acme.organization,
      agents: ["chat", "line", "bell"].map((agentId, index) => {
        const price = { billing: "CREDITS", currency: ["ai_credits", "voice_credits"][index] ?? "" };
        const indicators = index === 2 ? [] : [{ name: "message", ...price, price: { perEvent: 1 } }];
        return { agentId, agent_external_id: agentId, agent_name: agentId, indicators };
      }),
      customers: [
        { externalId: "funded", name: "F", wallets: [{ ...ai, available: 5 }] },
        { externalId: "credit-line", name: "C", wallets: [{ ...ai, overageUsed: 4, overageLimit: 5 }] },
        { externalId: "overdrawn", name: "O", wallets: [{ ...ai, overageUsed: 5, overageLimit: 5 }] },
        { externalId: "empty", name: "E", wallets: [ai] },
        { externalId: "walletless", name: "W" },
        { externalId: "unlimited", name: "U", wallets: [{ ...voice, used: 1_000, limit: 0 }] },
        { externalId: "below", name: "B", wallets: [{ ...voice, used: 4, limit: 5 }] },
        { externalId: "at-limit", name: "A", wallets: [{ ...voice, used: 5, limit: 5 }] },
      ],
    },
  });
  client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
});
afterAll(() => plane.stop());

const order = (customerExternalId: string, agentId: string, amount?: number) =>
  client.orders.create({
    customerExternalId,
    orderName: "Plan",
    startDate: "2026-01-01",
    lineItems: [{ agentId, ...(amount === undefined ? {} : { platformFee: { amount, currency: "EUR" } }) }],
  }) as Promise<{ orderId: string; invoices: { invoiceId: string }[] }>;

describe("GET /api/v1/customers/by-external-id/{external_id}/subscription (4.3)", () => {
  it.each([
    ["funded", "chat", "active", "none"],
    ["credit-line", "chat", "active", "none"],
    ["overdrawn", "chat", "exhausted", "upgrade"],
    ["empty", "chat", "exhausted", "upgrade"],
    ["walletless", "chat", "exhausted", "upgrade"],
    ["walletless", "bell", "active", "none"],
    ["unlimited", "line", "active", "none"],
    ["below", "line", "active", "none"],
    ["at-limit", "line", "exhausted", "upgrade"],
  ])(
    "recommends create_order to %s without an order for %s; with one it is %s: %s",
    async (customer, agentId, state, action) => {
      expect(await client.customers.subscription(customer, { agentId })).toEqual({
        externalId: customer,
        agentId,
        state: "no_order",
        recommendedAction: "create_order",
        activeOrderId: null,
        pendingOrderId: null,
        openInvoiceIds: [],
      });
      const { orderId } = await order(customer, agentId);
      expect(await client.customers.subscription(customer, { agentId })).toMatchObject({
        state,
        recommendedAction: action,
        activeOrderId: orderId,
      });
    },
  );

  it("recommends complete_payment while an order waits for it, whatever the wallets are like", async () => {
    await client.customers.createOrGet({ externalId: "payer", name: "P" });
    const { orderId, invoices } = await order("payer", "chat", 100);
    const due = { state: "payment_due", recommendedAction: "complete_payment", pendingOrderId: orderId };
    const openInvoiceIds = invoices.map(({ invoiceId }) => invoiceId);
    expect(await client.customers.subscription("payer", { agentId: "chat" })).toMatchObject({
      ...due,
      openInvoiceIds,
    });
    expect(await client.customers.subscription("payer")).toMatchObject({ ...due, agentId: null });
    expect(await client.customers.subscription("payer", { agentId: "line" })).toMatchObject({
      state: "no_order",
    });
    await client.invoices.markPaid(openInvoiceIds[0] ?? "");
    expect(await client.customers.subscription("payer", { agentId: "chat" })).toMatchObject({
      state: "exhausted",
      recommendedAction: "upgrade",
      activeOrderId: orderId,
      pendingOrderId: null,
      openInvoiceIds: [],
    });
  });

  it("looks at the agents of all active orders where none is named", async () => {
    await client.customers.createOrGet({ externalId: "several", name: "S" });
    await order("several", "bell");
    expect(await client.customers.subscription("several")).toMatchObject({ state: "active" });
    await order("several", "line");
    expect(await client.customers.subscription("several")).toMatchObject({ state: "exhausted" });
  });

  it("answers 404 for a customer or an agent that does not exist, 400 for one that cannot", async () => {
    await expect(client.customers.subscription("nobody")).rejects.toMatchObject({ status: 404 });
    await expect(client.customers.subscription("empty", { agentId: "none" })).rejects.toMatchObject({
      status: 404,
    });
    const { status } = await caller(plane)("GET", "/api/v1/customers/by-external-id/a%01/subscription");
    expect(status).toBe(400);
  });
});
