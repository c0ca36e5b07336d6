import { minorDigits } from "@creditgate/client/admin";
import { formatDecimal, parseDecimal } from "./decimal.ts";

/** Minor units as the currency is written, with its thousands apart: 490000 of EUR is `4,900.00`. */
export function formatMoney(amount: bigint, currency: string): string {
  const scale = minorDigits(currency);
  return grouped(formatDecimal({ digits: amount, scale }), scale);
}

/** A price in minor units as decimal text, as the currency is written, to its last digit: `0.25` of EUR is `0.0025`. */
export function formatPrice(minorUnits: string, currency: string): string {
  const exact = parseDecimal(minorUnits);
  if (exact === undefined) throw new RangeError(`expected a decimal, received ${minorUnits}`);
  const scale = minorDigits(currency);
  return grouped(formatDecimal({ ...exact, scale: exact.scale + scale }), scale);
}

/** Decimal text with its thousands apart, and at least this number of decimals. */
export function grouped(decimal: string, decimals = 0): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = fraction.padEnd(decimals, "0");
  return rest === "" ? thousands : `${thousands}.${rest}`;
}
