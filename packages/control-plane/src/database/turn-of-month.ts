/**
 * How long before and after the beginning of a month two who write under one key may do so at once, in milliseconds:
 * longer than writing takes, and than clocks are apart.
 */
const turnMs = 10 * 60 * 1_000;

/** Whether the index of one month (UTC) may not be enough to tell that a key is unique. */
export function isAtTurnOfMonth(time: Date): boolean {
  const [before, after] = [new Date(time.getTime() - turnMs), new Date(time.getTime() + turnMs)];
  return before.getUTCMonth() !== after.getUTCMonth();
}

/** The beginning of the month (UTC) that an instant is in. */
export function startOfMonth(time: Date): Date {
  return new Date(Date.UTC(time.getUTCFullYear(), time.getUTCMonth()));
}
