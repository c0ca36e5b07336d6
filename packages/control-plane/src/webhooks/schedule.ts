const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
export const day: number = 24 * hour;

/** From one attempt to the next, before jitter; after the last one an event is given up. docs/control-plane/webhooks.md has the list. */
const delaysMs: readonly number[] = [
  5 * second,
  30 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
];

/** How old an event may become whose attempts begin late, because it waited behind another. */
const oldestMs: number = 7 * day;

/** By at most this part a delay is longer, so that what failed together does not come again together. */
const jitter = 0.2;

/** A receiver may ask for more time, within bounds. */
const longestRetryAfterMs: number = hour;

export interface Failed {
  /** Attempts so far, this one included. */
  readonly attempts: number;
  readonly ageMs: number;
  /** What the receiver has asked for. */
  readonly retryAfterMs: number | undefined;
}

/** In how many milliseconds to try again; `undefined` where the event is given up. `random` is from 0 to below 1. */
export function retryDelay(
  { attempts, ageMs, retryAfterMs = 0 }: Failed,
  random: () => number,
): number | undefined {
  const delay = delaysMs[attempts - 1];
  if (delay === undefined || ageMs > oldestMs) return undefined;
  return Math.round(Math.max(delay, Math.min(retryAfterMs, longestRetryAfterMs)) * (1 + jitter * random()));
}
