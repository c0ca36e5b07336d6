import { backOffMs } from "./back-off.ts";
import type { CreditgateError } from "./creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";

const pauses = { firstMs: 250, longestMs: 5_000 };
/** A service that asks for more patience than this is left to the caller, with the error's `retryAfterMs`. */
const LONGEST_RETRY_AFTER_MS = 10_000;

/** How long to wait before the next attempt, or `undefined` if there must be none. Never before Retry-After. */
export function retryPauseMs(
  endpoint: Endpoint,
  error: CreditgateError,
  retry: number,
  random: () => number,
): number | undefined {
  const safe = endpoint.idempotent ? error.retryable : error.code === "not_sent";
  const retryAfterMs = error.retryAfterMs ?? 0;
  if (!safe || retryAfterMs > LONGEST_RETRY_AFTER_MS) return undefined;
  return Math.max(retryAfterMs, Math.round(backOffMs(retry + 1, { ...pauses, random })));
}
