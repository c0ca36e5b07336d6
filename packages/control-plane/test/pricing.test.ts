import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCredits, microCredits } from "../src/billing/credits.ts";
import { formatDecimal, parseDecimal } from "../src/billing/decimal.ts";
import { type Price, priceOf } from "../src/billing/pricing.ts";

function price(perEvent: string, perThousandInputTokens = "0", perThousandOutputTokens = "0"): Price {
  const read = (text: string) => parseDecimal(text) ?? { digits: 0n, scale: 0 };
  return {
    perEvent: read(perEvent),
    perThousandInputTokens: read(perThousandInputTokens),
    perThousandOutputTokens: read(perThousandOutputTokens),
  };
}

describe("priceOf", () => {
  it.each([
    ["1", "0.5", "1.5", 12, 40, "1.066"],
    ["2.01", "0", "0", 0, 0, "2.01"],
    ["0", "0.001", "0", 1, 0, "0.000001"],
    ["0", "0.0000001", "0", 1, 0, "0.000001"],
    ["0", "0.0004", "0.0006", 1, 1, "0.000001"],
    ["0", "0.0004", "0.0007", 1, 1, "0.000002"],
    ["0", "1", "1", 0, 0, "0"],
    ["0", "3", "0", Number.MAX_SAFE_INTEGER, 0, "27021597764222.973"],
  ])(
    "is exact, and rounds the sum up once: %s + %s/1k in + %s/1k out",
    (event, input, output, tokensIn, tokensOut, expected) => {
      const amount = priceOf(price(event, input, output), { inputTokens: tokensIn, outputTokens: tokensOut });
      expect(formatCredits(amount)).toBe(expected);
    },
  );

  it("agrees with rationals, for any prices and tokens", () => {
    const digits = fc.bigInt(0n, 10n ** 18n);
    const decimal = fc.record({ digits, scale: fc.nat(15) });
    const tokens = fc.maxSafeNat();
    fc.assert(
      fc.property(
        decimal,
        decimal,
        decimal,
        tokens,
        tokens,
        (event, input, output, inputTokens, outputTokens) => {
          const amount = priceOf(
            { perEvent: event, perThousandInputTokens: input, perThousandOutputTokens: output },
            { inputTokens, outputTokens },
          );
          // The sum over one denominator, 10^18 for the decimals and the thousand: amount is its ceiling.
          const part = (d: typeof event, count: bigint) => d.digits * count * 10n ** BigInt(15 - d.scale);
          const numerator =
            (part(event, 1000n) + part(input, BigInt(inputTokens)) + part(output, BigInt(outputTokens))) *
            10n ** 6n;
          const denominator = 10n ** 18n;
          expect(amount * denominator >= numerator).toBe(true);
          expect((amount - 1n) * denominator < numerator).toBe(true);
        },
      ),
    );
  });
});

describe("microCredits", () => {
  it.each([
    [2.01, 2_010_000n],
    [0.000001, 1n],
    [1e-6, 1n],
    [1e9, 1_000_000_000_000_000n],
    ["9007199254.740993", 9_007_199_254_740_993n],
    [1e-7, undefined],
    ["1.0000000", 1_000_000n],
    [Number.NaN, undefined],
    [Number.POSITIVE_INFINITY, undefined],
    ["", undefined],
    ["0x10", undefined],
  ])("reads %s credits by their decimal text", (credits, micro) => {
    expect(microCredits(credits)).toBe(micro);
  });

  it("is undone by formatCredits, for any amount", () => {
    fc.assert(
      fc.property(fc.bigInt(-(10n ** 24n), 10n ** 24n), (micro) => {
        expect(microCredits(formatCredits(micro))).toBe(micro);
      }),
    );
  });
});

describe("formatDecimal", () => {
  it("writes what parseDecimal reads as the same number, for any float", () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e9, noNaN: true }), (value) => {
        const decimal = parseDecimal(value);
        expect(decimal && Number(formatDecimal(decimal))).toBe(value);
      }),
    );
  });
});
