/** The reference: the shortest decimal that denotes a number, as an exact fraction. Slow and plain. */
export function exactValue(credits: number): { readonly numerator: bigint; readonly denominator: bigint } {
  const match = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/.exec(String(credits));
  if (match === null) throw new RangeError(`not a finite number: ${credits}`);
  const [, sign, whole = "0", fraction = "", exponent = "0"] = match;
  const digits = BigInt(`${sign}${whole}${fraction}`);
  const power = Number(exponent) - fraction.length;
  return power >= 0
    ? { numerator: digits * 10n ** BigInt(power), denominator: 1n }
    : { numerator: digits, denominator: 10n ** BigInt(-power) };
}

/** Credits as micro-credits, rounded towards minus infinity or plus infinity. */
export function rational(credits: number, rounding: "floor" | "ceil"): bigint {
  const { numerator, denominator } = exactValue(credits);
  const scaled = numerator * 1_000_000n;
  const remainder = ((scaled % denominator) + denominator) % denominator;
  const floor = (scaled - remainder) / denominator;
  return rounding === "ceil" && remainder !== 0n ? floor + 1n : floor;
}
