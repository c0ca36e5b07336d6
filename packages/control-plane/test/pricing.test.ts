import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { formatCredits, formatDecimal, microCredits, parseDecimal } from "../src/money/decimal.ts";
import { amountOf, type Component, components, minutesOf, whole } from "../src/pricing/pricing.ts";

const read = (text: string) => parseDecimal(text) ?? { digits: 0n, scale: 0 };

describe("amountOf", () => {
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
      const price = {
        perEvent: read(event),
        perThousandInputTokens: read(input),
        perThousandOutputTokens: read(output),
      };
      const quantity = {
        perEvent: whole(1),
        perThousandInputTokens: whole(tokensIn),
        perThousandOutputTokens: whole(tokensOut),
      };
      expect(formatCredits(amountOf([{ price, quantity }]))).toBe(expected);
    },
  );

  it("takes thousands of tokens and characters, single events and minutes, whole or in parts", () => {
    const charge = (component: Component, rate: string, count: string) =>
      formatCredits(
        amountOf([{ price: { [component]: read(rate) }, quantity: { [component]: read(count) } }]),
      );
    expect(charge("perEvent", "2", "1")).toBe("2");
    expect(charge("perThousandCachedTokens", "2", "500")).toBe("1");
    expect(charge("perThousandCharacters", "2", "1")).toBe("0.002");
    expect(charge("perAudioMinute", "0.3", "0.1")).toBe("0.03");
    expect(charge("perCallMinute", "1", "0.0000001")).toBe("0.000001");
  });

  it("takes seconds as parts of a minute, exactly", () => {
    const cost = (rate: string, seconds: number) =>
      formatCredits(
        amountOf([
          { price: { perAudioMinute: read(rate) }, quantity: { perAudioMinute: minutesOf(seconds) } },
        ]),
      );
    expect(cost("0.006", 60)).toBe("0.006");
    expect(cost("0.01", 20)).toBe("0.003334");
    expect(cost("3", 20)).toBe("1");
  });

  it.each([
    ["perThousandCachedTokens", "perThousandInputTokens"],
    ["perThousandCacheWriteTokens", "perThousandInputTokens"],
    ["perThousandAudioInputTokens", "perThousandInputTokens"],
    ["perThousandReasoningTokens", "perThousandOutputTokens"],
    ["perThousandAudioOutputTokens", "perThousandOutputTokens"],
  ] as const)("takes %s without a rate for %s, and 0 for a rate", (part, total) => {
    const quantity = { [part]: whole(1_000) };
    expect(formatCredits(amountOf([{ price: { [total]: read("2") }, quantity }]))).toBe("2");
    const price = { [total]: read("2"), [part]: read("0") };
    expect(formatCredits(amountOf([{ price, quantity }]))).toBe("0");
  });

  it("agrees with rationals, for any charges", () => {
    const decimal = fc.record({ digits: fc.bigInt(0n, 10n ** 18n), scale: fc.nat(15) });
    const each = Object.fromEntries(components.map((component) => [component, decimal]));
    const charge = fc.record({
      price: fc.record(each, { requiredKeys: [] }),
      quantity: fc.record(each, { requiredKeys: [] }),
    });
    fc.assert(
      fc.property(fc.array(charge, { maxLength: 5 }), (charges) => {
        // Over one denominator: 10^30 for the decimals of rate and count, and the thousand.
        let numerator = 0n;
        for (const { price, quantity } of charges) {
          for (const component of components) {
            const part = /CachedTokens|CacheWrite|AudioInput/.test(component) && price.perThousandInputTokens;
            const rest = /Reasoning|AudioOutput/.test(component) && price.perThousandOutputTokens;
            const rate = price[component] ?? (part || rest || undefined);
            const count = quantity[component];
            if (rate === undefined || count === undefined) continue;
            const unit = component.includes("Thousand") ? 1n : 1000n;
            numerator += rate.digits * count.digits * unit * 10n ** BigInt(30 - rate.scale - count.scale);
          }
        }
        const denominator = 10n ** 27n;
        const amount = amountOf(charges);
        expect(amount * denominator >= numerator).toBe(true);
        expect((amount - 1n) * denominator < numerator).toBe(true);
      }),
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
