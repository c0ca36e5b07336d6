import { type Client, createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../src/index.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let client: Client;
const clock = { time: Date.UTC(2026, 0, 20), now: () => clock.time };

beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, clock });
  client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
});
afterAll(() => plane.stop());

const balance = async (currency: string) => (await client.wallets.balance("alice")).balances[currency];
const use = async (indicator: string) => {
  await client.usage.report({ agentId: "chat", customerId: "alice", indicator, rawUsage: {} });
  await plane.settled();
};

describe("the flows of part 1", () => {
  it("prepaid: check available and the overage fields, do the work, post usage, which is debited", async () => {
    expect(await balance("ai_credits")).toMatchObject({ available: 100, overage_used: 0, overage_limit: 20 });
    await use("message");
    expect(await balance("ai_credits")).toMatchObject({ available: 99, postpaid_used: 0 });
  });

  it("postpaid: check used and limit, do the work, post usage; at period end it is invoiced and used is 0", async () => {
    expect(await balance("voice_credits")).toMatchObject({
      postpaid_used: 0,
      postpaid_limit: 5,
      available: 0,
    });
    await use("speech");
    expect(await balance("voice_credits")).toMatchObject({ postpaid_used: 2, available: 0 });
    const order = { customerExternalId: "alice", orderName: "Plan", startDate: "2026-01-20" };
    const { orderId } = (await client.orders.create({ ...order, lineItems: [{ agentId: "chat" }] })) as {
      orderId: string;
    };

    // A minute after the end: a period is closed a little later, when what came before its end is stored.
    clock.time = Date.UTC(2026, 1, 1, 0, 1);
    // Any replica closes the period, this one when it starts.
    const replica = await startServer({ databaseUrl: plane.databaseUrl, port: 0, clock });
    await expect.poll(() => balance("voice_credits")).toMatchObject({ postpaid_used: 0 });
    await replica.stop();

    const { invoices } = (await client.orders.invoices(orderId)) as { invoices: { invoiceId: string }[] };
    expect(invoices).toMatchObject([
      {
        type: "period",
        status: "open",
        credit_currency_key: "voice_credits",
        credits: 2,
        periodStart: "2026-01-20T00:00:00.000Z",
        periodEnd: "2026-02-01T00:00:00.000Z",
      },
    ]);
    const due = { state: "payment_due", openInvoiceIds: [invoices[0]?.invoiceId] };
    expect(await client.customers.subscription("alice", { agentId: "chat" })).toMatchObject(due);
    await client.invoices.markPaid(invoices[0]?.invoiceId ?? "");
    expect(await client.customers.subscription("alice")).toMatchObject({ openInvoiceIds: [] });
    expect(await client.customers.orders("alice")).toMatchObject({ orders: [{ orderId, status: "active" }] });
  });

  it("a wallet can be topped up if it is prepaid only", async () => {
    const top_ups = ["ai_credits", "voice_credits"].map((key) => ({ credit_currency_key: key, credits: 1 }));
    await expect(
      client.wallets.topUp({ customer_id: "alice", top_ups }, { idempotencyKey: "both" }),
    ).rejects.toMatchObject({
      code: "refused",
      message: 'walletTopUp: 1 of 2 wallets were not topped up: "voice_credits": the wallet is postpaid',
      problem: { results: [{ success: true, available: 100 }, { success: false }] },
    });
  });
});
