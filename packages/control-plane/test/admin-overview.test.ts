import { createAdminClient, type OrganizationAdmin } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { queued } from "./usage-rows.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);
const report = (agentId: string, indicator: string, customerId: string) =>
  createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey }).usage.report({
    agentId,
    customerId,
    indicator,
    rawUsage: { inputTokens: 1_000 },
  });

/** Four days: alice uses 1.5 credits an hour apart each day, bob 3 on two of them, carol 3 on the last. */
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  await acme.customers.create({ externalId: "carol", name: "Carol" });
  await acme.agents.create({ agentId: "artist", agentExternalId: "artist", agentName: "Artist" });
  const terms = { billing: "CREDITS", currency: "ai_credits", price: { perEvent: 3 } } as const;
  await acme.indicators.create("artist", { name: "image", ...terms });
  for (let at = 0; at < 4; at += 1) {
    scene.clock.time = start + at * day + at * hour;
    await report("chat", "message", "alice");
    if (at % 2 === 0) await report("artist", "image", "bob");
    if (at === 3) await report("artist", "image", "carol");
  }
  await scene.plane.settled();
});
afterAll(() => scene.plane.stop());

const span = { from: "2026-01-02T00:00:00Z", to: "2026-01-05T00:00:00Z" };
const ai = { creditCurrencyKey: "ai_credits" };

describe("usage over time", () => {
  it("is of the agents that used most, of all others, and of the time before", async () => {
    expect(await acme.overview.usage({ by: "agent", ...ai, ...span, top: 1 })).toEqual({
      by: "agent",
      unit: "day",
      creditCurrencyKey: "ai_credits",
      from: "2026-01-02T00:00:00.000Z",
      to: "2026-01-05T00:00:00.000Z",
      times: ["2026-01-02T00:00:00.000Z", "2026-01-03T00:00:00.000Z", "2026-01-04T00:00:00.000Z"],
      series: [{ id: "artist", name: "Artist", events: 2, credits: 6, values: [0, 3, 3] }],
      others: { events: 3, credits: 4.5, values: [1.5, 1.5, 1.5] },
      total: { events: 5, credits: 10.5 },
      before: { events: 2, credits: 4.5 },
    });
  });

  it("is of the customers that used most, by day and by hour", async () => {
    const days = await acme.overview.usage({ by: "customer", ...ai, ...span, top: 2 });
    expect(days.series).toEqual([
      { id: "alice", name: "Alice", events: 3, credits: 4.5, values: [1.5, 1.5, 1.5] },
      { id: "bob", name: "Bob", events: 1, credits: 3, values: [0, 3, 0] },
    ]);
    expect(days.others).toEqual({ events: 1, credits: 3, values: [0, 0, 3] });
    const hours = { from: "2026-01-04T03:00:00Z", to: "2026-01-04T05:00:00Z" };
    const byHour = await acme.overview.usage({ by: "customer", unit: "hour", ...ai, ...hours, top: 1 });
    expect(byHour.series).toEqual([{ id: "carol", name: "Carol", events: 1, credits: 3, values: [3, 0] }]);
    expect(byHour.others).toEqual({ events: 1, credits: 1.5, values: [1.5, 0] });
  });

  it("has what is not settled yet, once", async () => {
    const before = await acme.overview.usage({ by: "customer", ...ai, ...span });
    await scene.admin.query(
      scene.plane.databaseUrl,
      `begin; ${queued("usage_reports where customer_id = 'alice'", { due: "'infinity'" })};
       create table hidden as select * from customer_usage_days where customer_id = 'alice';
       delete from customer_usage_days where customer_id = 'alice';
       delete from usage_days; insert into usage_days
         select org_id, day, agent_id, indicator, currency, sum(events), sum(credits) from customer_usage_days
          group by 1, 2, 3, 4, 5; commit`,
    );
    expect(await acme.overview.usage({ by: "customer", ...ai, ...span })).toEqual(before);
    expect((await acme.overview.usage({ by: "agent", ...ai, ...span })).total).toEqual(before.total);
    await scene.admin.query(
      scene.plane.databaseUrl,
      `begin; delete from usage_due; insert into customer_usage_days table hidden;
       delete from usage_days; insert into usage_days
         select org_id, day, agent_id, indicator, currency, sum(events), sum(credits) from customer_usage_days
          group by 1, 2, 3, 4, 5; commit`,
    );
  });

  it("finds who used most anew when some time has passed, and answers meanwhile what it knows", async () => {
    scene.clock.time = start + 3 * day + 5 * hour;
    const leader = async () =>
      (await acme.overview.usage({ by: "customer", ...ai, ...span, top: 1 })).series[0]?.id;
    await leader();
    for (let times = 0; times < 3; times += 1) await report("artist", "image", "carol");
    await scene.plane.settled();
    expect(await leader()).not.toBe("carol");
    scene.clock.time += 60_000;
    await expect.poll(leader).toBe("carol");
  });

  it("is nothing in a currency that nobody has used", async () => {
    const { series, total } = await acme.overview.usage({ by: "customer", creditCurrencyKey: "rare" });
    expect({ series, total }).toEqual({ series: [], total: { events: 0, credits: 0 } });
  });

  it.each([
    ["by=day&creditCurrencyKey=ai_credits", "by: "],
    ["by=agent", "creditCurrencyKey: "],
    ["by=agent&creditCurrencyKey=a&top=21", "top: expected a whole number from 1 to 20"],
    [
      "by=agent&creditCurrencyKey=a&unit=hour&from=2026-01-01T00:30:00Z",
      "from: expected the beginning of an hour",
    ],
  ])("refuses %s", async (query, detail) => {
    const { status, json } = await scene.admin.get(`${scene.path}/usage-series?${query}`);
    expect([status, json.detail]).toEqual([400, expect.stringContaining(detail)]);
  });
});

describe("settlement", () => {
  it("tells what waits, since when, and whether that is late", async () => {
    expect(await acme.overview.settlement()).toEqual({
      waiting: 0,
      more: false,
      sums: [],
      dueSince: null,
      isLate: false,
    });
    await scene.admin.query(
      scene.plane.databaseUrl,
      queued("usage_reports where customer_id = 'bob'", { due: "now() + interval '1 day'", counted: true }),
    );
    const waiting = await acme.overview.settlement();
    expect(waiting).toMatchObject({
      waiting: 2,
      sums: [{ creditCurrencyKey: "ai_credits", credits: 6 }],
      isLate: false,
    });
    const due = new Date(waiting.dueSince ?? 0).getTime();
    scene.clock.time = due + 5_001;
    expect(await acme.overview.settlement()).toMatchObject({ isLate: true });
    await scene.admin.query(
      scene.plane.databaseUrl,
      "update usage_due set message = 'why', failed_at = now()",
    );
    expect(await acme.overview.settlement()).toMatchObject({ waiting: 0 });
  });

  it("tells how long it took in each half hour of the last day", async () => {
    scene.clock.time = start + 3 * day + 4 * hour;
    await scene.admin.query(
      scene.plane.databaseUrl,
      `set session_replication_role = replica; delete from usage_due;
       update usage_outcomes set outcome = 'free', settled_at = received_at + interval '2500 milliseconds';
       update ledger_entries as entry set created_at = received_at + interval '2500 milliseconds'
         from usage_reports as report where (entry.org_id, entry.usage_id) = (report.org_id, report.usage_id)`,
    );
    expect(await acme.overview.settlementAges()).toEqual({
      from: "2026-01-03T04:00:00.000Z",
      to: "2026-01-04T04:00:00.000Z",
      ages: [{ at: "2026-01-04T03:00:00.000Z", sampled: 2, medianMs: 2_500, p95Ms: 2_500 }],
    });
  });
});

describe("what needs attention", () => {
  const counts = async () => {
    const counted = Object.entries(await acme.overview.attention());
    return Object.fromEntries(counted.flatMap(([name, { count }]) => (count === 0 ? [] : [[name, count]])));
  };
  const urgent = async (urgency: "exhausted" | "low") => {
    const { wallets } = await acme.overview.urgentWallets.list({ urgency });
    return wallets.map(({ customerName, creditCurrencyKey }) => [customerName, creditCurrencyKey]);
  };

  it("is wallets near their end, from the moment on at which they come there", async () => {
    await acme.customers.create({ externalId: "dan", name: "Dan" });
    await acme.wallets.create("dan", {
      kind: "postpaid",
      creditCurrencyKey: "ai_credits",
      postpaidLimit: 10,
    });
    await acme.wallets.create("carol", { kind: "prepaid", creditCurrencyKey: "ai_credits" });
    await scene.plane.settled();
    const use = (customer: string, columns: string) =>
      scene.admin.query(
        scene.plane.databaseUrl,
        `update wallets set ${columns} where customer_id = '${customer}' and currency = 'ai_credits'`,
      );
    await use("alice", "available = 100000000, overage_used = 0");
    await use("carol", "available = 0, overage_limit = 0, overage_used = 0");
    await use("dan", "postpaid_used = 9000000");
    expect([await urgent("exhausted"), await urgent("low")]).toEqual([[["Carol", "ai_credits"]], []]);
    await use("dan", "postpaid_used = 9000001");
    await use("alice", "available = 0, overage_used = 1");
    expect(await urgent("low")).toEqual([
      ["Alice", "ai_credits"],
      ["Dan", "ai_credits"],
    ]);
    const [first] = (await acme.overview.urgentWallets.list({ urgency: "low", limit: 1 })).wallets;
    await use("alice", "overage_used = 2");
    expect((await acme.overview.urgentWallets.list({ urgency: "low" })).wallets[0]).toMatchObject({
      urgentSince: first?.urgentSince,
      state: "overage",
      overageUsed: 0.000002,
    });
    await use("dan", "postpaid_used = 10000000");
    expect(await urgent("exhausted")).toEqual([
      ["Dan", "ai_credits"],
      ["Carol", "ai_credits"],
    ]);
    expect(await counts()).toMatchObject({ exhausted: 2, low: 1 });
    await use("dan", "postpaid_used = 0");
    await use("alice", "available = 50000000, overage_used = 0");
    expect([await urgent("exhausted"), await urgent("low")]).toEqual([[["Carol", "ai_credits"]], []]);
  });

  it("is a wallet below its threshold, or else that of its organisation", async () => {
    await acme.wallets.setLimits("alice", "ai_credits", { lowThreshold: 50.000001 });
    expect(await urgent("low")).toEqual([["Alice", "ai_credits"]]);
    await acme.wallets.setLimits("alice", "ai_credits", { lowThreshold: null });
    expect(await urgent("low")).toEqual([]);
    await acme.configure({ lowThreshold: 51 });
    await acme.wallets.setLimits("alice", "ai_credits", { overageLimit: 3 });
    expect(await urgent("low")).toEqual([["Alice", "ai_credits"]]);
  });

  it("is usage that no wallet has paid, what failed, and what was given up", async () => {
    scene.clock.time = start + 20 * day;
    await report("chat", "speech", "bob");
    await report("chat", "speech", "bob");
    await scene.plane.settled();
    await scene.admin.query(
      scene.plane.databaseUrl,
      `insert into period_failures (org_id, message, failed_at) values (1, 'why', now())`,
    );
    expect(await counts()).toMatchObject({ walletMissing: 2, periodFailures: 1 });
    const span = { from: "2026-01-20T00:00:00Z", to: "2026-01-22T00:00:00Z" };
    expect((await acme.overview.refusals(span)).refusals).toEqual([
      { reason: "wallet_missing", count: 2, more: false },
      { reason: "out_of_range", count: 0, more: false },
    ]);
    const before = { from: "2026-01-19T00:00:00Z", to: "2026-01-20T00:00:00Z" };
    expect((await acme.overview.refusals(before)).refusals[0]).toMatchObject({ count: 0 });
  });
});
