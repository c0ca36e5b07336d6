import { minorDigits } from "@creditgate/client/admin";

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
