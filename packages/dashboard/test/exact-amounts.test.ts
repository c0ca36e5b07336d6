import { expect, it } from "vitest";
import { balancesOf } from "../src/books/balance.ts";
import { formatChange, formatCredits, formatGlance, sumOf, toMicro } from "../src/parts/amounts.ts";

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
