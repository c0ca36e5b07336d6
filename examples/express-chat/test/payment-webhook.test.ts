import { createHmac } from "node:crypto";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import express from "express";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createApp } from "../src/app.ts";
import { openAccount } from "../src/open-account.ts";
import { paymentWebhook } from "../src/payment-webhook.ts";
import { answerError } from "../src/problem.ts";
import { createStandInModel } from "../src/stand-in-model.ts";
import { serve } from "./local-server.ts";
import { createTestGate } from "./test-gate.ts";

const adminToken = "cga_a-token-for-these-tests";
const secret = "whsec_for_these_tests";
const nowMs = Date.UTC(2026, 0, 1);

let plane: TestControlPlane;
let acme: OrganizationAdmin;
beforeAll(async () => {
  plane = await startControlPlane({
    fixture: { organization: { name: "Acme", apiKey: "cg_test_local" } },
    adminToken,
  });
  acme = await createAdminClient({ baseUrl: plane.baseUrl, adminToken }).organizationNamed("Acme");
  await acme.currencies.set({ creditCurrencyKey: "ai_credits" });
});
afterAll(() => plane.stop());

let logged: string[];
beforeEach(() => {
  logged = [];
  const spy = vi.spyOn(console, "error").mockImplementation((...parts) => void logged.push(parts.join(" ")));
  return () => spy.mockRestore();
});

const client = () => createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey, retries: 0 });

/** The webhook behind a real server, and the provider that calls it. */
async function start() {
  const app = express();
  app.use("/webhooks/payment", paymentWebhook({ client: client(), secret, now: () => nowMs }));
  app.use(answerError);
  const url = `${await serve(app)}/webhooks/payment`;
  return async (event: unknown, signature?: string): Promise<number> => {
    const body = JSON.stringify(event);
    const headers = { "content-type": "application/json", "stripe-signature": signature ?? sign(body) };
    return (await fetch(url, { method: "POST", headers, body })).status;
  };
}

function sign(body: string, atMs = nowMs, key = secret): string {
  const at = Math.floor(atMs / 1000);
  return `t=${at},v1=${createHmac("sha256", key).update(`${at}.${body}`).digest("hex")}`;
}

const paid = (id: string, customer: string, amount = 500, type = "checkout.session.completed") => ({
  id: `evt_${Math.random()}`,
  type,
  data: { object: { id, payment_status: "paid", client_reference_id: customer, amount_total: amount } },
});

const available = async (customer: string) => (await plane.balance(customer)).ai_credits?.available;

describe("paymentWebhook", () => {
  it("tops up what was paid", async () => {
    const deliver = await start();
    await openAccount(client(), acme, { id: "alice", name: "Alice" });
    expect(await deliver(paid("cs_alice", "alice", 505))).toBe(200);
    expect(await available("alice")).toBe(50.5);
  });

  it("tops up once, however often and by whichever events a payment is told, at once too", async () => {
    const deliver = await start();
    await openAccount(client(), acme, { id: "bob", name: "Bob" });
    const events = Array.from({ length: 20 }, (_, at) =>
      paid("cs_bob", "bob", 500, at % 2 === 0 ? undefined : "checkout.session.async_payment_succeeded"),
    );
    expect(new Set(await Promise.all(events.map((event) => deliver(event))))).toEqual(new Set([200]));
    expect(await deliver(paid("cs_bob", "bob"))).toBe(200);
    expect(await available("bob")).toBe(50);
    expect(await deliver(paid("cs_bob_2", "bob"))).toBe(200);
    expect(await available("bob")).toBe(100);
  });

  it("answers 5xx and says so for a customer that is not known, and credits once the account is open", async () => {
    const deliver = await start();
    expect(await deliver(paid("cs_carol", "carol"))).toBe(502);
    expect(logged.join("\n")).toContain('payment "cs_carol" of "carol" is not credited: ');
    await openAccount(client(), acme, { id: "carol", name: "Carol" });
    expect(await Promise.all([1, 2, 3].map(() => deliver(paid("cs_carol", "carol"))))).toEqual([
      200, 200, 200,
    ]);
    expect(await available("carol")).toBe(50);
  });

  it("does not swallow a top-up that the service refuses with a 200: no wallet, then a postpaid one", async () => {
    const deliver = await start();
    await client().customers.createOrGet({ externalId: "dave", name: "Dave" });
    expect(await deliver(paid("cs_dave", "dave"))).toBe(502);
    await acme.wallets.create("dave", {
      kind: "postpaid",
      creditCurrencyKey: "ai_credits",
      postpaidLimit: 0,
    });
    expect(await deliver(paid("cs_dave", "dave"))).toBe(502);
    expect(logged).toHaveLength(2);
    expect(logged[0]).toContain("the customer has no wallet in this currency");
    expect(logged[1]).toContain("the wallet is postpaid");
  });

  it("answers 5xx while the control plane is down, and credits once when it is back", async () => {
    const deliver = await start();
    await openAccount(client(), acme, { id: "erin", name: "Erin" });
    plane.faults.unavailable(503);
    expect(await deliver(paid("cs_erin", "erin"))).toBe(502);
    plane.faults.restore();
    expect(await deliver(paid("cs_erin", "erin"))).toBe(200);
    expect(await available("erin")).toBe(50);
  });

  it.each([
    ["other news", { type: "customer.created", data: { object: { id: "cus_1" } } }],
    [
      "a payment that has not come in",
      { type: "checkout.session.completed", data: { object: { id: "cs_1", payment_status: "unpaid" } } },
    ],
  ])("answers 200 to %s, and does nothing", async (_, event) => {
    const deliver = await start();
    expect(await deliver(event)).toBe(200);
    expect(logged).toEqual([]);
  });

  it("answers 5xx to a payment from which it cannot tell who has paid", async () => {
    const deliver = await start();
    const event = paid("cs_1", "alice");
    expect(await deliver({ ...event, data: { object: { id: "cs_1", payment_status: "paid" } } })).toBe(502);
    expect(logged.join()).toContain("client_reference_id");
  });

  it("refuses what the provider has not signed, or signed long ago", async () => {
    const deliver = await start();
    await openAccount(client(), acme, { id: "frank", name: "Frank" });
    const event = paid("cs_frank", "frank");
    const body = JSON.stringify(event);
    for (const signature of [
      "",
      "t=,v1=",
      sign(body, nowMs, "whsec_another"),
      sign(`${body} `),
      sign(body, nowMs - 301_000),
      sign(body, nowMs + 302_000),
      sign(body).replace(/v1=.*/, "v1=zz"),
    ]) {
      expect([signature, await deliver(event, signature)]).toEqual([signature, 400]);
    }
    expect(await available("frank")).toBe(0);
    expect(await deliver(event, `${sign(body)},v1=00,v0=ff`)).toBe(200);
  });
});

describe("createApp", () => {
  it("gives the webhook the bytes, not what a parser made of them, and no gate stands before it", async () => {
    const deliver = paymentWebhook({ client: client(), secret, now: () => nowMs });
    const { gate } = createTestGate(0);
    const url = await serve(createApp({ gate, llm: createStandInModel(), paymentWebhook: deliver }));
    await openAccount(client(), acme, { id: "grace", name: "Grace" });
    const body = JSON.stringify(paid("cs_grace", "grace"), undefined, 3);
    const headers = { "content-type": "application/json", "stripe-signature": sign(body) };
    const response = await fetch(`${url}/webhooks/payment`, { method: "POST", headers, body });
    expect(response.status).toBe(200);
    expect(await available("grace")).toBe(50);
  });
});

describe("openAccount", () => {
  it("changes nothing when it is called again", async () => {
    await openAccount(client(), acme, { id: "heidi", name: "Heidi" });
    const [{ wallets } = { wallets: [] }] = (await acme.customers.list({ search: "heidi" })).customers;
    await openAccount(client(), acme, { id: "heidi", name: "Heidi" });
    expect((await acme.customers.list({ search: "heidi" })).customers).toMatchObject([{ wallets }]);
    expect(wallets).toHaveLength(1);
  });
});
