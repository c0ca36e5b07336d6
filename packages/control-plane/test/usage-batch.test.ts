import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, type Received, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";
import { lockTable } from "./table-lock.ts";

interface Result {
  readonly key: string;
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const customers = ["alice", "once", "raced", "twice", "several"];

let aheadMs = 0;
let plane: TestControlPlane;
let call: Caller;
beforeAll(async () => {
  plane = await startControlPlane({
    clock: { now: () => Date.now() + aheadMs },
    fixture: {
      ...acme,
      customers: customers.map((externalId) => ({
        externalId,
        name: externalId,
        wallets: [{ currency: "ai_credits", kind: "prepaid", available: 1_000 }],
      })),
    },
  });
  call = caller(plane);
});
afterAll(() => plane.stop());

/** A report that costs a credit. */
const report = (key: unknown, changes: Readonly<Record<string, unknown>> = {}) => ({
  key,
  agentId: "chat",
  customerId: "alice",
  indicator: "message",
  rawUsage: {},
  ...changes,
});

const post = (reports: unknown, by: Caller = call) =>
  by("POST", "/api/v2/usage/batch", { body: { reports } });

const resultsOf = ({ json }: Received) => json.results as readonly Result[];

const single = (key: string, changes: Readonly<Record<string, unknown>> = {}) =>
  call("POST", "/api/v2/usage", {
    body: usageOf({ rawUsage: {}, ...changes }),
    headers: { "idempotency-key": key },
  });

async function available(customerId: string): Promise<number | undefined> {
  await plane.settled();
  return (await plane.balance(customerId)).ai_credits?.available;
}

async function stored(prefix: string): Promise<number> {
  const { pool, close } = connect(plane.databaseUrl);
  const { rows } = await pool.query("select from usage_reports where starts_with(idempotency_key, $1)", [
    prefix,
  ]);
  await close();
  return rows.length;
}

describe("POST /api/v2/usage/batch", () => {
  it("answers each report by its key as a single post is answered, and bills each", async () => {
    const customerId = "several";
    const received = await post([
      report("each-1", { customerId }),
      report("each-2", { customerId, indicator: "seat" }),
      report("each-3", { customerId, rawUsage: { inputTokens: 2_000 } }),
    ]);
    expect(received.status).toBe(200);
    const accepted = (idempotencyKey: string, credits: number, currency: string | null) => ({
      key: idempotencyKey,
      status: 202,
      body: { id: expect.any(String), status: "accepted", idempotencyKey, credits, currency },
    });
    expect(resultsOf(received)).toEqual([
      accepted("each-1", 1, "ai_credits"),
      accepted("each-2", 0, null),
      accepted("each-3", 2, "ai_credits"),
    ]);
    expect(await available(customerId)).toBe(997);
  });

  it("takes 500 reports, and answers a repeated batch the same, billing it once", async () => {
    const reports = Array.from({ length: 500 }, (_, index) =>
      report(`many-${index}`, { customerId: "once" }),
    );
    const first = await post(reports);
    expect(new Set(resultsOf(first).map(({ key, status }) => `${key} ${status}`)).size).toBe(500);
    expect(new Set(resultsOf(first).map(({ status }) => status))).toEqual(new Set([202]));
    expect((await post(reports)).text).toBe(first.text);
    expect(await available("once")).toBe(500);
  });

  it("has the keys of single posts: what came one way is known the other way", async () => {
    const alone = await single("way-1");
    const together = await post([report("way-1"), report("way-2")]);
    const [first, second] = resultsOf(together);
    expect(first).toEqual({ key: "way-1", status: 202, body: alone.json });
    expect((await single("way-2")).json).toEqual(second?.body);
    const otherwise = await post([report("way-1", { indicator: "gift" })]);
    expect(resultsOf(otherwise)).toMatchObject([{ status: 422, body: { code: "idempotency_key_reused" } }]);
  });

  it("counts each key once where two batches that overlap come at once", async () => {
    const batchFrom = (start: number) =>
      Array.from({ length: 60 }, (_, index) => report(`race-${start + index}`, { customerId: "raced" }));
    const answers = await Promise.all([0, 30, 0, 30].map((start) => post(batchFrom(start))));
    const ids = new Map<string, Set<unknown>>();
    for (const { key, status, body } of answers.flatMap(resultsOf)) {
      expect(status).toBe(202);
      ids.set(key, (ids.get(key) ?? new Set()).add(body.id));
    }
    expect([...ids.values()].map(({ size }) => size)).toEqual(Array.from({ length: 90 }, () => 1));
    expect(await available("raced")).toBe(910);
  });

  it("takes a key that comes twice for one report, or refuses the second where it is another", async () => {
    const customerId = "twice";
    const received = await post([
      report("twin", { customerId }),
      report("double", { customerId }),
      report("twin", { customerId, indicator: "gift" }),
      report("double", { customerId }),
    ]);
    const [twin, double, otherTwin, sameDouble] = resultsOf(received);
    expect([twin?.status, otherTwin?.status]).toEqual([202, 422]);
    expect(otherTwin?.body.code).toBe("idempotency_key_reused");
    expect(sameDouble).toEqual(double);
    expect(await available(customerId)).toBe(998);
  });

  it("takes the first of two reports with one key, also where less is known of it", async () => {
    // What was read of indicators is forgotten, and that of the second report is read anew.
    aheadMs += 10_000;
    await single("known", { indicator: "gift" });
    const received = await post([report("first"), report("first", { indicator: "gift" })]);
    expect(resultsOf(received).map(({ status }) => status)).toEqual([202, 422]);
  });

  it("refuses a report that is wrong by itself, with what a single post would be told, and takes the others", async () => {
    const wrong: readonly (readonly [string, Readonly<Record<string, unknown>>])[] = [
      ["part-1", { agentId: 1, rawUsage: { inputTokens: -1 } }],
      ["part-2", { customerId: "nobody" }],
      ["part-3", { agentId: "nothing" }],
      ["part-4", { indicator: "none" }],
      ["part-5", { rawUsage: { outputTokens: Number.MAX_SAFE_INTEGER } }],
      ["part 6", {}],
      ["part-7", { customerId: "nobody", agentId: "nothing" }],
    ];
    const received = await post([
      report("part-first"),
      ...wrong.map(([key, changes]) => report(key, changes)),
      report("part-last"),
    ]);
    const results = resultsOf(received);
    expect(results.map(({ key, status, body }) => [key, status, body.code ?? body.status])).toEqual([
      ["part-first", 202, "accepted"],
      ["part-1", 400, "invalid_request"],
      ["part-2", 404, "customer_unknown"],
      ["part-3", 404, "agent_unknown"],
      ["part-4", 404, "indicator_unknown"],
      ["part-5", 422, "amount_out_of_range"],
      ["part 6", 400, "invalid_request"],
      ["part-7", 404, "customer_unknown"],
      ["part-last", 202, "accepted"],
    ]);
    for (const [key, changes] of wrong) {
      const alone = await single(key, changes);
      const result = results.find((candidate) => candidate.key === key);
      expect([result?.status, result?.body]).toEqual([alone.status, alone.json]);
    }
    expect(await stored("part")).toBe(2);
  });

  it("forgets what it has refused: the key is free when the customer is there", async () => {
    const reports = [report("late", { customerId: "late" })];
    expect(resultsOf(await post(reports))).toMatchObject([{ status: 404 }]);
    await call("POST", "/api/v1/customers/create-or-get", { body: { externalId: "late", name: "Late" } });
    expect(resultsOf(await post(reports))).toMatchObject([{ status: 202 }]);
  });

  it.each([
    ["no list", undefined, "/reports: "],
    ["an empty one", [], "/reports: "],
    ["501 reports", Array.from({ length: 501 }, (_, index) => report(`whole-${index}`)), "/reports: "],
    ["a report without a key", [report("whole-1"), report(undefined)], "/reports/1/key: "],
    ["a key that is no text", [report("whole-1"), report(7)], "/reports/1/key: "],
    ["what is no report", [report("whole-1"), 7], "/reports/1: "],
  ])("refuses the whole with 400, and stores nothing of it: %s", async (_, reports, detail) => {
    const { status, json } = await post(reports);
    expect([status, json.code]).toEqual([400, "invalid_request"]);
    expect(json.detail).toContain(detail);
    expect(await stored("whole")).toBe(0);
  });

  it("takes up to 1 MiB, and refuses the whole beyond it with 413", async () => {
    const filled = (bytes: number) => {
      const body = (note: string) => JSON.stringify({ reports: [report("large", { rawUsage: { note } })] });
      return body("x".repeat(bytes - body("").length));
    };
    const mebibyte = 1024 * 1024;
    const send = (text: string) => call("POST", "/api/v2/usage/batch", { text });
    expect((await send(filled(mebibyte + 1))).json).toMatchObject({ status: 413, code: "body_too_large" });
    expect(await stored("large")).toBe(0);
    expect((await send(filled(mebibyte))).json).toMatchObject({ results: [{ status: 202 }] });
  });

  it("answers 503 for each report that cannot be stored now", async () => {
    const { pool, close } = connect(plane.databaseUrl);
    const letGo = await lockTable(pool, "usage_reports");
    try {
      const { status, json } = await post([
        report("away-1"),
        report("away-2"),
        report("away-3", { agentId: 1 }),
      ]);
      expect(status).toBe(200);
      expect(json.results).toMatchObject([
        { key: "away-1", status: 503, body: { code: "database_unavailable" } },
        { key: "away-2", status: 503 },
        { key: "away-3", status: 400 },
      ]);
    } finally {
      await letGo();
      await close();
    }
    expect(resultsOf(await post([report("away-1")]))).toMatchObject([{ status: 202 }]);
  });

  it("is found as other endpoints are: whatever the case, with a query, with a slash at the end", async () => {
    for (const path of ["/API/v2/usage/Batch", "/api/v2/usage/batch/", "/api/v2/usage/batch?x=1"]) {
      expect((await call("POST", path, { body: { reports: [report("found")] } })).status).toBe(200);
    }
    for (const path of ["/API/v2/Usage", "/api/v2/usage/", "/api/v2/usage?x=1"]) {
      expect((await call("POST", path, { body: usageOf() })).status).toBe(202);
    }
    for (const path of ["/api/v2/usage", "/api/v2/usage/batch"]) {
      const { status, headers } = await call("GET", path);
      expect([status, headers.get("allow")]).toEqual([405, "POST"]);
    }
    expect((await call("POST", "/api/v2/usage/batches", { body: {} })).status).toBe(404);
  });
});

describe("the rate limit", () => {
  it("counts a batch as a request for each ten reports that it has begun; it is let in by the first, the next wait", async () => {
    const clock = { time: Date.UTC(2026, 0, 1), now: () => clock.time };
    const slow = await startControlPlane({ fixture: acme, rateLimitPerSecond: 4, clock });
    const send = async (length: number) => {
      const reports = Array.from({ length }, () => report("k"));
      return (await post(reports, caller(slow))).status;
    };
    expect([await send(21), await send(1), await send(1)]).toEqual([200, 200, 429]);
    clock.time += 1_000;
    expect([await send(500), await send(1)]).toEqual([200, 429]);
    clock.time += 1_249;
    expect(await send(1)).toBe(429);
    clock.time += 1;
    expect([await send(1), await send(1)]).toEqual([200, 429]);
    await slow.stop();
  });
});
