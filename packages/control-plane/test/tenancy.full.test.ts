import { createClient, type Endpoint, endpoints } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { operations } from "../src/routes/table.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Admin, administrator } from "./administrator.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

/**
 * Every endpoint is called by organisation B with what is A's: customers, agents, orders, invoices, sessions, keys.
 * The list is the contract's: an endpoint without a case here does not compile.
 */
interface Case {
  /** What B sends, all of it naming things of A. */
  readonly query?: string;
  readonly body?: Readonly<Record<string, unknown>>;
  readonly params?: Readonly<Record<string, string>>;
  /** `404`, or what B makes or sees of its own under the same name. */
  readonly answers: 404 | { readonly status: number; readonly own: Readonly<Record<string, unknown>> };
}

const adminToken = "cga_a-token-for-these-tests";
let plane: TestControlPlane;
let admin: Admin;
let a: Caller;
let b: Caller;
let readOnly: Caller;
let ids: Record<"order" | "invoice" | "key" | "orgA" | "orgB", string>;

beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, adminToken });
  admin = administrator(plane.baseUrl, adminToken);
  a = caller(plane);
  const orgB = String((await admin.post("/organizations", { name: "B" })).json.organizationId);
  const keyOf = async (name: string, terms = {}) =>
    String((await admin.post(`/organizations/${orgB}/api-keys`, { name, ...terms })).json.apiKey);
  b = caller({ ...plane, apiKey: await keyOf("b") });
  readOnly = caller({ ...plane, apiKey: await keyOf("reader", { scopes: ["read"] }) });

  const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
  const platformFee = { amount: 100, currency: "EUR" };
  const creditBenefits = [{ credit_currency_key: "ai_credits", credits: 5 }];
  const order = (await client.orders.create({
    customerExternalId: "alice",
    orderName: "Plan",
    startDate: "2026-01-01",
    lineItems: [{ agentId: "chat", platformFee, creditBenefits }],
  })) as { orderId: string; invoices: { invoiceId: string }[] };
  await client.customers.createOrGet({ externalId: "carol", name: "Carol", email: "carol@example.com" });
  await a("POST", "/api/v2/gates/heartbeat", { body: heartbeat });
  await client.voice.session({ sessionId: "call-of-a", agentId: "chat", customerId: "alice" });
  const orgA = await admin.organizationId("Acme");
  const { apiKeys } = (await admin.get(`/organizations/${orgA}/api-keys`)).json as {
    apiKeys: { keyId: string }[];
  };
  ids = {
    order: order.orderId,
    invoice: order.invoices[0]?.invoiceId ?? "",
    key: apiKeys[0]?.keyId ?? "",
    orgA,
    orgB,
  };
});
afterAll(() => plane.stop());

const origin = { provider: "p", model: "m", plan: "x" };
const call = { sessionId: "call-of-a", ...origin };

const heartbeat = {
  ...{ gateId: "4e0b7c1d-2f3a-4b5c-8d6e-7f8091a2b3c4", name: "web", platform: "", version: "1" },
  ...{ startedAt: "2026-01-01T00:00:00Z", everyMs: 5_000, allowed: 7, denied: {}, late: 0 },
  ...{ open: 0, held: 0, queued: 0, parked: 0, dead: 0, waiting: [], retried: [] },
};

const cases = (): Record<keyof typeof endpoints, Case> => ({
  walletBalance: { query: "?customer_id=alice", answers: 404 },
  walletBudgets: {
    body: { customer_id: "alice", budgets: { ai_credits: ["member:1"] } },
    answers: 404,
  },
  walletTopUp: {
    body: { customer_id: "alice", top_ups: [{ credit_currency_key: "ai_credits", credits: 1 }] },
    answers: 404,
  },
  usageReport: { body: usageOf() as Record<string, unknown>, answers: 404 },
  usageBatch: {
    body: { reports: [{ key: "k", ...(usageOf() as Record<string, unknown>) }] },
    answers: { status: 200, own: { results: [{ key: "k", status: 404 }] } },
  },
  customerCreateOrGet: {
    body: { externalId: "carol", name: "Theirs" },
    answers: { status: 201, own: { externalId: "carol", name: "Theirs", email: null } },
  },
  customerSubscription: { params: { external_id: "alice" }, query: "?agentId=chat", answers: 404 },
  customerOrders: { params: { external_id: "alice" }, answers: 404 },
  customerInvoices: { params: { external_id: "alice" }, answers: 404 },
  orderCreate: {
    body: {
      customerExternalId: "alice",
      orderName: "Theirs",
      startDate: "2026-01-01",
      lineItems: [{ agentId: "chat" }],
    },
    answers: 404,
  },
  orderInvoices: { params: { order_id: ids.order }, answers: 404 },
  invoiceMarkPaid: { params: { invoice_id: ids.invoice }, answers: 404 },
  agentList: { answers: { status: 200, own: { agents: [], total: 0 } } },
  agentEnsure: {
    body: { agent_name: "Theirs", agent_external_id: "chat-1" },
    answers: { status: 201, own: { agent_name: "Theirs" } },
  },
  voiceSession: { body: { sessionId: "call-of-b", agentId: "chat", customerId: "alice" }, answers: 404 },
  voiceStt: { body: { ...call, audioMinutes: 1 }, answers: 404 },
  voiceLlm: { body: { ...call, promptTokens: 1, completionTokens: 1, cachedTokens: 0 }, answers: 404 },
  voiceTts: { body: { ...call, characters: 1 }, answers: 404 },
  gateHeartbeat: {
    body: { ...heartbeat, name: "theirs", allowed: 9, retried: ["report-of-a"] },
    answers: { status: 200, own: { retry: [] } },
  },
  voiceIndicator: { body: { sessionId: "call-of-a", indicator: "message", totalDuration: 1 }, answers: 404 },
});

const names = Object.keys(endpoints) as (keyof typeof endpoints)[];

function send(by: Caller, endpoint: Endpoint, { params = {}, query = "", body }: Case) {
  const path = endpoint.path.replaceAll(/{(\w+)}/g, (_, name) => encodeURIComponent(params[name] ?? ""));
  return by(endpoint.method, `${path}${query}`, body === undefined ? {} : { body });
}

/** Everything that is stored of A, without when its keys were used. Housekeeping may add partitions at any time, so parents stand for them. */
async function stateOfA(): Promise<unknown[]> {
  const tables = (await admin.query(
    plane.databaseUrl,
    `select relname as table_name from pg_class join pg_attribute on attrelid = pg_class.oid and attname = 'org_id'
      where relnamespace = 'public'::regnamespace and relkind in ('r', 'p') and not relispartition order by 1`,
  )) as { table_name: string }[];
  expect(tables.length).toBeGreaterThan(12);
  return Promise.all(
    tables.map(async ({ table_name }) => {
      const rows = await admin.query(
        plane.databaseUrl,
        `select coalesce(jsonb_agg(row order by row), '[]') as rows
           from (select to_jsonb(t) - 'last_used_at' as row from ${table_name} as t where org_id = ${ids.orgA}) as r`,
      );
      return [table_name, rows];
    }),
  );
}

describe("organisation B with what is A's (5: the key is the caller's)", () => {
  it.each(names)("%s reaches nothing of A, and changes nothing of A", async (name) => {
    const before = await stateOfA();
    const { status, json, text } = await send(b, endpoints[name], cases()[name]);
    const { answers } = cases()[name];
    if (answers === 404) expect([status, json.status]).toEqual([404, 404]);
    else {
      expect(status).toBe(answers.status);
      expect(json).toMatchObject(answers.own);
    }
    expect(text).not.toMatch(/Alice|Carol|"Chat"/);
    expect(await stateOfA()).toEqual(before);
  });

  it.each(names)("the same call of %s does reach A with A's key", async (name) => {
    const { status } = await send(a, endpoints[name], cases()[name]);
    // A session is there to be found, though the indicator is none that closes it.
    expect(status === 404 ? name : "found").toBe("found");
  });

  it.each(names)("%s asks for a scope: a key that may read may not write", async (name) => {
    const { status, json } = await send(readOnly, endpoints[name], cases()[name]);
    if (operations[name].scope === "read") expect(status).not.toBe(403);
    else expect([status, json.code]).toEqual([403, "scope_missing"]);
  });
});

describe("the admin API below organisation B, with what is A's", () => {
  // What was sent before would change A's wallets while they are compared.
  beforeAll(() => plane.settled());

  const wallet = { creditCurrencyKey: "ai_credits" };
  const adjustment = { customerId: "bob", ...wallet, credits: 1, reason: "r" };
  it.each<[string, () => string, Record<string, unknown>?]>([
    ["rotating a key", () => `/api-keys/${ids.key}/rotate`, {}],
    ["revoking a key", () => `/api-keys/${ids.key}/revoke`, {}],
    ["a wallet of a customer", () => "/customers/bob/wallets", { kind: "prepaid", ...wallet }],
    ["limits of a wallet", () => "/customers/bob/wallets/ai_credits/limits", { overageLimit: 1 }],
    ["a refund", () => "/refunds", adjustment],
    ["a correction", () => "/corrections", adjustment],
    ["paying an invoice", () => `/invoices/${ids.invoice}/mark-paid`, {}],
    ["voiding an invoice", () => `/invoices/${ids.invoice}/void`, { reason: "r" }],
    ["crediting an invoice", () => `/invoices/${ids.invoice}/credit-notes`, { reason: "r" }],
    ["cancelling an order", () => `/orders/${ids.order}/cancel`, { reason: "r" }],
  ])("answers 404 to %s, and changes nothing of A", async (_, path, body) => {
    const before = await stateOfA();
    expect((await admin.post(`/organizations/${ids.orgB}${path()}`, body)).status).toBe(404);
    expect(await stateOfA()).toEqual(before);
  });

  it.each(["api-keys", "currencies", "customers", "ledger", "orders", "invoices", "credit-notes"])(
    "lists no %s of A",
    async (list) => {
      const { text } = await admin.get(`/organizations/${ids.orgB}/${list}`);
      expect(text).not.toMatch(/"bob"|ai_credits/);
      expect(text).not.toContain(ids.key);
      expect(text).not.toContain(ids.invoice);
      expect(text).not.toContain(ids.order);
    },
  );

  it.each(["0", "999999", "1x", "-1", "9".repeat(30)])("answers 404 below organisation %s", async (id) => {
    expect((await admin.get(`/organizations/${id}/customers`)).json.code).toBe("organization_unknown");
  });
});
