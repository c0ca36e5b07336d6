import { expect, it } from "vitest";
import { balancesOf } from "../src/books/balance.ts";
import {
  costOf,
  formatChange,
  formatCredits,
  formatGlance,
  formatMinor,
  formatMoney,
  parseCredits,
  parseMoney,
  sumOf,
  toMicro,
} from "../src/parts/amounts.ts";

/** Ten of them are more than 2^53 micro-credits. */
const large = 999_999_999.999999;

it("sums are exact beyond 2^53 micro-credits", () => {
  const sum = sumOf(Array.from({ length: 10 }, () => toMicro(large)));
  expect(sum).toBe(9_999_999_999_999_990n);
  expect(formatCredits(sum + 1n)).toBe("9,999,999,999.999991");
  expect(formatChange(-sum)).toBe("−9,999,999,999.99999");
  expect(formatGlance(sum)).toBe("10,000,000,000");
});

it.each([
  [0, "0.00"],
  [-0, "0.00"],
  [0.1 + 0.2, "0.30"],
  [0.000001, "0.000001"],
  [-2.5, "−2.50"],
  [0n, "0.00"],
  [-1n, "−0.000001"],
  [2_010_000n, "2.01"],
  [9_007_199_254_740_993n, "9,007,199,254.740993"],
])("%s is written %s", (credits, text) => {
  expect(formatCredits(credits)).toBe(text);
});

it("one amount that a form takes is exact to its last micro-credit", () => {
  expect(parseCredits("1,000,000,000")).toBe(1_000_000_000);
  expect(parseCredits("1,000,000,000.000001")).toBeUndefined();
  expect(parseCredits(String(large))).toBe(large);
  expect(toMicro(large)).toBe(999_999_999_999_999n);
  expect(formatCredits(large)).toBe("999,999,999.999999");
});

it("the balance of a wallet shows no decimals that its number does not have, up to what a wallet holds", () => {
  const most = 2n ** 63n - 1n;
  for (const micro of [2n ** 33n * 1_000_000n + 1n, 2n ** 53n + 1n, most - 7n, most]) {
    const balance = Number(`${micro / 1_000_000n}.${String(micro % 1_000_000n).padStart(6, "0")}`);
    const cents = (micro + 5_000n) / 10_000n;
    expect(formatCredits(balance).replace(/[,.]/g, "")).toBe(cents.toString());
  }
  expect(formatCredits(2 ** 33 - 0.000001)).toBe("8,589,934,591.999999");
});

it("money is exact, also what credits cost", () => {
  expect(parseMoney("10,000,000,000.00", "EUR")).toBe(1e12);
  expect(formatMoney(Number.MAX_SAFE_INTEGER, "EUR")).toBe("€90,071,992,547,409.91");
  expect(formatMoney(-(2n ** 60n), "JPY")).toBe("−¥1,152,921,504,606,846,976");
  expect(formatMinor(Number.MAX_SAFE_INTEGER, "EUR")).toBe("90071992547409.91");
  const unitPrice = { amount: "0.333333333333333", currency: "EUR" };
  const currencies = [{ creditCurrencyKey: "ai_credits", name: null, unitPrice, etag: undefined }];
  expect(costOf(2n ** 60n, currencies, "ai_credits")).toBe("€3,843,071,682.02");
  expect(costOf(1_500_000n, currencies, "ai_credits")).toBe("€0.00");
});

it("the books of an organisation add up beyond 2^53 micro-credits", () => {
  const issued = Array.from({ length: 11 }, (_, number) => ({
    ...{ account: `issued-${number}`, currency: "ai_credits", debit: 0, credit: large, balance: -large },
  }));
  const held = issued.map(({ currency }, number) => ({
    ...{ account: `wallet-${number}`, currency, debit: large, credit: 0, balance: large },
  }));
  const [balance] = balancesOf({ journal: "credits", accounts: [...issued, ...held] });
  expect(balance?.addsUp).toBe(true);
  expect(balance?.total).toEqual({
    debit: "10,999,999,999.999989",
    credit: "10,999,999,999.999989",
    balance: "0.000000",
  });
});
