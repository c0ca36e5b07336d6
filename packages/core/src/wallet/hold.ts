import { verbose } from "#verbosity";
import { fromMicro, toMicro } from "../values/micro.ts";
import { checkNames, invalidOption } from "../values/option.ts";

/**
 * Credits to hold: all of them or none; or as many as there are, up to `max` and at least `min`. Finite and above 0. Less than `max`
 * is held only on a balance that is younger than the request.
 */
export type HoldAmount = number | { readonly min: number; readonly max: number };

/** The hold in micro-credits. Free work is skipped, not held for. */
export function checkHold(option: string, credits: unknown): number {
  // Strictly below the edge, where an amount may be clamped, and a cost must never be rounded down.
  if (typeof credits === "number" && credits > 0 && credits < fromMicro(Number.MAX_SAFE_INTEGER)) {
    return toMicro(credits, "ceil");
  }
  return invalidOption(option, verbose && "a finite number of credits above 0", credits);
}

/** The most and the least to hold, in micro-credits. */
export interface HoldBounds {
  readonly hold: number;
  readonly least: number;
}

/** The bounds of an amount that is no single number. */
export function checkBounds(option: string, amount: HoldAmount): HoldBounds {
  if (typeof amount !== "object" || amount === null) {
    const hold = checkHold(option, amount);
    return { hold, least: hold };
  }
  checkNames(amount, { min: true, max: true }, { place: `${option}.`, what: "field" });
  const hold = checkHold(`${option}.max`, amount.max);
  const least = checkHold(`${option}.min`, amount.min);
  if (least > hold) invalidOption(`${option}.min`, verbose && `at most max, ${amount.max}`, amount.min);
  return { hold, least };
}
