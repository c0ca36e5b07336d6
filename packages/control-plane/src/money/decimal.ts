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
