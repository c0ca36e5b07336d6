import { minorDigits } from "@creditgate/admin";

/** An exact decimal: `digits / 10 ** scale`. */
export interface Decimal {
  readonly digits: bigint;
  readonly scale: number;
}

const pattern = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Reads a decimal out of its text, or out of a number by the shortest text that denotes it: 2.01 is 2.01, which
 * `2.01 * 1e6` is not.
 */
export function parseDecimal(source: string | number): Decimal | undefined {
  const match = pattern.exec(String(source));
  if (match === null) return undefined;
  const [, sign = "", whole = "", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const scale = fraction.length - Number(exponent);
  return scale >= 0 ? { digits, scale } : { digits: digits * 10n ** BigInt(-scale), scale: 0 };
}

/** Writes a decimal without an exponent, as PostgreSQL's `numeric` reads it. */
export function formatDecimal({ digits, scale }: Decimal): string {
  const text = (digits < 0n ? -digits : digits).toString().padStart(scale + 1, "0");
  const whole = text.slice(0, text.length - scale);
  const fraction = text.slice(text.length - scale).replace(/0+$/, "");
  return `${digits < 0n ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/** Amounts are integers of micro-credits; credits are their decimal text at the borders of the service. */
const scale = 6;

/** More than this is refused where an amount comes in: one billion credits. */
export const maxCredits = 1_000_000_000;

/** What a `bigint` column holds. */
export const maxMicroCredits: bigint = 2n ** 63n - 1n;

/** Credits to micro-credits; `undefined` where the source is no number or has more than six decimals. */
export function microCredits(credits: string | number): bigint | undefined {
  const decimal = parseDecimal(credits);
  if (decimal === undefined) return undefined;
  if (decimal.scale <= scale) return decimal.digits * 10n ** BigInt(scale - decimal.scale);
  const unit = 10n ** BigInt(decimal.scale - scale);
  return decimal.digits % unit === 0n ? decimal.digits / unit : undefined;
}

/** Credits that a contract has checked, to micro-credits; throws where it has not. */
export function checkedMicroCredits(credits: number): bigint {
  const micro = microCredits(credits);
  if (micro === undefined) throw new RangeError(`expected at most ${scale} decimals, received ${credits}`);
  return micro;
}

/** Micro-credits to the exact decimal text of the credits. */
export function formatCredits(micro: bigint): string {
  return formatDecimal({ digits: micro, scale });
}

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
