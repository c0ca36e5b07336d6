import { randomUUID } from "node:crypto";
import { adminEndpoints, createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient, type Endpoint } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { type Cluster, createCluster } from "../../postgres/test/cluster.ts";
import { connect, type Database } from "../src/database/connection.ts";
import { createPositions, faultOf } from "../src/database/replica-state.ts";
import { type RunningServer, startServer } from "../src/index.ts";
import { createTestDatabase } from "../src/testing/index.ts";
import { adminToken } from "./admin-scene.ts";
import { acme } from "./fixture.ts";

let cluster: Cluster;
let server: RunningServer;
let organization: OrganizationAdmin;
let invoiceId: string;
let orderId: string;
const notices: string[] = [];
const apiKey = acme.organization.apiKey ?? "";

beforeAll(async () => {
  cluster = await createCluster();
  server = await startServer({
    databaseUrl: cluster.primaryUrl,
    replicaUrl: cluster.replicaUrl,
    port: 0,
    metricsPort: 0,
    settlementDelayMs: 0,
    fixture: acme,
    adminTokens: [{ name: "test", token: adminToken }],
    rateLimitPerSecond: 0,
    onNotice: (line) => notices.push(line),
  });
  organization = await createAdminClient({ baseUrl: server.url, adminToken }).organizationNamed("Acme");
  const client = createClient({ baseUrl: server.url, apiKey });
  for (const indicator of ["message", "seat", "speech"])
    await client.usage.report({ agentId: "chat", customerId: "alice", indicator, rawUsage: {} });
  const platformFee = { amount: 4_900, currency: "EUR" };
  await client.orders.create({
    customerExternalId: "alice",
    orderName: "Plan",
    startDate: "2026-01-01",
    lineItems: [{ agentId: "chat", platformFee }],
  });
  const [invoice] = (await organization.invoices.list()).invoices;
  invoiceId = invoice?.invoiceId ?? "";
  orderId = invoice?.orderId ?? "";
  await server.settled();
  await used();
});
afterAll(async () => {
  await server?.stop();
  await cluster?.close();
});

/** How many lists were read, and from where. */
async function reads(from: "replica" | "primary"): Promise<number> {
  const text = await (await fetch(`${server.metricsUrl}/metrics`)).text();
  return Number(new RegExp(`creditgate_list_reads_total\\{from="${from}"\\} (\\d+)`).exec(text)?.[1] ?? 0);
}

/** Until a list is read from the replica. */
async function used(): Promise<void> {
  const before = await reads("replica");
  await vi.waitFor(
    async () => {
      await organization.ledger.list({ limit: 1 });
      expect(await reads("replica")).toBeGreaterThan(before);
    },
    { timeout: 20_000, interval: 50 },
  );
}

function ask(path: string): Promise<Response> {
  const headers = path.startsWith("/admin")
    ? { authorization: `Bearer ${adminToken}` }
    : { "service-api-key": apiKey };
  return fetch(`${server.url}${path}`, { headers });
}

async function get(path: string): Promise<string> {
  const response = await ask(path);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

const pause = () => cluster.replica.query("select pg_wal_replay_pause()");
const resume = () => cluster.replica.query("select pg_wal_replay_resume()");
async function correct(reason: string, by = organization): Promise<void> {
  const wallet = { customerId: "alice", creditCurrencyKey: "ai_credits" };
  await by.wallets.correct({ ...wallet, credits: 1, reason }, { idempotencyKey: randomUUID() });
}
/** Of the newest entries: which is the first of two that were written by two servers is up to their clocks. */
const reasons = async () =>
  (await organization.ledger.list({ limit: 5 })).entries.map(({ reason }) => reason);

describe("a server with a streaming replica", () => {
  it("answers from it, and what was changed before is there, by whichever server", async () => {
    const other = await startServer({
      databaseUrl: cluster.primaryUrl,
      port: 0,
      settlement: false,
      adminTokens: [{ name: "other", token: `${adminToken}-2` }],
    });
    const elsewhere = await createAdminClient({
      baseUrl: other.url,
      adminToken: `${adminToken}-2`,
    }).organizationNamed("Acme");
    const before = await reads("replica");
    try {
      for (let count = 0; count < 50; count += 1) {
        const reason = `change ${count}`;
        await correct(reason, count % 2 === 0 ? organization : elsewhere);
        expect(await reasons()).toContain(reason);
      }
    } finally {
      await other.stop();
    }
    expect(await reads("replica")).toBeGreaterThan(before);
  });

  it("reads lists and sums there, and no wallet, key, price or person", async () => {
    const { organizations } = JSON.parse(await get("/admin/api/organizations"));
    const own: Readonly<Record<string, string>> = {
      organizationId: organizations[0].organizationId,
      externalId: "alice",
      agentId: "chat",
      indicator: "message",
      creditCurrencyKey: "ai_credits",
      orderId,
      invoiceId,
    };
    const notOfOrganizations = /sign-in|oidc|account|usage-feed/;
    const endpoints: readonly Endpoint[] = Object.values({ ...adminEndpoints });
    const paths = endpoints
      .filter(({ method, path }) => method === "GET" && !notOfOrganizations.test(path))
      .map(({ path }) => path.replaceAll(/\{([^}]+)\}/g, (found, name: string) => own[name] ?? found));
    // This scene has no report, credit note or budget to name.
    expect(paths.filter((path) => path.includes("{")).map((path) => path.match(/\{.*\}/)?.[0])).toEqual([
      "{budgetKey}",
      "{usageId}",
      "{creditNoteId}",
    ]);
    // Some want more than this scene has: what they refuse, they have not read from the replica.
    const askAll = async () => {
      for (const path of paths.filter((path) => !path.includes("{"))) {
        const query = path.endsWith("usage-sums") ? "?by=customer" : "";
        await ask(`${path}${path.endsWith("books/balance") ? "?journal=credits" : query}`);
      }
      for (const path of [
        "wallet/balance?customer_id=alice",
        "customers/by-external-id/alice/subscription",
        "customers/by-external-id/alice/orders",
        "customers/by-external-id/alice/invoices",
        `orders/${orderId}/invoices`,
        "agents",
      ])
        await get(`/api/v1/${path}`);
    };
    const scans = async () => {
      const { rows } = await cluster.replica.query<{ name: string; scans: string }>(
        `select coalesce(inhparent::regclass::text, relname) as name, sum(seq_scan + coalesce(idx_scan, 0))::text as scans
           from pg_stat_user_tables left join pg_inherits on inhrelid = relid group by 1`,
      );
      return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
    };
    const before = await scans();
    const after = async () => {
      const now = await scans();
      return [...now.keys()].filter((name) => (now.get(name) ?? 0) > (before.get(name) ?? 0)).sort();
    };
    // Again until each list was read there: one that is asked for while the replica is behind is read from the
    // primary, and a connection reports its scans at most once a second, when it has answered.
    const asked = async () => {
      await askAll();
      return after();
    };
    const lists = ["ledger_entries", "orders", "invoices", "usage_reports", "voice_sessions"];
    await expect.poll(asked, { interval: 200 }).toEqual(expect.arrayContaining(lists));
    const read = await after();
    const others = ["wallets", "organizations", "api_keys", "prices", "users", "members", "webhook_secrets"];
    expect(read.filter((name) => others.includes(name))).toEqual([]);
  });

  it("answers from the primary while the replica is behind, and from the replica when it has caught up", async () => {
    await pause();
    const before = await reads("primary");
    try {
      for (const reason of ["behind 1", "behind 2", "behind 3"]) {
        await correct(reason);
        expect(await reasons()).toContain(reason);
      }
      expect(await reads("primary")).toBe(before + 3);
      await expect
        .poll(() => notices.at(-1))
        .toMatch(/^replica: not used, lists are read from the primary: it lacks \d+ bytes/);
    } finally {
      await resume();
    }
    await used();
    expect(notices.at(-1)).toMatch(/^replica: used again after \d+ s$/);
  });

  it("answers from the primary while the replica is down, also what was under way, and from the replica when it is back", async () => {
    const told = notices.length;
    const asked = Array.from({ length: 20 }, () => get("/api/v1/customers/by-external-id/alice/orders"));
    await Promise.all([...asked, cluster.stopReplica()]);
    await correct("down");
    expect(await reasons()).toContain("down");
    await expect.poll(() => notices.length).toBe(told + 1);
    await cluster.startReplica();
    await used();
    expect(notices).toHaveLength(told + 2);
  });

  it("tells what is wrong with a server that is no replica of its own", async () => {
    const test = await createTestDatabase();
    const [primary, replica, same, other] = [
      cluster.primaryUrl,
      cluster.replicaUrl,
      cluster.primaryUrl,
      test.databaseUrl,
    ].map((url) => connect(url, 2));
    if (!primary || !replica || !same || !other) throw new Error("There are four.");
    const fault = (database: Database) =>
      faultOf(primary.database, createPositions(primary.database), database);
    try {
      expect(await fault(replica.database)).toBeUndefined();
      expect(await fault(same.database)).toBe("expected a standby, received a server that can be written to");
      await cluster.primary.query("create role reader login");
      await cluster.primary.query("create database elsewhere");
      await cluster.caughtUp();
      const reader = new URL(cluster.replicaUrl);
      reader.username = "reader";
      const elsewhere = new URL(cluster.replicaUrl);
      elsewhere.pathname = "/elsewhere";
      for (const [url, told] of [
        [
          reader,
          /^expected a role that may read the tables, received one that may not read .*ledger_entries/,
        ],
        [elsewhere, "expected a standby with the database of DATABASE_URL, received another"],
      ] as const) {
        const wrong = connect(url.href, 1);
        expect(await fault(wrong.database)).toMatch(told);
        await wrong.close();
      }
      await expect(
        faultOf(replica.database, createPositions(replica.database), other.database),
      ).rejects.toThrow("recovery is in progress");
    } finally {
      await Promise.all([primary, replica, same, other].map(({ close }) => close()));
      await test.drop();
    }
  });

  it("is not read from where the primary was brought back to a moment that it is past", async () => {
    const told = notices.length;
    await correct("kept");
    await cluster.backUpPrimary();
    for (let count = 0; count < 20; count += 1) await correct("undone");
    await cluster.caughtUp();
    await cluster.restorePrimary();
    await vi.waitFor(() => correct("after"), { timeout: 20_000, interval: 50 });
    expect(await reasons()).toContain("after");
    expect(await reasons()).not.toContain("undone");
    await expect
      .poll(() => notices.slice(told).at(-1))
      .toBe(
        "replica: not used, lists are read from the primary: expected a standby on the primary's timeline 2, received one on 1",
      );
    await cluster.restoreReplica();
    await cluster.caughtUp();
    // A standby notes its timeline at the next of its restart points, which otherwise comes in minutes.
    await cluster.primary.query("checkpoint");
    await cluster.caughtUp();
    await cluster.replica.query("checkpoint");
    await used();
  });
});
