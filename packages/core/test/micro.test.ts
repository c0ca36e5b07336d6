import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { clampMicro, exactMicro, fromMicro, toMicro } from "../src/values/micro.ts";
import { exactValue, rational } from "./rational.ts";

const finite = fc.double({ noNaN: true, noDefaultInfinity: true });
const amounts = fc.oneof(
  finite,
  fc.double({ noNaN: true, min: -1e10, max: 1e10 }),
  fc.integer({ min: -1e9, max: 1e9 }).map((micro) => micro / 1e6),
  fc.integer({ min: -1e6, max: 1e6 }).map((hundredths) => hundredths / 100),
);

describe("toMicro", () => {
  it("scales by the decimal, not by a multiplication of floats", () => {
    expect(2.01 * 1e6).toBe(2009999.9999999998);
    expect(toMicro(2.01, "floor")).toBe(2_010_000);
    expect(toMicro(2.01, "ceil")).toBe(2_010_000);
    expect(toMicro(0.1 + 0.2, "floor")).toBe(300_000);
    expect(toMicro(0.1 + 0.2, "ceil")).toBe(300_001);
  });

  it("floors capacity and ceils costs, below zero too", () => {
    expect([toMicro(1e-7, "floor"), toMicro(1e-7, "ceil")]).toEqual([0, 1]);
    expect([toMicro(-1e-7, "floor"), toMicro(-1e-7, "ceil")]).toEqual([-1, 0]);
    expect([toMicro(1.0000005, "floor"), toMicro(1.0000005, "ceil")]).toEqual([1_000_000, 1_000_001]);
    expect([toMicro(5e-324, "floor"), toMicro(5e-324, "ceil")]).toEqual([0, 1]);
  });

  it("has no negative zero", () => {
    expect(Object.is(toMicro(-0, "floor"), 0)).toBe(true);
    expect(Object.is(toMicro(-1e-9, "ceil"), 0)).toBe(true);
  });

  it("clamps to the edges of the safe integer range", () => {
    for (const huge of [1e21, 9_007_199_254.740993, Number.MAX_SAFE_INTEGER, Number.MAX_VALUE]) {
      expect(toMicro(huge, "ceil")).toBe(Number.MAX_SAFE_INTEGER);
      expect(toMicro(-huge, "floor")).toBe(Number.MIN_SAFE_INTEGER);
    }
    expect(toMicro(9_007_199_254.74099, "floor")).toBeLessThanOrEqual(Number.MAX_SAFE_INTEGER);
  });

  it("agrees with rational arithmetic on the decimal that denotes the number", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom("floor" as const, "ceil" as const), (credits, rounding) => {
        expect(toMicro(credits, rounding)).toBe(clampMicro(rational(credits, rounding)));
      }),
      { numRuns: 3_000 },
    );
  });
});

describe("exactMicro", () => {
  it("agrees with rational arithmetic without bounds", () => {
    fc.assert(
      fc.property(amounts, fc.constantFrom("floor" as const, "ceil" as const), (credits, rounding) => {
        expect(exactMicro(credits, rounding)).toBe(rational(credits, rounding));
      }),
      { numRuns: 1_000 },
    );
  });

  it("never loses or gains as much as one micro-credit", () => {
    fc.assert(
      fc.property(amounts, (credits) => {
        const { numerator, denominator } = exactValue(credits);
        const scaled = numerator * 1_000_000n;
        expect(exactMicro(credits, "floor") * denominator <= scaled).toBe(true);
        expect(exactMicro(credits, "ceil") * denominator >= scaled).toBe(true);
        expect(exactMicro(credits, "ceil") - exactMicro(credits, "floor") <= 1n).toBe(true);
      }),
    );
  });
});

describe("fromMicro", () => {
  it("is undone by toMicro", () => {
    fc.assert(
      fc.property(fc.integer({ min: -1e15 + 1, max: 1e15 - 1 }), (micro) => {
        expect(toMicro(fromMicro(micro), "floor")).toBe(micro + 0);
        expect(toMicro(fromMicro(micro), "ceil")).toBe(micro + 0);
      }),
    );
  });
});
