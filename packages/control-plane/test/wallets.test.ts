import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connect } from "../src/database/connection.ts";
import { startControlPlane, type TestControlPlane } from "../src/testing/index.ts";
import { type Caller, caller, usageOf } from "./caller.ts";
import { acme } from "./fixture.ts";

let plane: TestControlPlane;
let call: Caller;

beforeAll(async () => {
  plane = await startControlPlane({
    fixture: {
      ...acme,
      customers: [
        ...(acme.customers ?? []),
        {
          externalId: "__proto__",
          name: "Proto",
          wallets: [
            { currency: "__proto__", kind: "prepaid", available: 1 },
            { currency: "constructor", kind: "prepaid", available: 2 },
          ],
        },
        {
          externalId: "rich",
          name: "Rich",
          wallets: [{ currency: "ai_credits", kind: "prepaid", available: 999_999_999.000001, pending: 7 }],
        },
        {
          externalId: "debtor",
          name: "Debtor",
          wallets: [{ currency: "ai_credits", kind: "prepaid", overageUsed: 5, overageLimit: 20 }],
        },
      ],
    },
  });
  call = caller(plane);
});
afterAll(() => plane.stop());

const balanceOf = (customer: string) =>
  call("GET", `/api/v1/wallet/balance?customer_id=${encodeURIComponent(customer)}`);
const topUp = (customer: string, credits: Record<string, number>, headers: Record<string, string> = {}) =>
  call("POST", "/api/v1/wallet/top-up", {
    headers,
    body: {
      customer_id: customer,
      top_ups: Object.entries(credits).map(([credit_currency_key, amount]) => ({
        credit_currency_key,
        credits: amount,
      })),
    },
  });

describe("GET /api/v1/wallet/balance (4.1)", () => {
  it("answers all wallets of the customer with the six fields of 2.1, what is unsettled and the kind", async () => {
    const { status, json } = await balanceOf("alice");
    expect(status).toBe(200);
    expect(json).toEqual({
      balances: {
        ai_credits: {
          available: 100,
          pending: 0,
          overage_used: 0,
          overage_limit: 20,
          postpaid_used: 0,
          postpaid_limit: 0,
          unsettled: 0,
          kind: "prepaid",
        },
        voice_credits: {
          available: 0,
          pending: 0,
          overage_used: 0,
          overage_limit: 0,
          postpaid_used: 0,
          postpaid_limit: 5,
          unsettled: 0,
          kind: "postpaid",
        },
      },
    });
  });

  it("answers an empty map for a customer without wallets", async () => {
    expect((await balanceOf("bob")).json).toEqual({ balances: {} });
  });

  it("answers 404 for a customer that does not exist", async () => {
    const { status, json } = await balanceOf("nobody");
    expect(status).toBe(404);
    expect(json.code).toBe("customer_unknown");
  });

  it("answers 400 that names customer_id when it is missing, empty or given twice", async () => {
    for (const query of ["", "?customer_id=", "?customer_id=a&customer_id=b"]) {
      const { status, json } = await call("GET", `/api/v1/wallet/balance${query}`);
      expect(status).toBe(400);
      expect(json.detail).toMatch(/^customer_id: expected .*received/);
    }
  });

  it("treats __proto__ and constructor as ordinary customers and currencies", async () => {
    const { text } = await balanceOf("__proto__");
    expect(text).toMatch(/^{"balances":{"__proto__":{"available":1,.*"constructor":{"available":2,/);
  });

  it("writes amounts digit by digit", async () => {
    expect((await balanceOf("rich")).text).toContain('"available":999999999.000001,"pending":7,');
  });
});

describe("POST /api/v1/wallet/top-up (4.1)", () => {
  it("adds to available, and answers what is available now", async () => {
    const { status, json } = await topUp("alice", { ai_credits: 2.01 });
    expect(status).toBe(200);
    expect(json).toEqual({
      message: "1 of 1 wallets topped up",
      results: [{ credit_currency_key: "ai_credits", success: true, available: 102.01, pending: 0 }],
    });
  });

  it("clears overage first, the remainder goes to available", async () => {
    expect((await topUp("debtor", { ai_credits: 3 })).json.results).toMatchObject([
      { success: true, available: 0 },
    ]);
    expect((await plane.balance("debtor")).ai_credits).toMatchObject({ available: 0, overage_used: 2 });
    expect((await topUp("debtor", { ai_credits: 10 })).json.results).toMatchObject([{ available: 8 }]);
    expect((await plane.balance("debtor")).ai_credits).toMatchObject({ available: 8, overage_used: 0 });
  });

  it("says success: false and why, per entry, for a missing or postpaid wallet, and tops up the others", async () => {
    const { status, json } = await topUp("rich", { nope: 1, ai_credits: 1 });
    expect(status).toBe(200);
    expect(json.results).toEqual([
      {
        credit_currency_key: "nope",
        success: false,
        available: 0,
        pending: 0,
        reason: "the customer has no wallet in this currency",
      },
      { credit_currency_key: "ai_credits", success: true, available: 1_000_000_000.000001, pending: 7 },
    ]);
    expect((await topUp("alice", { voice_credits: 1 })).json).toMatchObject({
      message: "0 of 1 wallets topped up",
      results: [{ success: false, reason: "the wallet is postpaid" }],
    });
    expect((await plane.balance("alice")).voice_credits).toMatchObject({ available: 0, postpaid_used: 0 });
  });

  it("honours an Idempotency-Key: 50 posts at once are one top-up with one answer", async () => {
    const before = (await plane.balance("alice")).ai_credits?.available ?? 0;
    const answers = await Promise.all(
      Array.from({ length: 50 }, () => topUp("alice", { ai_credits: 10 }, { "idempotency-key": "top-1" })),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(answers.every(({ headers }) => headers.get("idempotency-key") === "top-1")).toBe(true);
    expect((await plane.balance("alice")).ai_credits?.available).toBe(before + 10);
  });

  it("answers 422 for a key that comes again with another body", async () => {
    await topUp("alice", { ai_credits: 1 }, { "idempotency-key": "top-2" });
    const { status, json } = await topUp("alice", { ai_credits: 2 }, { "idempotency-key": "top-2" });
    expect(status).toBe(422);
    expect(json.code).toBe("idempotency_key_reused");
  });

  it("keeps no answer of a top-up that failed", async () => {
    expect((await topUp("late", { ai_credits: 1 }, { "idempotency-key": "top-3" })).status).toBe(404);
    await call("POST", "/api/v1/customers/create-or-get", { body: { externalId: "late", name: "Late" } });
    expect((await topUp("late", { ai_credits: 1 }, { "idempotency-key": "top-3" })).status).toBe(200);
  });

  it.each([
    [{ top_ups: [{ credit_currency_key: "ai_credits", credits: 1 }] }, "/customer_id: expected string"],
    [{ customer_id: "alice", top_ups: [] }, "/top_ups: "],
    [{ customer_id: "alice", top_ups: [{ credit_currency_key: "a", credits: 0 }] }, "/top_ups/0/credits: "],
    [
      { customer_id: "alice", top_ups: [{ credit_currency_key: "a", credits: "1" }] },
      "expected number, received string",
    ],
    [
      { customer_id: "alice", top_ups: [{ credit_currency_key: "a", credits: 1e-7 }] },
      "at most 6 decimals, received 1e-7",
    ],
    [
      { customer_id: "alice", top_ups: [{ credit_currency_key: "a", credits: 1e10 }] },
      "received 10000000000",
    ],
  ])("answers 400 that names the field: %j", async (body, detail) => {
    const answer = await call("POST", "/api/v1/wallet/top-up", { body });
    expect(answer.status).toBe(400);
    expect(answer.json.detail).toContain(detail);
  });
});

describe("the ledger", () => {
  it("sums to the balances, whatever has happened", async () => {
    await Promise.all([
      ...Array.from({ length: 40 }, () => call("POST", "/api/v2/usage", { body: usageOf() })),
      ...Array.from({ length: 10 }, () => topUp("alice", { ai_credits: 0.5 })),
      ...Array.from({ length: 10 }, () =>
        call("POST", "/api/v2/usage", { body: usageOf({ indicator: "speech" }) }),
      ),
    ]);
    await plane.settled();
    const { pool, close } = connect(plane.databaseUrl);
    const { rows } = await pool.query(`
      select w.customer_id, w.currency from wallets w left join ledger_entries e using (org_id, customer_id, currency)
       group by w.org_id, w.customer_id, w.currency
      having (w.available, w.pending, w.overage_used, w.postpaid_used) is distinct from
             (coalesce(sum(e.available), 0), coalesce(sum(e.pending), 0),
              coalesce(sum(e.overage_used), 0), coalesce(sum(e.postpaid_used), 0))`);
    await close();
    expect(rows).toEqual([]);
  });

  it("takes entries, and neither changes nor removes them", async () => {
    const { pool, close } = connect(plane.databaseUrl);
    for (const statement of [
      "update ledger_entries set available = 0",
      "delete from ledger_entries",
      "truncate ledger_entries",
    ]) {
      await expect(pool.query(statement)).rejects.toThrow("ledger_entries is append-only");
    }
    await close();
  });
});
