import { fromMicro, toMicro } from "../values/micro.ts";
import { invalidOption } from "../values/option.ts";

/** The hold in micro-credits. Free work is skipped, not held for. */
export function checkHold(option: string, credits: unknown): number {
  // Strictly below the edge, where an amount may be clamped, and a cost must never be rounded down.
  if (typeof credits === "number" && credits > 0 && credits < fromMicro(Number.MAX_SAFE_INTEGER)) {
    return toMicro(credits, "ceil");
  }
  return invalidOption(option, "a finite number of credits above 0", credits);
}
