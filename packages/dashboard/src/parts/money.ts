import { minorDigits } from "@creditgate/client/admin";

/** An amount in minor units as people write it: 18000 of EUR is €180.00. */
export function formatMoney(amount: number, currency: string): string {
  const digits = minorDigits(currency);
  const value = amount / 10 ** digits;
  const text = formatOf(currency, digits)?.format(value) ?? `${currency} ${value.toFixed(digits)}`;
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
export function formatMinor(amount: number, currency: string): string {
  const digits = minorDigits(currency);
  return (amount / 10 ** digits).toFixed(digits);
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
