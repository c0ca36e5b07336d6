import { createAdminClient, type OrganizationAdmin, type UsageSumsQuery } from "@creditgate/admin";
import { createClient } from "@creditgate/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type AdminScene, adminToken, hour, openAdminScene } from "./admin-scene.ts";
import { queued } from "./usage-rows.ts";

let scene: AdminScene;
let acme: OrganizationAdmin;
const day = 24 * hour;
const start = Date.UTC(2026, 0, 1);

/** Six days of usage: of three customers, two agents and four indicators. */
beforeAll(async () => {
  scene = await openAdminScene();
  acme = await createAdminClient({ baseUrl: scene.plane.baseUrl, adminToken }).organizationNamed("Acme");
  const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
  await acme.customers.create({ externalId: "carol", name: "Carol" });
  await acme.agents.create({ agentId: "artist", agentExternalId: "artist", agentName: "Artist" });
  const price = { perEvent: 3 };
  await acme.indicators.create("artist", {
    name: "image",
    billing: "CREDITS",
    currency: "ai_credits",
    price,
  });
  const report = (agentId: string, indicator: string, customerId: string, idempotencyKey: string) =>
    client.usage.report(
      { agentId, customerId, indicator, rawUsage: { model: "m", inputTokens: 1_000 } },
      { idempotencyKey },
    );
  for (let at = 0; at < 6; at += 1) {
    scene.clock.time = start + at * day + at * hour;
    await report("chat", "message", "alice", `a${at}`);
    await report("chat", at % 2 === 0 ? "seat" : "gift", "bob", `b${at}`);
    await report("artist", "image", at < 3 ? "alice" : "carol", `c${at}`);
  }
  await scene.plane.settled();
});
afterAll(() => scene.plane.stop());

async function collect<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const problem = async (query: string) => {
  const { status, json } = await scene.admin.get(`${scene.path}/${query}`);
  return [status, json.detail];
};

describe("/admin/api/organizations/{id}/usage", () => {
  it("lists reports, the newest first, with what has become of each", async () => {
    const all = await collect(acme.usage.all({ limit: 4 }));
    expect(all).toHaveLength(18);
    expect(all.map(({ receivedAt }) => receivedAt)).toEqual(
      all
        .map(({ receivedAt }) => receivedAt)
        .toSorted()
        .toReversed(),
    );
    const [first] = (await acme.usage.list({ idempotencyKey: "a0" })).usage;
    expect(first).toEqual({
      usageId: expect.any(String),
      agentId: "chat",
      indicator: "message",
      customerId: "alice",
      rawUsage: { model: "m", inputTokens: 1_000 },
      creditCurrencyKey: "ai_credits",
      credits: 1.5,
      receivedAt: "2026-01-01T00:00:00.000Z",
      settledAt: expect.any(String),
      outcome: "debited",
      idempotencyKey: "a0",
      budgets: [],
    });
    expect(await acme.usage.get(first?.usageId ?? "")).toEqual(first);
    expect(await problem("usage/none")).toEqual([404, 'usage: expected one that exists, received "none"']);
  });

  it.each<[object, number]>([
    [{ customerId: "alice" }, 9],
    [{ agentId: "chat" }, 12],
    [{ agentId: "chat", indicator: "seat" }, 3],
    [{ agentId: "chat", customerId: "bob" }, 6],
    [{ agentId: "none" }, 0],
    [{ outcome: "free" }, 0],
    [{ outcome: "not_credits" }, 3],
    [{ outcome: "wallet_missing" }, 6],
    [{ outcome: "unsettled" }, 0],
    [{ from: "2026-01-02T00:00:00Z", to: "2026-01-04T00:00:00Z" }, 6],
    [{ from: "2026-01-04T00:00:00+05:30", customerId: "carol" }, 3],
  ])("finds what it is asked for: %j", async (query, count) => {
    const whole = await collect(acme.usage.all(query));
    expect(whole).toHaveLength(count);
    expect(await collect(acme.usage.all({ ...query, limit: 1 }))).toEqual(whole);
  });

  it("makes pages that a client takes, however large the reports are", async () => {
    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
    await acme.customers.create({ externalId: "large", name: "Large" });
    const note = "x".repeat(15_000);
    const reports = Array.from({ length: 80 }, () => ({
      agentId: "chat",
      customerId: "large",
      indicator: "gift",
      rawUsage: { note },
    }));
    for (const report of reports) {
      const response = await fetch(`${scene.plane.baseUrl}/api/v2/usage`, {
        method: "POST",
        headers: { "service-api-key": scene.plane.apiKey, "content-type": "application/json" },
        body: JSON.stringify(report),
      });
      expect(response.status).toBe(202);
    }
    await client.customers.createOrGet({ externalId: "large", name: "Large" });
    const part = await acme.usage.list({ customerId: "large", limit: 100 });
    expect(part.usage.length).toBeLessThan(40);
    expect(await collect(acme.usage.all({ customerId: "large", limit: 100 }))).toHaveLength(80);
  });

  it("refuses an indicator without its agent, and what it does not know", async () => {
    expect(await problem("usage?indicator=message")).toEqual([
      400,
      "agentId: expected the agent of the indicator, received nothing",
    ]);
    expect((await problem("usage?outcome=debited"))[0]).toBe(400);
    expect((await problem("usage?customer=alice"))[0]).toBe(400);
    expect((await problem("usage?from=yesterday"))[0]).toBe(400);
  });
});

describe("/admin/api/organizations/{id}/usage.csv", () => {
  const file = (query: string) =>
    fetch(`${scene.plane.baseUrl}/admin/api${scene.path}/usage.csv${query}`, {
      headers: { authorization: `Bearer ${adminToken}` },
    });

  it("is a file of all usage that passes the filter, however many parts that takes", async () => {
    const response = await file("?customerId=large");
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8; header=present");
    expect(response.headers.get("content-disposition")).toBe('attachment; filename="usage.csv"');
    const lines = (await response.text()).split("\r\n");
    expect(lines).toHaveLength(82);
    expect(lines[0]).toContain('"usageId","receivedAt","customerId"');
    const [alice] = (await acme.usage.list({ idempotencyKey: "a0" })).usage;
    expect(await (await file("?idempotencyKey=a0")).text()).toContain(
      `"${alice?.usageId}","2026-01-01T00:00:00.000Z","alice","chat","message","ai_credits",1.5,"debited"`,
    );
  });

  it("has no cell that a spreadsheet computes", async () => {
    const externalId = '=HYPERLINK("http://example.com")';
    await acme.customers.create({ externalId, name: "Mallory" });
    const client = createClient({ baseUrl: scene.plane.baseUrl, apiKey: scene.plane.apiKey });
    await client.usage.report({ agentId: "chat", customerId: externalId, indicator: "gift", rawUsage: {} });
    const response = await file(`?customerId=${encodeURIComponent(externalId)}`);
    expect(await response.text()).toContain(`,"'=HYPERLINK(""http://example.com"")",`);
  });

  it("refuses what the list refuses, and parts: it is the whole", async () => {
    for (const query of ["?limit=1", "?cursor=x", "?indicator=message", "?outcome=debited"]) {
      const response = await file(query);
      expect([query, response.status]).toEqual([query, 400]);
      expect(response.headers.get("content-type")).toContain("application/problem+json");
    }
  });
});

describe("/admin/api/organizations/{id}/usage-sums", () => {
  const span = { from: "2026-01-01T00:00:00Z", to: "2026-01-06T00:00:00Z" };
  const sums = async (query: UsageSumsQuery) => {
    const whole = (await acme.usage.sums.list(query)).sums;
    // One by one, and a limit in between, come to the same.
    for (const limit of [1, 2])
      expect(await collect(acme.usage.sums.all({ ...query, limit }))).toEqual(whole);
    return whole;
  };
  const ai = (events: number, credits: number) => ({ creditCurrencyKey: "ai_credits", events, credits });
  const none = (events: number) => ({ creditCurrencyKey: null, events, credits: 0 });

  it("adds up by day, by agent, by indicator and by customer, in each currency", async () => {
    expect(await sums({ by: "day", ...span })).toEqual(
      [
        { day: "2026-01-01", ...ai(2, 4.5) },
        { day: "2026-01-01", ...none(1) },
        { day: "2026-01-02", ...ai(3, 4.5) },
        { day: "2026-01-03", ...ai(2, 4.5) },
        { day: "2026-01-03", ...none(1) },
        { day: "2026-01-04", ...ai(3, 4.5) },
        { day: "2026-01-05", ...ai(2, 4.5) },
        { day: "2026-01-05", ...none(1) },
      ].sort(byCurrency),
    );
    expect(await sums({ by: "agent", ...span })).toEqual(
      [
        { agentId: "artist", ...ai(5, 15) },
        { agentId: "chat", ...ai(7, 7.5) },
        { agentId: "chat", ...none(3) },
      ].sort(byCurrency),
    );
    expect(await sums({ by: "indicator", ...span, agentId: "chat" })).toEqual([
      { agentId: "chat", indicator: "gift", ...ai(2, 0) },
      { agentId: "chat", indicator: "message", ...ai(5, 7.5) },
      { agentId: "chat", indicator: "seat", ...none(3) },
    ]);
    expect(await sums({ by: "customer", ...span })).toEqual(
      [
        { customerId: "alice", ...ai(8, 16.5) },
        { customerId: "bob", ...ai(2, 0) },
        { customerId: "bob", ...none(3) },
        { customerId: "carol", ...ai(2, 6) },
      ].sort(byCurrency),
    );
  });

  it("adds up by hour, of all and of one customer", async () => {
    const hours = { by: "hour", from: "2026-01-01T00:00:00Z", to: "2026-01-02T02:00:00Z" } as const;
    expect(await sums(hours)).toEqual(
      [
        { hour: "2026-01-01T00:00:00Z", ...ai(2, 4.5) },
        { hour: "2026-01-01T00:00:00Z", ...none(1) },
        { hour: "2026-01-02T01:00:00Z", ...ai(3, 4.5) },
      ].sort(byCurrency),
    );
    expect(await sums({ ...hours, customerId: "bob", creditCurrencyKey: "ai_credits" })).toEqual([
      { hour: "2026-01-02T01:00:00Z", ...ai(1, 0) },
    ]);
  });

  it("has what is not settled yet, once", async () => {
    const before = await sums({ by: "customer", ...span });
    await scene.admin.query(
      scene.plane.databaseUrl,
      `begin; ${queued("usage_reports where customer_id = 'alice'", { due: "'infinity'" })};
       delete from customer_usage_days where customer_id = 'alice';
       delete from customer_usage_months where customer_id = 'alice';
       delete from usage_days; insert into usage_days
         select org_id, day, agent_id, indicator, currency, sum(events), sum(credits) from customer_usage_days
          group by 1, 2, 3, 4, 5; commit`,
    );
    expect(await sums({ by: "customer", ...span })).toEqual(before);
    expect(await sums({ by: "agent", ...span, customerId: "alice" })).toEqual([
      { agentId: "artist", ...ai(3, 9) },
      { agentId: "chat", ...ai(5, 7.5) },
    ]);
  });

  it("is of the last thirty days, or by hour of the last day, where no span is named", async () => {
    scene.clock.time = start + 6 * day + 90 * 60_000;
    expect(await acme.usage.sums.list({ by: "day", limit: 1 })).toMatchObject({
      by: "day",
      from: "2025-12-09T00:00:00.000Z",
      to: "2026-01-08T00:00:00.000Z",
    });
    expect(await acme.usage.sums.list({ by: "hour" })).toMatchObject({
      from: "2026-01-06T02:00:00.000Z",
      to: "2026-01-07T02:00:00.000Z",
    });
  });

  it.each([
    ["by=week", "by: "],
    ["by=day&from=2026-01-01T01:00:00Z", "from: expected the beginning of a day in UTC"],
    ["by=hour&from=2026-01-01T01:30:00Z", "from: expected the beginning of an hour in UTC"],
    [
      "by=day&from=2026-01-02T00:00:00Z&to=2026-01-01T00:00:00Z",
      "to: expected 1 to 366 days after from, received -1",
    ],
    [
      "by=hour&from=2026-01-01T00:00:00Z&to=2026-03-01T00:00:00Z",
      "to: expected 1 to 744 hours after from, received 1416",
    ],
    ["by=agent&cursor=WyJhIiwiYiJd", "cursor: expected the next of an answer"],
    ["by=agent&limit=1001", "limit: expected a whole number from 1 to 1000"],
    ["", "by: "],
  ])("refuses %s", async (query, detail) => {
    const [status, received] = await problem(`usage-sums?${query}`);
    expect([status, received]).toEqual([400, expect.stringContaining(detail)]);
  });
});

/** As PostgreSQL orders them within a key: what is not in CREDITS comes first. */
function byCurrency(a: object, b: object): number {
  const name = ({ creditCurrencyKey: currency, events: _, credits: __, ...key }: Record<string, unknown>) =>
    `${Object.values(key).join(" ")} ${currency ?? ""}`;
  return name(a as Record<string, unknown>) < name(b as Record<string, unknown>) ? -1 : 1;
}
