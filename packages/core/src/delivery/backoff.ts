const firstBackoffMs = 500;
const longestBackoffMs = 60_000;

/** How long to wait after so many failures in a row: full jitter, so that gates that failed together do not come back together. */
export function backoffMs(failures: number, chance: number): number {
  return Math.min(longestBackoffMs, firstBackoffMs * 2 ** (failures - 1)) * chance;
}
