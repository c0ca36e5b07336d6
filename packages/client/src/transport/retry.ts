import { abortedError, type CreditgateError } from "../errors/creditgate-error.ts";
import type { Endpoint } from "./endpoint.ts";
import type { Timing } from "./timing.ts";

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

export interface BackOffBounds {
  /** The longest pause after the first failure, in milliseconds. It doubles with each further failure. */
  readonly firstMs: number;
  /** The longest pause of all, in milliseconds. */
  readonly longestMs: number;
  /** Returns a number from 0 up to but without 1. */
  readonly random: () => number;
}

/**
 * Returns how long to wait, in milliseconds, before the next attempt after `failures` failures in a row. Full jitter: processes that
 * failed together do not retry together.
 */
export function backOffMs(failures: number, { firstMs, longestMs, random }: BackOffBounds): number {
  return Math.min(longestMs, firstMs * 2 ** (failures - 1)) * random();
}

/** Waits between two attempts; the caller's signal ends it with the error `aborted`. */
export function pause(timing: Timing, ms: number, call: string, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = (): void => {
      cancel();
      reject(abortedError(call, signal?.reason));
    };
    const cancel = timing.after(ms, () => {
      signal?.removeEventListener("abort", end);
      resolve();
    });
    if (signal?.aborted) end();
    else signal?.addEventListener("abort", end, { once: true });
  });
}
