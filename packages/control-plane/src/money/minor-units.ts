import { formatDecimal, parseDecimal } from "./decimal.ts";

/** Currencies of ISO 4217 whose minor unit is not a hundredth. JavaScript's own table follows what is used in cash. */
const digitsOf: Readonly<Record<string, number>> = {
  ...digits(0, "BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF"),
  ...digits(3, "BHD IQD JOD KWD LYD OMR TND"),
  ...digits(4, "CLF UYW"),
};

function digits(count: number, currencies: string): Readonly<Record<string, number>> {
  return Object.fromEntries(currencies.split(" ").map((currency) => [currency, count]));
}

/** How many decimals amounts of a currency have (ISO 4217): 0 for JPY, 3 for KWD, 2 for most. */
export function minorDigits(currency: string): number {
  return digitsOf[currency] ?? 2;
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

/** Decimal text with its thousands apart, and at least so many decimals. */
export function grouped(decimal: string, decimals = 0): string {
  const [whole = "", fraction = ""] = decimal.split(".");
  const thousands = whole.replace(/\B(?=(\d{3})+$)/g, ",");
  const rest = fraction.padEnd(decimals, "0");
  return rest === "" ? thousands : `${thousands}.${rest}`;
}
