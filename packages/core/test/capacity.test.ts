import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clampMicro } from "../src/values/micro.ts";
import { capacitiesOf, fundsOf, reportedOf } from "../src/wallet/capacity.ts";
import { rational } from "./rational.ts";
import { type Figures, wallet } from "./service.ts";

const fields = Object.keys(wallet()) as (keyof Figures)[];
const upstreamInvalid = { prepaid: "upstream_invalid", postpaid: "upstream_invalid" };

describe("capacitiesOf", () => {
  it("gives a prepaid wallet available + overage_limit - overage_used", () => {
    expect(capacitiesOf(wallet({ available: 10, overage_limit: 5, overage_used: 2 })).prepaid).toBe(13e6);
  });

  it("counts a negative available as debt", () => {
    expect(capacitiesOf(wallet({ available: -3, overage_limit: 5 })).prepaid).toBe(2e6);
    expect(capacitiesOf(wallet({ available: -7, overage_limit: 5 })).prepaid).toBe(-2e6);
  });

  it("gives a postpaid wallet with a limit what is left of it", () => {
    expect(capacitiesOf(wallet({ postpaid_limit: 100, postpaid_used: 30 })).postpaid).toBe(70e6);
    expect(capacitiesOf(wallet({ postpaid_limit: 100, postpaid_used: 130 })).postpaid).toBe(-30e6);
  });

  it("reads all zeros as broke for prepaid and unlimited for postpaid", () => {
    expect(capacitiesOf(wallet())).toEqual({ prepaid: 0, postpaid: Number.POSITIVE_INFINITY });
  });

  it("gives a postpaid wallet without a limit no limit, whatever it has used", () => {
    expect(capacitiesOf(wallet({ postpaid_used: 1e9 })).postpaid).toBe(Number.POSITIVE_INFINITY);
  });

  it("takes a limit too small for a micro-credit for a limit", () => {
    expect(capacitiesOf(wallet({ postpaid_limit: 1e-9 })).postpaid).toBe(0);
  });

  it("never counts pending", () => {
    const figures = { available: 4, pending: 1_000 };
    expect(capacitiesOf(wallet(figures)).prepaid).toBe(4e6);
    expect(capacitiesOf(wallet({ pending: 1_000, postpaid_limit: 4 })).postpaid).toBe(4e6);
  });

  it.each(["available", "overage_used", "overage_limit"] as const)(
    "finds %s on a postpaid wallet a mismatch",
    (field) => {
      expect(capacitiesOf(wallet({ postpaid_limit: 9, [field]: 1e-9 })).postpaid).toBe("wallet_mismatch");
    },
  );

  it.each(["postpaid_used", "postpaid_limit"] as const)(
    "finds %s on a prepaid wallet a mismatch",
    (field) => {
      expect(capacitiesOf(wallet({ available: 9, [field]: 1e-9 })).prepaid).toBe("wallet_mismatch");
    },
  );

  it.each(fields)("is invalid where %s is missing, inherited or no finite number", (field) => {
    const { [field]: _gone, ...rest } = wallet({ available: 9 });
    expect(capacitiesOf(rest)).toEqual(upstreamInvalid);
    expect(capacitiesOf(Object.assign(Object.create(wallet()), rest))).toEqual(upstreamInvalid);
    for (const wrong of [
      "9",
      null,
      Number.NaN,
      Number.POSITIVE_INFINITY,
      Number.NEGATIVE_INFINITY,
      true,
      {},
    ]) {
      expect(capacitiesOf({ ...rest, [field]: wrong })).toEqual(upstreamInvalid);
    }
  });

  it.each(fields.filter((field) => field !== "available"))("is invalid where %s is negative", (field) => {
    expect(capacitiesOf(wallet({ [field]: -1 }))).toEqual(upstreamInvalid);
  });

  it.each([undefined, null, 7, "wallet", [], true])("is invalid where the entry is %s", (entry) => {
    expect(capacitiesOf(entry)).toEqual(upstreamInvalid);
  });

  it("clamps beyond the safe integer range downwards, never up", () => {
    expect(capacitiesOf(wallet({ available: 1e21 })).prepaid).toBe(Number.MAX_SAFE_INTEGER);
    // Each of these figures is beyond the edge by itself, and the debt is by far the largest.
    const indebted = wallet({ available: 1e10, overage_limit: 1e10, overage_used: 1e24 });
    expect(capacitiesOf(indebted).prepaid).toBe(Number.MIN_SAFE_INTEGER);
    const exceeded = wallet({ postpaid_limit: 1e10, postpaid_used: 1e10 + 5 });
    expect(capacitiesOf(exceeded).postpaid).toBe(-5e6);
  });

  it("agrees with rational arithmetic that is clamped once, at the end", () => {
    const amount = fc.oneof(
      fc.double({ min: 0, max: 1e12, noNaN: true }),
      fc.integer({ min: 0, max: 1e8 }).map((hundredths) => hundredths / 100),
    );
    fc.assert(
      fc.property(amount, amount, amount, fc.boolean(), (a, limit, used, owes) => {
        const available = owes ? -a : a;
        const { prepaid } = capacitiesOf(wallet({ available, overage_limit: limit, overage_used: used }));
        const exact = rational(available, "floor") + rational(limit, "floor") - rational(used, "ceil");
        expect(prepaid).toBe(clampMicro(exact));
      }),
      { numRuns: 1_000 },
    );
  });
});

describe("toldOf", () => {
  it("reads nothing where the service tells nothing", () => {
    expect(reportedOf(wallet())).toEqual({ kind: undefined, unsettled: undefined });
  });

  it.each(["prepaid", "postpaid"] as const)("reads that a wallet is %s", (kind) => {
    expect(reportedOf({ ...wallet(), kind })).toEqual({ kind, unsettled: undefined });
  });

  it("reads what is unsettled, rounded up to the micro-credit", () => {
    expect(reportedOf({ ...wallet(), unsettled: 0 })?.unsettled).toBe(0);
    expect(reportedOf({ ...wallet(), unsettled: 2.01 })?.unsettled).toBe(2_010_000);
    expect(reportedOf({ ...wallet(), unsettled: 1e-9 })?.unsettled).toBe(1);
  });

  it.each([-1, -1e-9, Number.NaN, Number.POSITIVE_INFINITY, "1", null, true])(
    "makes no sense of %s unsettled",
    (unsettled) => {
      expect(reportedOf({ ...wallet(), unsettled })).toBeUndefined();
    },
  );

  it.each(["", "Prepaid", null, 1])("makes no sense of the kind %j", (kind) => {
    expect(reportedOf({ ...wallet(), kind, unsettled: 1 })).toBeUndefined();
  });
});

describe("fundsOf", () => {
  it("falls with every debit, whatever the kind of the wallet, and knows no limit", () => {
    const figures = { available: 10, overage_used: 3, overage_limit: 50, pending: 7 };
    expect(fundsOf(wallet(figures))).toBe(7e6);
    expect(fundsOf(wallet({ postpaid_used: 4, postpaid_limit: 50 }))).toBe(-4e6);
  });

  it("is not known of a doubtful entry", () => {
    expect(fundsOf({ ...wallet(), available: "9" })).toBeUndefined();
  });
});
