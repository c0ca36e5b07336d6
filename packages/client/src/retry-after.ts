/** Reads a `Retry-After` of seconds or of an HTTP date as milliseconds from now; `undefined` if it is neither. */
export function readRetryAfter(value: string | undefined, nowMs: number): number | undefined {
  if (value === undefined) return undefined;
  const text = value.trim();
  if (/^\d{1,12}$/.test(text)) return Number(text) * 1000;
  // Date.parse takes many things for a date; an HTTP date begins with a day's name.
  const date = /^[A-Z][a-z]{2}/.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? undefined : Math.max(0, date - nowMs);
}
