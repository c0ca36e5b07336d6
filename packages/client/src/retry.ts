import type { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 5_000;
/** A service that asks for more patience than this is left to the caller, with the error's `retryAfterMs`. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** How long to wait before the next attempt, or `undefined` if there must be none. Full jitter, never before Retry-After. */
export function retryPauseMs(
  endpoint: Endpoint,
  error: CreditgateError,
  retry: number,
  chance: number,
): number | undefined {
  const safe = endpoint.idempotent ? error.retryable : error.code === "not_sent";
  const retryAfterMs = error.retryAfterMs ?? 0;
  if (!safe || retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  const ceiling = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** retry);
  return Math.max(retryAfterMs, Math.round(chance * ceiling));
}
