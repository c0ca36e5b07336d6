import { adminEndpoints } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startServer } from "../src/index.ts";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { caller } from "./caller.ts";
import { acme } from "./fixture.ts";

let scene: AdminScene;
beforeAll(async () => {
  scene = await openAdminScene();
});
afterAll(() => scene.plane.stop());

describe("the credentials of /admin/api", () => {
  it.each([
    ["none", {}],
    ["an API key", { authorization: "Bearer cg_test_local" }],
    ["an API key in its own header", { "service-api-key": "cg_test_local" }],
    ["another token", { authorization: "Bearer cga_a-token-for-these-tasts" }],
    ["no scheme", { authorization: adminToken }],
  ])("answers 401 to %s, and does not repeat it", async (_, headers) => {
    const response = await fetch(`${scene.plane.baseUrl}/admin/api/organizations`, { headers });
    expect(response.status).toBe(401);
    expect(response.headers.get("www-authenticate")).toMatch(/^Bearer/);
    expect(await response.text()).not.toMatch(/cg_test|cga_/);
  });

  it("do not open the public API", async () => {
    const { status } = await caller({ ...scene.plane, apiKey: adminToken })("GET", "/api/v1/agents");
    expect(status).toBe(401);
  });

  it("are needed for there to be an admin API at all", async () => {
    const closed = await startServer({ databaseUrl: scene.plane.databaseUrl, port: 0 });
    const response = await fetch(`${closed.url}/admin/api/organizations`);
    expect([response.status, (await response.json()).code]).toEqual([404, "route_unknown"]);
    await closed.stop();
  });
});

describe("a field or a parameter that the admin API does not know", () => {
  const names: Readonly<Record<string, string>> = {
    "{externalId}": "alice",
    "{creditCurrencyKey}": "ai_credits",
    "{agentId}": "chat",
    "{indicator}": "message",
    "{budgetKey}": "member:1",
    "{budgetKind}": "member:*",
  };
  // The others take a person who signs in.
  const endpoints = Object.values(adminEndpoints).filter(
    ({ scope }) => scope !== "anyone" && scope !== "session",
  );

  it.each(endpoints.map(({ name, method, path }) => [name, method, path] as const))(
    "is refused and named by %s",
    async (name, method, template) => {
      const path = template
        .replace("/admin/api/organizations/{organizationId}", scene.path)
        .replace("/admin/api", "")
        .replaceAll(/\{\w+\}/g, (parameter) => names[parameter] ?? "00000000-0000-4000-8000-000000000000");
      const call = method === "GET" ? scene.admin.get : scene.admin.post;
      const asked = await call(`${path}?customer_id=alice`);
      expect([asked.status, asked.json.detail]).toEqual([400, expect.stringContaining("customer_id")]);
      if (method === "GET") return;
      const sent = await scene.admin.post(path, { customer: "alice" });
      // Without a `kind` it is not known which fields a wallet takes; what is sent again is either of two.
      const named =
        name === "walletCreate" ? "/kind" : name === "webhookReplay" ? "expected eventId" : '"customer"';
      expect([sent.status, sent.json.detail]).toEqual([400, expect.stringContaining(named)]);
    },
  );

  it("is refused in what an order adds to that of the public API", async () => {
    const order = { customerExternalId: "alice", orderName: "Pro", startDate: "2026-01-01" };
    const body = { ...order, lineItems: [{ agentId: "chat" }], Paid: true };
    const { status, json } = await scene.admin.post(`${scene.path}/orders`, body);
    expect([status, json.detail]).toEqual([400, '/: Unrecognized key: "Paid", received an object']);
  });
});

describe("/admin/api/organizations", () => {
  it("creates an organisation, whose keys see its own customers only", async () => {
    const { status, json } = await scene.admin.post("/organizations", { name: "Umbrella" });
    expect(status).toBe(201);
    expect(json).toEqual({
      organizationId: expect.stringMatching(/^\d+$/),
      name: "Umbrella",
      billingPeriod: null,
      billingAnchor: null,
      timeZone: null,
      lowThreshold: null,
      usageKeptMonths: null,
      answersKeptMonths: null,
      auditKeptMonths: null,
      ledgerKeptMonths: null,
      createdAt: "2026-01-01T00:00:00.000Z",
      etag: expect.any(String),
    });
    const { apiKey } = (
      await scene.admin.post(`/organizations/${json.organizationId}/api-keys`, { name: "first" })
    ).json;
    const stranger = caller({ ...scene.plane, apiKey: String(apiKey) });
    expect((await stranger("GET", "/api/v1/agents")).json).toMatchObject({ agents: [] });
    expect((await stranger("GET", "/api/v1/wallet/balance?customer_id=alice")).status).toBe(404);
    const twin = await scene.admin.post("/organizations", { name: "Umbrella" });
    expect([twin.status, twin.json.code]).toEqual([409, "organization_exists"]);
    expect((await scene.admin.get("/organizations")).json.organizations).toHaveLength(2);
  });

  it("keeps the settings of billing periods, and takes them back", async () => {
    const path = `${scene.path}/settings`;
    const changes = { billingPeriod: "weekly", billingAnchor: 7, timeZone: "Europe/Amsterdam" };
    expect((await scene.admin.post(path, changes)).json).toMatchObject(changes);
    expect((await scene.admin.post(path, { timeZone: null })).json).toMatchObject({
      ...changes,
      timeZone: null,
    });
    expect((await scene.admin.post(path, { billingAnchor: 8 })).json.detail).toContain(
      "a day of the week, 1 to 7",
    );
    expect((await scene.admin.post(path, { timeZone: "Mars/Olympus" })).json.detail).toContain(
      "/timeZone: expected",
    );
    expect((await scene.admin.post(path, { billingPeriod: null, billingAnchor: null })).status).toBe(200);
    expect(await scene.lastAudit()).toMatchObject({
      action: "organization.settings",
      before: { billingPeriod: "weekly" },
    });
  });

  it("closes periods by hand: those that have ended, or early, the running one", async () => {
    const customer = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "voice_credits",
      kind: "postpaid",
      postpaidLimit: 0,
    });
    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
    await client.usage.report({ agentId: "chat", customerId: customer, indicator: "speech", rawUsage: {} });
    await scene.plane.settled();
    const path = `${scene.path}/close-period`;
    expect((await scene.admin.post(path)).json).toEqual({ invoices: 0, waiting: 0, failures: 0 });
    scene.clock.time += hour;
    expect((await scene.admin.post(path, { early: true })).json).toMatchObject({ invoices: 1 });
    expect((await scene.wallet(customer, "voice_credits"))?.postpaid_used).toBe(0);
    expect(await client.customers.subscription(customer)).toMatchObject({
      recommendedAction: "complete_payment",
    });
    const invoices = await scene.admin.get(`${scene.path}/invoices?customerId=${customer}&status=open`);
    const [invoice] = invoices.json.invoices as { invoiceId: string }[];
    expect(invoice).toMatchObject({ type: "period", creditCurrencyKey: "voice_credits", credits: 2 });
    const paid = await scene.admin.post(`${scene.path}/invoices/${invoice?.invoiceId}/mark-paid`);
    expect(paid.json).toMatchObject({ status: "paid" });
    expect(await scene.lastAudit()).toMatchObject({ actor: "admin:test", action: "invoice.mark_paid" });
  });
});

describe("/admin/api/audit", () => {
  it("has what API keys do to money as well, with what was before and after", async () => {
    const { keyId, apiKey } = (await scene.admin.post(`${scene.path}/api-keys`, { name: "audited" })).json;
    const customer = await scene.admin.newCustomer(scene.plane, {
      creditCurrencyKey: "ai_credits",
      kind: "prepaid",
    });
    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: String(apiKey) });
    await client.wallets.topUp(
      {
        customer_id: customer,
        top_ups: [{ credit_currency_key: "ai_credits", credits: 2 }],
      },
      { idempotencyKey: customer },
    );
    expect(await scene.lastAudit()).toMatchObject({
      actor: `key:${keyId}`,
      action: "wallet.top_up",
      subject: customer,
      before: { ai_credits: { available: 0 } },
      after: { ai_credits: { available: 2 } },
      at: new Date(scene.clock.time).toISOString(),
    });
  });

  it("is listed per organisation, by action and time, and part by part", async () => {
    const id = await scene.admin.organizationId("Umbrella");
    const { records } = (await scene.admin.get(`/audit?organizationId=${id}`)).json as {
      records: { auditId: number; action: string }[];
    };
    expect(records.map(({ action }) => action)).toEqual(["api_key.create", "organization.create"]);
    const { next } = (await scene.admin.get(`/audit?organizationId=${id}&limit=1`)).json;
    const rest = await scene.admin.get(`/audit?organizationId=${id}&limit=1&cursor=${next}`);
    expect(rest.json).toEqual({ records: [records[1]], next: null });
    const made = await scene.admin.get(`/audit?organizationId=${id}&action=organization.create`);
    expect(made.json.records).toEqual([records[1]]);
    const at = "2026-01-01T00:00:00Z";
    expect((await scene.admin.get(`/audit?organizationId=${id}&from=${at}`)).json.records).toEqual(records);
    expect((await scene.admin.get(`/audit?organizationId=${id}&to=${at}`)).json.records).toEqual([]);
  });

  it("has what a fixture made, once however often it is loaded", async () => {
    const again = await startServer({ databaseUrl: scene.plane.databaseUrl, port: 0, fixture: acme });
    await again.stop();
    const rows = await scene.admin.query(
      scene.plane.databaseUrl,
      "select action, count(*) from audit_log where actor = 'fixture' group by action order by action",
    );
    expect(rows).toEqual([
      { action: "api_key.create", count: 1n },
      { action: "indicator.create", count: 6n },
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
      await expect(scene.admin.query(scene.plane.databaseUrl, statement)).rejects.toThrow(
        "audit_log is append-only",
      );
    }
  });
});
