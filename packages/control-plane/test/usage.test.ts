import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let call: Caller;

beforeAll(async () => {
  const prepaid = { currency: "ai_credits", kind: "prepaid" } as const;
  const customers = ["replayed", "raced", "reused", "several", "parted"].map((externalId) => ({
    externalId,
    name: externalId,
    wallets: [{ ...prepaid, available: 100 }],
  }));
  plane = await startControlPlane({
    fixture: {
      ...acme,
      customers: [
        ...(acme.customers ?? []),
        ...customers,
        { externalId: "poor", name: "Poor", wallets: [{ ...prepaid, available: 1.6, overageLimit: 1 }] },
      ],
    },
  });
  call = caller(plane);
});
afterAll(() => plane.stop());

const report = (changes: Record<string, unknown> = {}, key?: string) =>
  call("POST", "/api/v2/usage", {
    body: usageOf(changes),
    headers: key === undefined ? {} : { "idempotency-key": key },
  });

async function query(text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const { pool, close } = connect(plane.databaseUrl);
  try {
    return (await pool.query(text, [...values])).rows;
  } finally {
    await close();
  }
}

describe("POST /api/v2/usage (4.2)", () => {
  it("debits a prepaid wallet by the price of the indicator", async () => {
    const { status, json } = await report();
    expect(status).toBe(202);
    expect(json).toEqual({
      id: expect.any(String),
      status: "accepted",
      idempotencyKey: null,
      credits: 1.066,
      currency: "ai_credits",
    });
    await plane.settled();
    expect((await plane.balance("alice")).ai_credits?.available).toBe(98.934);
  });

  it.each([
    ["totals, without parts", { inputTokens: 1_000, outputTokens: 100 }, 12],
    [
      "a part by its own rate, the rest by that of the total",
      { inputTokens: 1_000, cachedInputTokens: 900 },
      1.9,
    ],
    ["a part without a rate by that of its total", { inputTokens: 1_000, cacheWriteTokens: 500 }, 10],
    ["reasoning", { outputTokens: 100, reasoningTokens: 80 }, 0.8],
    ["images, seconds and characters", { images: 3, seconds: 90, characters: 100 }, 8.4],
    ["requests", { requests: 3 }, 1.5],
    ["units by their own names, and parts of them", { units: { pages: 1.5, "web searches": 2 } }, 6.3],
  ])("prices %s", async (_, rawUsage, credits) => {
    const { status, json } = await report({ customerId: "parted", indicator: "parts", rawUsage });
    expect({ status, credits: json.credits }).toEqual({ status: 202, credits });
  });

  it.each([
    ["parts", { minutes: 1 }, "minutes"],
    ["parts", { pages: 1, constructor: 0 }, "constructor"],
    ["message", { pages: 1 }, "pages"],
  ])(
    "refuses of %s the units %j, which it has no rate for: nothing is given away",
    async (indicator, units, unit) => {
      const { status, json } = await report({ customerId: "parted", indicator, rawUsage: { units } });
      expect([status, json.code]).toEqual([422, "unit_unknown"]);
      expect(json.detail).toBe(
        `rawUsage.units: expected units that indicator "${indicator}" has a rate for (perUnit), received "${unit}"`,
      );
    },
  );

  it("refuses a unit of the name __proto__ like any other that is not known", async () => {
    const { status, json } = await report({
      customerId: "parted",
      indicator: "parts",
      rawUsage: { units: JSON.parse('{ "__proto__": 1 }') },
    });
    expect([status, json.code]).toEqual([422, "unit_unknown"]);
  });

  it("records units of an indicator that is not in CREDITS, whatever they are", async () => {
    const { status, json } = await report({ indicator: "seat", rawUsage: { units: { seats: 3 } } });
    expect(status).toBe(202);
    expect(await query("select raw_usage from usage_reports where usage_id = $1", [json.id])).toEqual([
      { raw_usage: { units: { seats: 3 } } },
    ]);
  });

  it.each([
    [{ pages: -1 }],
    [{ pages: 1e13 }],
    [{ pages: "1" }],
    [{ "": 1 }],
    [{ ["x".repeat(65)]: 1 }],
    [[1]],
    [Object.fromEntries(Array.from({ length: 21 }, (_, at) => [`unit ${at}`, 1]))],
  ])("answers 400 to the units %j", async (units) => {
    const { status, json } = await report({ indicator: "parts", rawUsage: { units } });
    expect([status, json.errors]).toEqual([400, [expect.objectContaining({ pointer: "/rawUsage/units" })]]);
  });

  it("goes from available into overage, and past the overage limit", async () => {
    await report({ customerId: "poor" });
    await plane.settled();
    expect((await plane.balance("poor")).ai_credits).toMatchObject({ available: 0.534, overage_used: 0 });
    for (const overage_used of [0.532, 1.598, 2.664]) {
      await report({ customerId: "poor" });
      await plane.settled();
      expect((await plane.balance("poor")).ai_credits).toMatchObject({ available: 0, overage_used });
    }
  });

  it("accrues on a postpaid wallet, past its limit", async () => {
    for (const postpaid_used of [2, 4, 6]) {
      await report({ indicator: "speech" });
      await plane.settled();
      expect((await plane.balance("alice")).voice_credits).toMatchObject({ available: 0, postpaid_used });
    }
  });

  it.each([
    ["seat", "not_credits", "an indicator that is not in CREDITS"],
    ["yen", "wallet_missing", "a currency of which there is no wallet"],
    ["gift", "free", "a price of nothing"],
  ])("records, and does not debit: %s is %s, %s", async (indicator, outcome) => {
    const before = await plane.balance("alice");
    const { status, json } = await report({ indicator });
    expect(status).toBe(202);
    await plane.settled();
    expect(await plane.balance("alice")).toEqual(before);
    expect(await query("select outcome from usage_settlements where usage_id = $1", [json.id])).toEqual([
      { outcome },
    ]);
  });

  it("keeps the report as it came, fields that the API does not list included", async () => {
    const rawUsage = { inputTokens: 1, cachedTokens: 3, note: "\u0000 and \ud800" };
    const { json } = await report({ rawUsage });
    expect(await query("select raw_usage from usage_reports where usage_id = $1", [json.id])).toEqual([
      { raw_usage: rawUsage },
    ]);
  });

  it.each([
    ["gift", { credits: 0, currency: "ai_credits" }],
    ["speech", { credits: 2, currency: "voice_credits" }],
    ["seat", { credits: 0, currency: null }],
  ])("answers what it costs: %s", async (indicator, told) => {
    expect((await report({ indicator })).json).toMatchObject(told);
  });

  it.each([
    [{ customerId: "nobody" }, "customer_unknown", "nobody"],
    [{ agentId: "nothing" }, "agent_unknown", "nothing"],
    [{ indicator: "none" }, "indicator_unknown", "none"],
    [{ customerId: "__proto__" }, "customer_unknown", "__proto__"],
  ])("answers 404 that names what is unknown: %j", async (changes, code, name) => {
    const { status, json } = await report(changes);
    expect(status).toBe(404);
    expect(json.code).toBe(code);
    expect(json.detail).toContain(JSON.stringify(name));
  });

  it.each([
    [{ agentId: 1 }, "/agentId: expected string, received number"],
    [{ customerId: "" }, '/customerId: expected 1 to 256 bytes without control characters, received ""'],
    [{ customerId: "x".repeat(10_000) }, "received a string of 10000 characters"],
    [{ indicator: "a\r\nb" }, "/indicator: "],
    [{ rawUsage: undefined }, "/rawUsage: expected object, received undefined"],
    [{ rawUsage: { inputTokens: -1 } }, "/rawUsage/inputTokens: "],
    [{ rawUsage: { inputTokens: 1.5 } }, "/rawUsage/inputTokens: expected int, received number"],
    [{ rawUsage: { outputTokens: "7" } }, "/rawUsage/outputTokens: expected number, received string"],
  ])("answers 400 that names field, expected and received: %j", async (changes, detail) => {
    const { status, json } = await report(changes);
    expect(status).toBe(400);
    expect(json.code).toBe("invalid_request");
    expect(json.detail).toContain(detail);
  });

  it("answers 422 for usage that costs more than a ledger can hold", async () => {
    const { status, json } = await report({ rawUsage: { outputTokens: Number.MAX_SAFE_INTEGER } });
    expect(status).toBe(422);
    expect(json.code).toBe("amount_out_of_range");
  });
});

describe("Idempotency-Key on usage", () => {
  it("is echoed, and a repeated key gets the same answer and is billed once", async () => {
    const first = await report({ customerId: "replayed" }, "use-1");
    expect(first.headers.get("idempotency-key")).toBe("use-1");
    expect(first.json.idempotencyKey).toBe("use-1");
    await plane.settled();
    const again = await report({ customerId: "replayed" }, "use-1");
    expect(again.text).toBe(first.text);
    expect(again.status).toBe(first.status);
    expect(again.headers.get("idempotency-key")).toBe("use-1");
    await plane.settled();
    expect((await plane.balance("replayed")).ai_credits?.available).toBe(98.934);
  });

  it("makes one event of 50 posts at once", async () => {
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => report({ customerId: "raced" }, "use-2")),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    await plane.settled();
    expect((await plane.balance("raced")).ai_credits?.available).toBe(98.934);
  });

  it("recognises a body whose fields come in another order", async () => {
    const first = await report({ customerId: "reused" }, "use-3");
    const body = Object.fromEntries(Object.entries(usageOf({ customerId: "reused" }) ?? {}).reverse());
    const again = await call("POST", "/api/v2/usage", { body, headers: { "idempotency-key": "use-3" } });
    expect(again.text).toBe(first.text);
  });

  it("answers 422 for a key that comes again with another body, and bills the first", async () => {
    const { status, json } = await report({ customerId: "reused", indicator: "gift" }, "use-3");
    expect(status).toBe(422);
    expect(json.code).toBe("idempotency_key_reused");
  });

  it("bills every report that comes without a key", async () => {
    await Promise.all(Array.from({ length: 20 }, () => report({ customerId: "several", rawUsage: {} })));
    await plane.settled();
    expect((await plane.balance("several")).ai_credits?.available).toBe(80);
  });

  it.each(["with space", "ü", "x".repeat(256)])(
    "answers 400 for a key that is no printable ASCII: %s",
    async (key) => {
      const { status, json } = await report({}, key);
      expect(status).toBe(400);
      expect(json.detail).toContain("Idempotency-Key: expected");
    },
  );
});
