import { describe, expect, it } from "vitest";
import { formatUnitPrice, parseUnitPrice } from "../src/parts/amounts.ts";

describe("the price of a credit", () => {
  it.each([
    ["0.25", "EUR", "25"],
    ["0.0025", "EUR", "0.25"],
    ["12", "EUR", "1200"],
    ["0", "EUR", "0"],
    ["3", "JPY", "3"],
    ["0.5", "JPY", "0.5"],
    ["0.001", "KWD", "1"],
    ["0.00000000000000001", "EUR", "0.000000000000001"],
    ["10000", "EUR", "1000000"],
  ])("%s in %s is %s minor units, and back", (text, money, amount) => {
    expect(parseUnitPrice(text, money)).toBe(amount);
    expect(formatUnitPrice(amount, money)).toBe(text);
  });

  it.each(["", "-1", "1,5", "1e3", "abc", "10000.01", "0.000000000000000001", "1."])("%j is none", (text) => {
    expect(parseUnitPrice(text, "EUR")).toBeUndefined();
  });

  it("is what was meant where zeros stand around it", () => {
    expect(parseUnitPrice(" 00.2500 ", "EUR")).toBe("25");
    expect(formatUnitPrice("25.000000000000000", "EUR")).toBe("0.25");
  });
});
