/** An instant as the day that it is in a time zone: `1 January 2026`. */
export function dayOf(instant: Date, timeZone: string): string {
  return new Intl.DateTimeFormat("en-GB", { dateStyle: "long", timeZone }).format(instant);
}

/**
 * A span as the days from its first to its last: its end is not in it. Where it does not begin or end at midnight, as a
 * period that was closed by hand, it says when.
 */
export function spanOf(start: Date, end: Date, timeZone: string): string {
  const last = new Date(end.getTime() - 1);
  const from = momentOf(start, start, timeZone);
  const to = momentOf(end, last, timeZone);
  return from === to ? from : `${from} to ${to}`;
}

function momentOf(instant: Date, day: Date, timeZone: string): string {
  if (isMidnight(instant, timeZone)) return dayOf(day, timeZone);
  return `${dayOf(instant, timeZone)}, ${timeOf(instant, timeZone)}`;
}

function isMidnight(instant: Date, timeZone: string): boolean {
  return timeOf(instant, timeZone) === "00:00" && instant.getTime() % 60_000 === 0;
}

function timeOf(instant: Date, timeZone: string): string {
  const format = { hour: "2-digit", minute: "2-digit", hourCycle: "h23", timeZone } as const;
  return new Intl.DateTimeFormat("en-GB", format).format(instant);
}
