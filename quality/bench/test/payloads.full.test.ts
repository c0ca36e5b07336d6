import { describe, expect, it } from "vitest";
import { readingOf } from "../src/payloads/agreement.ts";
import { richWallet } from "../src/payloads/draft.ts";
import { mutations } from "../src/payloads/mutations.ts";
import { objectPrototype } from "../src/payloads/object-prototype.ts";
import { payloadOf } from "../src/payloads/payload.ts";
import { expected } from "../src/payloads/reference.ts";

const zeros = {
  available: 0,
  pending: 0,
  overage_used: 0,
  overage_limit: 0,
  postpaid_used: 0,
  postpaid_limit: 0,
};

describe("the reference", () => {
  it.each([
    ["prepaid", { available: 10, overage_limit: 5, overage_used: 2 }, 13_000_000n],
    ["prepaid", { available: -10, overage_limit: 4 }, -6_000_000n],
    ["prepaid", { available: 2.01, pending: 99 }, 2_010_000n],
    ["prepaid", { available: 0.0000019, overage_used: 0.0000001 }, 0n],
    ["prepaid", { available: -0.0000001 }, -1n],
    ["prepaid", { available: 1e21 }, 10n ** 27n],
    ["prepaid", {}, 0n],
    ["prepaid", { postpaid_limit: 1e-9 }, "wallet_mismatch"],
    ["prepaid", { overage_limit: -1 }, "upstream_invalid"],
    ["prepaid", { available: "10" }, "upstream_invalid"],
    ["prepaid", { pending: Number.NaN }, "upstream_invalid"],
    ["postpaid", {}, "unlimited"],
    ["postpaid", { postpaid_used: 7 }, "unlimited"],
    ["postpaid", { postpaid_limit: 5, postpaid_used: 7 }, -2_000_000n],
    ["postpaid", { postpaid_limit: 1e-7 }, 0n],
    ["postpaid", { available: -1 }, "wallet_mismatch"],
    ["postpaid", { postpaid_limit: Number.POSITIVE_INFINITY }, "upstream_invalid"],
  ] as const)("reads the %s wallet %o as %s", (kind, amounts, reading) => {
    const body = { balances: { ai_credits: { ...zeros, ...amounts } } };
    const { outcome, capacity } = expected({ body, kind, currency: "ai_credits", hold: 1 });
    expect(capacity ?? outcome).toBe(reading);
  });

  it("rounds a hold up, and admits one that takes all", () => {
    const body = { balances: { ai_credits: { ...zeros, available: 0.3 } } };
    const outcome = (hold: number) =>
      expected({ body, kind: "prepaid", currency: "ai_credits", hold }).outcome;
    expect(outcome(0.3)).toBe("admitted");
    expect(outcome(0.2999991)).toBe("admitted");
    expect(outcome(0.3000001)).toBe("insufficient_credits");
  });

  it("pays from no wallet but the one of the currency", () => {
    const body: unknown = JSON.parse(`{"balances":{"__proto__":${richWallet("prepaid")}}}`);
    const outcome = (currency: string) => expected({ body, kind: "prepaid", currency, hold: 1 }).outcome;
    expect(outcome("__proto__")).toBe("admitted");
    expect(outcome("available")).toBe("wallet_missing");
    expect(outcome("constructor")).toBe("wallet_missing");
  });
});

describe("a gate that reads 10,000 random balance answers, half of them mutated", () => {
  it("agrees with the reference on each, and leaves Object.prototype as it was", async () => {
    const before = objectPrototype();
    const met = new Set<string>();
    for (let index = 0; index < 10_000; index++) {
      const payload = payloadOf(1, index);
      const { outcome, disagreement } = await readingOf(payload);
      expect(disagreement, JSON.stringify({ index, text: payload.text })).toBeUndefined();
      met.add(outcome);
      if (payload.mutation !== undefined) met.add(payload.mutation);
    }
    expect(objectPrototype()).toEqual(before);
    const outcomes = [
      "admitted",
      "insufficient_credits",
      "upstream_invalid",
      "wallet_mismatch",
      "wallet_missing",
    ];
    expect([...met].sort()).toEqual([...outcomes, ...Object.keys(mutations)].sort());
  });
});
