/** One credit in micro-credits: every amount inside the gate is an integer of these. */
const scale = 6;
const largest = BigInt(Number.MAX_SAFE_INTEGER);

/** Whether it is a finite number, 0 or more. */
export function isAmount(value: unknown): value is number {
  return Number.isFinite(value) && Number(value) >= 0;
}

/** Which way an amount that is finer than a micro-credit goes: capacity is floored, costs are ceiled. */
export type Rounding = "floor" | "ceil";

/**
 * A finite number of credits as an integer of micro-credits.
 *
 * Scaled through the shortest decimal that denotes the number, never by `credits * 1e6` (2.01 would become
 * 2009999). Beyond the safe integer range the result is clamped to its edge.
 */
export function toMicro(credits: number, rounding: Rounding): number {
  return wholeMicro(credits) ?? clampMicro(exactMicro(credits, rounding));
}

/** `undefined` if that takes more than one multiplication. */
function wholeMicro(credits: number): number | undefined {
  // Up to 15 digits a decimal and its double denote each other, so the round trip proves that no digit is lost.
  const micro = Math.round(credits * 1e6);
  return micro < 1e15 && micro > -1e15 && micro / 1e6 === credits ? micro + 0 : undefined;
}

/** {@link toMicro} without bounds: what is added up must not be clamped before, or a debt beyond the edge would shrink. */
export function exactMicro(credits: number, rounding: Rounding): bigint {
  const whole = wholeMicro(credits);
  return whole === undefined ? exactDecimal(credits, rounding) : BigInt(whole);
}

function exactDecimal(credits: number, rounding: Rounding): bigint {
  const [mantissa = "", exponent = "0"] = String(credits).split("e");
  const [whole = "", fraction = ""] = mantissa.split(".");
  const digits = BigInt(whole + fraction);
  const shift = Number(exponent) - fraction.length + scale;
  if (shift >= 0) return digits * 10n ** BigInt(shift);
  const divisor = 10n ** BigInt(-shift);
  const truncated = digits / divisor;
  if (digits % divisor === 0n) return truncated;
  if (rounding === "ceil") return digits > 0n ? truncated + 1n : truncated;
  return digits < 0n ? truncated - 1n : truncated;
}

/** The nearest amount within the safe integer range. */
export function clampMicro(micro: bigint): number {
  if (micro > largest) return Number.MAX_SAFE_INTEGER;
  if (micro < -largest) return Number.MIN_SAFE_INTEGER;
  return Number(micro);
}

/** Micro-credits as credits, for people and programs outside of the gate. */
export function fromMicro(micro: number): number {
  return micro / 1e6;
}
