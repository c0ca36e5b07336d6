import { type AdminCurrency, minorDigits } from "@creditgate/admin";

/** Credits as the API has them, or micro-credits as a `bigint`. */
export type Credits = number | bigint;

const decimals = 6;

/** Micro-credits, whose sums are exact, also those beyond 2^53. */
export function toMicro(credits: number): bigint {
  return BigInt(credits.toFixed(decimals).replace(".", ""));
}

/** Credits as a number, of 15 digits: for the API, and for what is drawn. */
export function fromMicro(micro: bigint): number {
  return Number(decimalOf(micro, decimals));
}

export function sumOf(amounts: readonly bigint[]): bigint {
  return amounts.reduce((sum, amount) => sum + amount, 0n);
}

/** A whole number of the smallest unit as an exact decimal, which `Intl.NumberFormat` takes. */
export function decimalOf(units: bigint, scale: number): Intl.StringNumericLiteral {
  return `${units}e-${scale}` as Intl.StringNumericLiteral;
}

/** Two decimals, and more only where the amount has more: nothing is rounded to 0.00. */
const format = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 6 });

/** From here on a number does not tell one micro-credit from the next. Two decimals are right up to what a wallet holds. */
const coarseFrom = 2 ** 33;
const coarse = new Intl.NumberFormat("en", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

export function formatCredits(credits: Credits): string {
  const isCoarse = typeof credits === "number" && Math.abs(credits) >= coarseFrom;
  return written(isCoarse ? coarse : format, credits);
}

const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 6 });

/** With a minus; 0 has none. */
function written({ format }: Intl.NumberFormat, credits: Credits): string {
  const amount = typeof credits === "bigint" ? decimalOf(credits, decimals) : credits === 0 ? 0 : credits;
  return format(amount).replace("-", "−");
}

/** A limit, beside an amount that has decimals: whole credits without. */
export function formatLimit(credits: number): string {
  return Number.isInteger(credits) ? whole.format(credits) : formatCredits(credits);
}

/** A change: with its sign, but for 0. */
export function formatChange(credits: Credits): string {
  return credits > 0 ? `+${formatCredits(credits)}` : formatCredits(credits);
}

const large = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** For a figure that is read at a glance: from a thousand on without decimals. */
export function formatGlance(credits: Credits): string {
  const size = Math.abs(typeof credits === "bigint" ? fromMicro(credits) : credits);
  return written(size < 1_000 ? format : large, credits);
}

const compact = new Intl.NumberFormat("en", { notation: "compact", maximumFractionDigits: 1 });

/** For the axis of a chart: 200k. */
export function formatCompact(number: number): string {
  return compact.format(number).replace("K", "k");
}

const percent = new Intl.NumberFormat("en", { maximumFractionDigits: 1, minimumFractionDigits: 1 });

/** A share, or a change, of 1: "12.4 %". */
export function formatPercent(share: number): string {
  return `${percent.format(share * 100).replace("-", "−")} %`;
}

export function formatCount(count: number): string {
  return whole.format(count);
}

/** What a person writes: `5,000.5`. `undefined` for what is no amount, or has more than six decimals. */
export function parseCredits(text: string): number | undefined {
  const plain = text.trim();
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d{1,6})?$/.test(plain)) return undefined;
  const credits = Number(plain.replaceAll(",", ""));
  return credits <= 1_000_000_000 ? credits : undefined;
}

/** A whole number from 1 to the most. */
export function parseCount(text: string, most: number): number | undefined {
  const count = /^\d{1,9}$/.test(text.trim()) ? Number(text) : 0;
  return count >= 1 && count <= most ? count : undefined;
}

/** Empty is `null`: no amount. */
export function parseOptionalCredits(text: string): number | null | undefined {
  return text.trim() === "" ? null : parseCredits(text);
}

/** An amount in minor units as people write it: 18000 of EUR is €180.00. */
export function formatMoney(amount: number | bigint, currency: string): string {
  const digits = minorDigits(currency);
  const value = decimalOf(BigInt(amount), digits);
  const text = formatOf(currency, digits)?.format(value) ?? `${currency} ${formatMinor(amount, currency)}`;
  return text.replace("-", "−");
}

/** Of what is no currency there is none. */
function formatOf(currency: string, digits: number): Intl.NumberFormat | undefined {
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  try {
    return new Intl.NumberFormat("en", { style: "currency", currency, ...decimals });
  } catch {
    return undefined;
  }
}

/** An amount in minor units for a field, without its currency: 18000 of EUR is 180.00. */
export function formatMinor(amount: number | bigint, currency: string): string {
  const digits = minorDigits(currency);
  const decimals = { minimumFractionDigits: digits, maximumFractionDigits: digits };
  return new Intl.NumberFormat("en", { ...decimals, useGrouping: false }).format(
    decimalOf(BigInt(amount), digits),
  );
}

/** What a person writes, in minor units: `180.00` of EUR is 18000. `undefined` for what is no amount of the currency. */
export function parseMoney(text: string, currency: string): number | undefined {
  const digits = minorDigits(currency);
  const plain = text.trim();
  if (!/^(\d{1,3}(,\d{3})+|\d+)(\.\d+)?$/.test(plain)) return undefined;
  const [whole = "", fraction = ""] = plain.replaceAll(",", "").split(".");
  if (fraction.length > digits) return undefined;
  const amount = Number(whole + fraction.padEnd(digits, "0"));
  return amount <= 1e12 ? amount : undefined;
}

/** What one credit costs, as a person writes it, in minor units: `0.0025` of EUR is 0.25. Exact; `undefined` for what is no price. */
export function parseUnitPrice(text: string, money: string): string | undefined {
  const [, whole = "", fraction = ""] = /^(\d{1,7})(?:\.(\d{1,17}))?$/.exec(text.trim()) ?? [];
  if (whole === "") return undefined;
  const amount = moved(whole, fraction, minorDigits(money));
  const decimals = amount.split(".")[1] ?? "";
  return decimals.length <= 15 && Number(amount) <= 1_000_000 ? amount : undefined;
}

/** What the API has in minor units, as a person writes it: 0.25 of EUR is `0.0025`. */
export function formatUnitPrice(amount: string, money: string): string {
  const [whole = "", fraction = ""] = amount.split(".");
  return moved(whole, fraction, -minorDigits(money));
}

/** A decimal with its point moved by this number of places to the right, without zeros that say nothing. */
function moved(whole: string, fraction: string, places: number): string {
  const left = whole.length + places;
  const digits = `${"0".repeat(Math.max(0, 1 - left))}${whole}${fraction}`.padEnd(left, "0");
  const point = Math.max(1, left);
  const decimals = digits.slice(point).replace(/0+$/, "");
  const units = digits.slice(0, point).replace(/^0+(?=\d)/, "");
  return decimals === "" ? units : `${units}.${decimals}`;
}

/** What credits cost now: each invoice is rounded by itself. */
export function costOf(
  micro: bigint,
  currencies: readonly AdminCurrency[],
  currency: string,
): string | undefined {
  const price = currencies.find((one) => one.creditCurrencyKey === currency)?.unitPrice;
  if (price === undefined || price === null) return undefined;
  const [whole = "", fraction = ""] = price.amount.split(".");
  const unit = 10n ** BigInt(decimals + fraction.length);
  return formatMoney((micro * BigInt(whole + fraction) + unit / 2n) / unit, price.currency);
}
