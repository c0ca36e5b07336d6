/** The running month, by UTC, whose usage is summed. */
export interface Month {
  /** "November". */
  readonly name: string;
  /** Its first instant, and that of tomorrow: sums are of whole days. */
  readonly from: string;
  readonly to: string;
  /** Its days up to today, as `2026-11-01`. */
  readonly days: readonly string[];
}

const dayMs = 24 * 60 * 60 * 1_000;
const names = new Intl.DateTimeFormat("en-GB", { month: "long", timeZone: "UTC" });

export function monthOf(now: Date): Month {
  const first = Date.UTC(now.getUTCFullYear(), now.getUTCMonth());
  const today = now.getUTCDate();
  return {
    name: names.format(now),
    from: new Date(first).toISOString(),
    to: new Date(first + today * dayMs).toISOString(),
    days: Array.from({ length: today }, (_, day) => new Date(first + day * dayMs).toISOString().slice(0, 10)),
  };
}
