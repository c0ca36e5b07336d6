import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { startControlPlane, type TestControlPlane } from "@creditgate/control-plane/testing";
import express from "express";
import Stripe from "stripe";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { creditgateWebhook } from "../src/creditgate-webhook.ts";
import { stripeWebhook } from "../src/stripe-webhook.ts";

const adminToken = "cga_a-token-for-these-tests";
const secret = "whsec_for_these_tests";

let plane: TestControlPlane;
let acme: OrganizationAdmin;
let stripe: Stripe;
let hooks: string;
const closing: (() => void)[] = [];
/** What the stand-in for Stripe was asked to charge. */
const charges: { readonly key: string; readonly body: URLSearchParams }[] = [];
const errors: string[] = [];

async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closing.push(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

beforeAll(async () => {
  plane = await startControlPlane({
    fixture: { organization: { name: "Acme", apiKey: "cg_test_local" } },
    adminToken,
  });
  acme = await createAdminClient({ baseUrl: plane.baseUrl, adminToken, retries: 0 }).organizationNamed(
    "Acme",
  );
  await acme.currencies.set({ creditCurrencyKey: "ai_credits" });
  const provider = express().use(express.text({ type: () => true }));
  provider.post("/v1/payment_intents", (req, res) => {
    charges.push({ key: req.get("idempotency-key") ?? "", body: new URLSearchParams(String(req.body)) });
    if (String(req.body).includes("declined"))
      return void res
        .status(402)
        .json({ error: { type: "card_error", code: "card_declined", message: "no" } });
    res.json({ id: `pi_${charges.length}`, object: "payment_intent", status: "succeeded" });
  });
  const at = new URL(await serve(provider));
  stripe = new Stripe("sk_test_none", {
    host: at.hostname,
    port: at.port,
    protocol: "http",
    maxNetworkRetries: 0,
    telemetry: false,
  });

  const app = express();
  app.use("/stripe", stripeWebhook({ stripe, secret, organization: acme }));
  const url = await serve(app);
  const endpoint = await acme.webhooks.create({ url: `${url}/creditgate`, events: ["invoice.created"] });
  const payers: Readonly<Record<string, string>> = { payer: "pm_card", poor: "pm_declined" };
  app.use(
    "/creditgate",
    creditgateWebhook({
      stripe,
      secret: endpoint.secret,
      async payerOf(customerId) {
        const payment_method = payers[customerId];
        return payment_method === undefined ? undefined : { customer: `cus_${customerId}`, payment_method };
      },
    }),
  );
  const answer: express.ErrorRequestHandler = (error, _req, res, _next) => {
    errors.push(String(error));
    res.sendStatus(500);
  };
  app.use(answer);
  hooks = `${url}/stripe`;
});
afterAll(async () => {
  await plane.stop();
  for (const close of closing) close();
});

let events = 0;

/** An event as Stripe sends and signs it. */
async function deliver(
  type: string,
  object: Readonly<Record<string, unknown>>,
  { previous = {}, key = secret, timestamp = Math.floor(Date.now() / 1000) } = {},
): Promise<number> {
  const payload = JSON.stringify({
    id: `evt_${++events}`,
    object: "event",
    type,
    data: { object, previous_attributes: previous },
  });
  const signature = stripe.webhooks.generateTestHeaderString({ payload, secret: key, timestamp });
  const headers = { "content-type": "application/json", "stripe-signature": signature };
  return (await fetch(hooks, { method: "POST", headers, body: payload })).status;
}

const session = (id: string, customer: string, amount_total = 500, payment_status = "paid") => ({
  id,
  object: "checkout.session",
  payment_status,
  client_reference_id: customer,
  amount_total,
});

const refunded = (id: string, metadata: Readonly<Record<string, string>>, before: number, after: number) =>
  deliver(
    "charge.refunded",
    { id, object: "charge", amount_refunded: after, metadata },
    { previous: { amount_refunded: before } },
  );

async function open(customer: string): Promise<void> {
  await acme.customers.create({ externalId: customer, name: customer });
  await acme.wallets.create(customer, { kind: "prepaid", creditCurrencyKey: "ai_credits" });
}

const wallet = (customer: string) => acme.wallets.get(customer, "ai_credits");
const completed = "checkout.session.completed";

describe("stripeWebhook", () => {
  it("tops up exactly once, however often, by whichever events and in whatever order a payment is told", async () => {
    await open("alice");
    expect(await deliver(completed, session("cs_1", "alice", 500, "unpaid"))).toBe(200);
    expect(await wallet("alice")).toMatchObject({ available: 0 });
    const told = Array.from({ length: 12 }, (_, at) =>
      deliver(
        at % 2 === 0 ? completed : "checkout.session.async_payment_succeeded",
        session("cs_1", "alice"),
      ),
    );
    expect(new Set(await Promise.all(told))).toEqual(new Set([200]));
    // The event from before the payment, late.
    expect(await deliver(completed, session("cs_1", "alice", 500, "unpaid"))).toBe(200);
    expect(await wallet("alice")).toMatchObject({ available: 50 });
    expect(await deliver("customer.created", { id: "cus_1", object: "customer" })).toBe(200);
  });

  it("takes nothing that is not signed by Stripe, or was signed long ago", async () => {
    await open("bob");
    expect(await deliver(completed, session("cs_2", "bob"), { key: "whsec_another" })).toBe(400);
    expect(await deliver(completed, session("cs_2", "bob"), { timestamp: 1_700_000_000 })).toBe(400);
    expect(await wallet("bob")).toMatchObject({ available: 0 });
  });

  it("has a payment told again that cannot be credited, until it can", async () => {
    expect(await deliver(completed, session("cs_3", "carol"))).toBe(500);
    expect(errors.splice(0)).toEqual([expect.stringContaining("carol")]);
    await open("carol");
    expect(await deliver(completed, session("cs_3", "carol"))).toBe(200);
    expect(await wallet("carol")).toMatchObject({ available: 50 });
  });

  it("takes back what was refunded, each part once, also out of order and before the payment is told", async () => {
    await open("dave");
    const metadata = { creditgate_customer: "dave" };
    const parts = [
      [200, 500],
      [0, 200],
      [200, 500],
    ] as const;
    for (const [before, after] of parts) expect(await refunded("ch_1", metadata, before, after)).toBe(200);
    expect(await wallet("dave")).toMatchObject({ available: 0, overageUsed: 50 });
    expect(await deliver(completed, session("cs_4", "dave"))).toBe(200);
    expect(await wallet("dave")).toMatchObject({ available: 0, overageUsed: 0 });
  });
});

describe("auto top-up, paid by Stripe", () => {
  const autoTopUp = { below: 1, credits: 100, price: { amount: 4900, currency: "EUR" }, maxPerPeriod: 5 };

  /** Falls below its threshold, which orders a top-up as soon as the control plane looks. */
  async function fall(customer: string): Promise<void> {
    await open(customer);
    await acme.wallets.setLimits(customer, "ai_credits", { autoTopUp: autoTopUp });
    await acme.wallets.correct(
      { customerId: customer, creditCurrencyKey: "ai_credits", credits: 0.5, reason: "r" },
      { idempotencyKey: `fall-of-${customer}` },
    );
  }
  beforeAll(() => Promise.all([fall("payer"), fall("poor")]));

  async function invoiceOf(customer: string): Promise<string> {
    const invoices = async () => (await acme.invoices.list({ customerId: customer })).invoices;
    await expect.poll(invoices).toHaveLength(1);
    return (await invoices())[0]?.invoiceId ?? "";
  }
  const chargesOf = (key: string) => charges.filter((charge) => charge.key === key);

  it("charges its invoice once, tops up when that is paid, and credits it when that is refunded", async () => {
    const invoiceId = await invoiceOf("payer");
    await expect.poll(() => chargesOf(invoiceId)).toHaveLength(1);
    const [charge] = chargesOf(invoiceId);
    expect(Object.fromEntries(charge?.body ?? [])).toMatchObject({
      amount: "4900",
      currency: "eur",
      customer: "cus_payer",
      off_session: "true",
      "metadata[creditgate_invoice]": invoiceId,
    });
    expect(await wallet("payer")).toMatchObject({ available: 0.5, pending: 100 });
    const metadata = { creditgate_invoice: invoiceId, creditgate_customer: "payer" };
    // Delivered first, it waits for its payment: Stripe delivers it again.
    expect(await refunded("ch_2", metadata, 0, 4900)).toBe(500);
    expect(errors.splice(0)).toEqual([expect.stringContaining("paid")]);
    const intent = { id: "pi_1", object: "payment_intent", metadata };
    const paid = Array.from({ length: 5 }, () => deliver("payment_intent.succeeded", intent));
    expect(new Set(await Promise.all(paid))).toEqual(new Set([200]));
    expect(await wallet("payer")).toMatchObject({ available: 100.5, pending: 0 });

    await acme.wallets.setLimits("payer", "ai_credits", { autoTopUp: null });
    expect(await refunded("ch_2", metadata, 0, 4900)).toBe(200);
    expect(await refunded("ch_2", metadata, 0, 4900)).toBe(200);
    expect(await acme.invoices.get(invoiceId)).toMatchObject({ creditedAmount: 4900 });
    expect(await wallet("payer")).toMatchObject({ available: 0.5 });
  });

  it("leaves an invoice open whose card is declined, and orders no other", async () => {
    const invoiceId = await invoiceOf("poor");
    await expect.poll(() => chargesOf(invoiceId)).toHaveLength(1);
    expect(await acme.invoices.get(invoiceId)).toMatchObject({ status: "open" });
    expect(await wallet("poor")).toMatchObject({ available: 0.5, pending: 100 });
    expect((await acme.orders.list({ customerId: "poor" })).orders).toHaveLength(1);
  });
});
