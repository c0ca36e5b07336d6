import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../src/index.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Admin, administrator } from "./administrator.ts";
import { caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

const adminToken = "cga_a-token-for-these-tests";

let plane: TestControlPlane;
let admin: Admin;
const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
const hour = 60 * 60 * 1_000;

beforeAll(async () => {
  plane = await startControlPlane({ fixture: acme, adminToken, clock });
  admin = administrator(plane.baseUrl, adminToken);
});
afterAll(() => plane.stop());

const acmePath = async () => `/organizations/${await admin.organizationId("Acme")}`;
const wallet = async (customer: string, currency = "ai_credits") => (await plane.balance(customer))[currency];

async function lastAudit(): Promise<Record<string, unknown>> {
  const { records } = (await admin.get("/audit?limit=1")).json;
  return (records as Record<string, unknown>[])[0] ?? {};
}

describe("the credentials of /admin/api", () => {
  it.each([
    ["none", {}],
    ["an API key", { authorization: "Bearer cg_test_local" }],
    ["an API key in its own header", { "service-api-key": "cg_test_local" }],
    ["another token", { authorization: "Bearer cga_a-token-for-these-tasts" }],
    ["no scheme", { authorization: adminToken }],
  ])("answers 401 to %s, and does not repeat it", async (_, headers) => {
    const response = await fetch(`${plane.baseUrl}/admin/api/organizations`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.text()).not.toMatch(/cg_test|cga_/);
  });

  it("do not open the public API", async () => {
    const { status } = await caller({ ...plane, apiKey: adminToken })("GET", "/api/v1/agents");
    expect(status).toBe(401);
  });

  it("are needed for there to be an admin API at all", async () => {
    const closed = await startServer({ databaseUrl: plane.databaseUrl, port: 0 });
    const response = await fetch(`${closed.url}/admin/api/organizations`);
    expect([response.status, (await response.json()).code]).toEqual([404, "route_unknown"]);
    await closed.stop();
  });
});

describe("/admin/api/organizations", () => {
  it("creates an organisation, whose keys see its own customers only", async () => {
    const { status, json } = await admin.post("/organizations", { name: "Umbrella" });
    expect(status).toBe(201);
    expect(json).toEqual({
      organizationId: expect.stringMatching(/^\d+$/),
      name: "Umbrella",
      billingPeriod: null,
      billingAnchor: null,
      timeZone: null,
      createdAt: "2026-01-01T00:00:00.000Z",
    });
    const { apiKey } = (await admin.post(`/organizations/${json.organizationId}/api-keys`, { name: "first" }))
      .json;
    const stranger = caller({ ...plane, apiKey: String(apiKey) });
    expect((await stranger("GET", "/api/v1/agents")).json).toMatchObject({ agents: [] });
    expect((await stranger("GET", "/api/v1/wallet/balance?customer_id=alice")).status).toBe(404);
    const twin = await admin.post("/organizations", { name: "Umbrella" });
    expect([twin.status, twin.json.code]).toEqual([409, "organization_exists"]);
    expect((await admin.get("/organizations")).json.organizations).toHaveLength(2);
  });

  it("keeps the settings of billing periods, and takes them back", async () => {
    const path = `${await acmePath()}/settings`;
    const changes = { billingPeriod: "weekly", billingAnchor: 7, timeZone: "Europe/Amsterdam" };
    expect((await admin.post(path, changes)).json).toMatchObject(changes);
    expect((await admin.post(path, { timeZone: null })).json).toMatchObject({ ...changes, timeZone: null });
    expect((await admin.post(path, { billingAnchor: 8 })).json.detail).toContain("a day of the week, 1 to 7");
    expect((await admin.post(path, { timeZone: "Mars/Olympus" })).json.detail).toContain(
      "/timeZone: expected",
    );
    expect((await admin.post(path, { billingPeriod: null, billingAnchor: null })).status).toBe(200);
    expect(await lastAudit()).toMatchObject({
      action: "organization.settings",
      before: { billingPeriod: "weekly" },
    });
  });

  it("closes periods by hand: those that have ended, or early, the running one", async () => {
    const customer = await admin.newCustomer(plane, {
      credit_currency_key: "voice_credits",
      kind: "postpaid",
    });
    const client = createClient({ baseUrl: plane.baseUrl, apiKey: plane.apiKey });
    await client.usage.report({ agentId: "chat", customerId: customer, indicator: "speech", rawUsage: {} });
    await plane.settled();
    const path = `${await acmePath()}/close-period`;
    expect((await admin.post(path)).json).toEqual({ invoices: 0 });
    clock.time += hour;
    expect((await admin.post(path, { early: true })).json).toEqual({ invoices: 1 });
    expect((await wallet(customer, "voice_credits"))?.postpaid_used).toBe(0);
    expect(await client.customers.subscription(customer)).toMatchObject({
      recommendedAction: "complete_payment",
    });
    const invoices = await admin.get(`${await acmePath()}/invoices?customer_id=${customer}&status=open`);
    const [invoice] = invoices.json.invoices as { invoiceId: string }[];
    expect(invoice).toMatchObject({ type: "period", credit_currency_key: "voice_credits", credits: 2 });
    const paid = await admin.post(`${await acmePath()}/invoices/${invoice?.invoiceId}/mark-paid`);
    expect(paid.json).toMatchObject({ status: "paid" });
    expect(await lastAudit()).toMatchObject({ actor: "admin:test", action: "invoice.mark_paid" });
  });
});

describe("/admin/api/organizations/{id}/api-keys", () => {
  const keys = async () => `${await acmePath()}/api-keys`;
  const use = (apiKey: unknown) => caller({ ...plane, apiKey: String(apiKey) });
  const status = async (apiKey: unknown) => (await use(apiKey)("GET", "/api/v1/agents")).status;

  it("shows a key once, when it is made: prefix, 128 random bits, checksum", async () => {
    const { status, json, headers } = await admin.post(await keys(), { name: "server" });
    expect(status).toBe(201);
    expect(json.apiKey).toMatch(/^cgk_[0-9a-f]{32}[0-9a-f]{8}$/);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(json.scopes).toEqual(["read", "usage", "wallets", "customers", "orders", "agents"]);
    const list = await admin.get(await keys());
    expect(list.text).toContain(String(json.keyId));
    expect(list.text + JSON.stringify(await lastAudit())).not.toContain(String(json.apiKey).slice(4, 20));
  });

  it("lets a key do what its scopes say", async () => {
    const { json } = await admin.post(await keys(), { name: "gate", scopes: ["read", "usage"] });
    const call = use(json.apiKey);
    expect((await call("GET", "/api/v1/wallet/balance?customer_id=alice")).status).toBe(200);
    expect((await call("POST", "/api/v2/usage", { body: usageOf() })).status).toBe(202);
    for (const path of [
      "/api/v1/wallet/top-up",
      "/API/v1/Wallet/top-up",
      "/api/v1/orders",
      "/api/v1/agents/ensure",
      "/api/v1/invoices/x/mark-paid",
      "/api/v1/customers/create-or-get",
    ]) {
      const refused = await call("POST", path, { body: {} });
      expect([path, refused.status, refused.json.code]).toEqual([path, 403, "scope_missing"]);
    }
    const writer = await admin.post(await keys(), { name: "writer", scopes: ["usage"] });
    expect((await use(writer.json.apiKey)("GET", "/api/v1/agents")).status).toBe(403);
    expect((await admin.post(await keys(), { name: "x", scopes: ["everything"] })).status).toBe(400);
  });

  it("rotates a key with an overlap, in which both are good", async () => {
    const old = (await admin.post(await keys(), { name: "rotated", scopes: ["read"] })).json;
    const rotated = (await admin.post(`${await keys()}/${old.keyId}/rotate`, { overlapSeconds: 3600 })).json;
    expect(rotated).toMatchObject({ name: "rotated", scopes: ["read"], expiresAt: null });
    expect([await status(old.apiKey), await status(rotated.apiKey)]).toEqual([200, 200]);
    clock.time += hour - 1;
    expect(await status(old.apiKey)).toBe(200);
    clock.time += 1;
    expect([await status(old.apiKey), await status(rotated.apiKey)]).toEqual([401, 200]);
    expect((await admin.post(`${await keys()}/${old.keyId}/rotate`)).status).toBe(409);
  });

  it("revokes a key at once, and for good", async () => {
    const { keyId, apiKey } = (await admin.post(await keys(), { name: "leaked" })).json;
    expect(await status(apiKey)).toBe(200);
    const revoked = await admin.post(`${await keys()}/${keyId}/revoke`);
    expect(await status(apiKey)).toBe(401);
    clock.time += hour;
    expect((await admin.post(`${await keys()}/${keyId}/revoke`)).json).toEqual(revoked.json);
    expect(await lastAudit()).toMatchObject({ action: "api_key.revoke", subject: keyId });
  });

  it("ends a key when it expires, and tells to the minute when it was last used", async () => {
    const expiresAt = new Date(clock.time + hour).toISOString();
    const { keyId, apiKey } = (await admin.post(await keys(), { name: "short", expiresAt })).json;
    const lastUsedAt = async () =>
      ((await admin.get(await keys())).json.apiKeys as { keyId: string; lastUsedAt: string | null }[]).find(
        (key) => key.keyId === keyId,
      )?.lastUsedAt;
    expect(await lastUsedAt()).toBeNull();
    await status(apiKey);
    const first = new Date(clock.time).toISOString();
    clock.time += 59_000;
    await status(apiKey);
    expect(await lastUsedAt()).toBe(first);
    clock.time += 2_000;
    await status(apiKey);
    expect(await lastUsedAt()).toBe(new Date(clock.time).toISOString());
    clock.time += hour;
    expect(await status(apiKey)).toBe(401);
  });

  it("answers 404 for a key that does not exist", async () => {
    expect((await admin.post(`${await keys()}/nothing/revoke`)).json.code).toBe("api_key_unknown");
  });
});

describe("/admin/api/organizations/{id}/currencies", () => {
  it("lists those that were named anywhere, and gives them a name and a price", async () => {
    const path = `${await acmePath()}/currencies`;
    const keys = ((await admin.get(path)).json.currencies as { credit_currency_key: string }[]).map(
      ({ credit_currency_key }) => credit_currency_key,
    );
    expect(keys).toEqual(["ai_credits", "voice_credits", "yen_credits"]);
    const named = {
      credit_currency_key: "new_credits",
      name: "New",
      unitPrice: { amount: "0.25", currency: "EUR" },
    };
    expect(await admin.post(path, named)).toMatchObject({ status: 201, json: named });
    const renamed = await admin.post(path, { credit_currency_key: "new_credits", name: "Newer" });
    expect(renamed).toMatchObject({ status: 200, json: { ...named, name: "Newer" } });
    expect(await lastAudit()).toMatchObject({
      action: "currency.set",
      before: { name: "New" },
      after: { name: "Newer" },
    });
  });
});

describe("/admin/api/organizations/{id}/customers", () => {
  it("lists customers with their wallets, in pages, and finds them by what they are called", async () => {
    const path = `${await acmePath()}/customers`;
    const { json } = await admin.get(`${path}?search=ALI&limit=1`);
    expect(json).toMatchObject({
      page: 1,
      limit: 1,
      total: 1,
      customers: [{ externalId: "alice", name: "Alice" }],
    });
    expect((json.customers as { wallets: unknown[] }[])[0]?.wallets).toMatchObject([
      { credit_currency_key: "ai_credits", kind: "prepaid", overage_limit: 20 },
      { credit_currency_key: "voice_credits", kind: "postpaid", postpaid_limit: 5 },
    ]);
    expect((await admin.get(`${path}?search=%25`)).json.total).toBe(0);
    expect((await admin.get(`${path}?limit=101`)).status).toBe(400);
  });

  it("creates wallets of either kind, once (1: postpaid wallets only here)", async () => {
    const customer = await admin.newCustomer(plane);
    const path = `${await acmePath()}/customers/${customer}/wallets`;
    const prepaid = { kind: "prepaid", credit_currency_key: "ai_credits", overage_limit: 2.5 };
    expect(await admin.post(path, prepaid)).toMatchObject({
      status: 201,
      json: { ...prepaid, available: 0 },
    });
    expect((await admin.post(path, prepaid)).json.code).toBe("wallet_exists");
    const postpaid = { kind: "postpaid", credit_currency_key: "voice_credits", postpaid_limit: 7 };
    expect((await admin.post(path, postpaid)).status).toBe(201);
    expect(await wallet(customer, "voice_credits")).toMatchObject({ postpaid_limit: 7, postpaid_used: 0 });
    expect((await admin.post(path, { ...postpaid, overage_limit: 1 })).status).toBe(400);
    expect((await admin.post(`${await acmePath()}/customers/nobody/wallets`, prepaid)).status).toBe(404);
  });

  it("changes the limit that the kind of wallet has", async () => {
    const customer = await admin.newCustomer(plane, { credit_currency_key: "ai_credits", kind: "prepaid" });
    const path = `${await acmePath()}/customers/${customer}/wallets/ai_credits/limits`;
    expect((await admin.post(path, { overage_limit: 12 })).json).toMatchObject({ overage_limit: 12 });
    expect(await wallet(customer)).toMatchObject({ overage_limit: 12 });
    expect(await lastAudit()).toMatchObject({
      action: "wallet.limits",
      subject: { customer, currency: "ai_credits" },
      before: { overage_limit: 0 },
      after: { overage_limit: 12 },
    });
    expect((await admin.post(path, { postpaid_limit: 1 })).json.detail).toContain(
      "since the wallet is prepaid",
    );
    expect((await admin.post(path.replace("ai_", "no_"), {})).json.code).toBe("wallet_unknown");
  });
});

describe("refunds and corrections", () => {
  const adjust = async (kind: string, body: Record<string, unknown>, headers: Record<string, string> = {}) =>
    admin.post(
      `${await acmePath()}/${kind}`,
      { credit_currency_key: "ai_credits", reason: "Because", ...body },
      headers,
    );

  it("give credits back as a top-up does, and take them as usage does, each an entry with its reason", async () => {
    const customer_id = await admin.newCustomer(plane, {
      credit_currency_key: "ai_credits",
      kind: "prepaid",
    });
    expect((await adjust("corrections", { customer_id, credits: -3 })).json).toMatchObject({
      overage_used: 3,
    });
    expect((await adjust("refunds", { customer_id, credits: 5 })).json).toMatchObject({
      available: 2,
      overage_used: 0,
    });
    expect(await lastAudit()).toMatchObject({
      actor: "admin:test",
      action: "wallet.refund",
      subject: { customer: customer_id, currency: "ai_credits", reason: "Because" },
      before: { available: 0, overage_used: 3 },
      after: { available: 2, overage_used: 0 },
    });
    const path = `${await acmePath()}/ledger?customer_id=${customer_id}`;
    const { entries } = (await admin.get(path)).json as { entries: Record<string, unknown>[] };
    expect(entries).toMatchObject([
      { cause: "refund", reason: "Because", available: 2, overage_used: -3 },
      { cause: "correction", reason: "Because", available: 0, overage_used: 3 },
    ]);
    const older = await admin.get(`${path}&limit=1&before=${entries[0]?.entryId}`);
    expect(older.json.entries).toEqual([entries[1]]);
  });

  it("take off a postpaid bill at most what is on it", async () => {
    const customer_id = await admin.newCustomer(plane, {
      credit_currency_key: "ai_credits",
      kind: "postpaid",
    });
    expect((await adjust("corrections", { customer_id, credits: -3 })).json).toMatchObject({
      postpaid_used: 3,
    });
    expect((await adjust("refunds", { customer_id, credits: 4 })).json.code).toBe("more_than_used");
    expect((await adjust("refunds", { customer_id, credits: 3 })).json).toMatchObject({ postpaid_used: 0 });
  });

  it("happen once per Idempotency-Key", async () => {
    const customer_id = await admin.newCustomer(plane, {
      credit_currency_key: "ai_credits",
      kind: "prepaid",
    });
    const headers = { "idempotency-key": "refund-1" };
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => adjust("refunds", { customer_id, credits: 1 }, headers)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect((await wallet(customer_id))?.available).toBe(1);
  });

  it.each([
    ["refunds", { customer_id: "alice", credits: -1 }, 400],
    ["corrections", { customer_id: "alice", credits: 0 }, 400],
    ["corrections", { customer_id: "alice", credits: 1e-7 }, 400],
    ["refunds", { customer_id: "alice", credits: 1, reason: "" }, 400],
    ["refunds", { customer_id: "nobody", credits: 1 }, 404],
    ["refunds", { customer_id: "bob", credits: 1 }, 404],
  ])("refuse %s of %j: %d", async (kind, body, status) => {
    expect((await adjust(kind, body)).status).toBe(status);
  });
});

describe("/admin/api/audit", () => {
  it("has what API keys do to money as well, with what was before and after", async () => {
    const { keyId, apiKey } = (await admin.post(`${await acmePath()}/api-keys`, { name: "audited" })).json;
    const customer = await admin.newCustomer(plane, { credit_currency_key: "ai_credits", kind: "prepaid" });
    const client = createClient({ baseUrl: plane.baseUrl, apiKey: String(apiKey) });
    await client.wallets.topUp({
      customer_id: customer,
      top_ups: [{ credit_currency_key: "ai_credits", credits: 2 }],
    });
    expect(await lastAudit()).toMatchObject({
      actor: `key:${keyId}`,
      action: "wallet.top_up",
      subject: customer,
      before: { ai_credits: { available: 0 } },
      after: { ai_credits: { available: 2 } },
      at: new Date(clock.time).toISOString(),
    });
  });

  it("is listed per organisation, and page by page", async () => {
    const id = await admin.organizationId("Umbrella");
    const { records } = (await admin.get(`/audit?organization_id=${id}`)).json as {
      records: { auditId: number; action: string }[];
    };
    expect(records.map(({ action }) => action)).toEqual(["api_key.create", "organization.create"]);
    const rest = await admin.get(`/audit?organization_id=${id}&before=${records[0]?.auditId}`);
    expect(rest.json.records).toEqual([records[1]]);
  });

  it("has what a fixture made, once however often it is loaded", async () => {
    const again = await startServer({ databaseUrl: plane.databaseUrl, port: 0, fixture: acme });
    await again.stop();
    const rows = await admin.query(
      plane.databaseUrl,
      "select action, count(*) from audit_log where actor = 'fixture' group by action order by action",
    );
    expect(rows).toEqual([
      { action: "api_key.create", count: 1n },
      { action: "organization.create", count: 1n },
      { action: "wallet.create", count: 2n },
    ]);
  });

  it("takes records, and neither changes nor removes them", async () => {
    for (const statement of [
      "update audit_log set actor = 'x'",
      "delete from audit_log",
      "truncate audit_log",
    ]) {
      await expect(admin.query(plane.databaseUrl, statement)).rejects.toThrow("audit_log is append-only");
    }
  });
});
