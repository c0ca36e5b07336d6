const pattern = /^(\d+)(?:\.(\d+))?(?:e([+-]?\d{1,3}))?$/i;

/**
 * Whether it is a decimal from 0 to `max` with at most `decimals` decimals: by the shortest text that denotes a number, as
 * the service reads it.
 */
export function isDecimal(source: number | string, max: number, decimals: number): boolean {
  const match = pattern.exec(String(source));
  if (match === null) return false;
  const [, whole = "", fraction = "", exponent = "0"] = match;
  const scale = fraction.length - Number(exponent);
  if (scale > decimals) return false;
  const digits = BigInt(`${whole}${fraction}`);
  return scale >= 0
    ? digits <= BigInt(max) * 10n ** BigInt(scale)
    : digits * 10n ** BigInt(-scale) <= BigInt(max);
}
