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
