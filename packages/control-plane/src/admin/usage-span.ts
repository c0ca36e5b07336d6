import type { SpanQuery } from "@creditgate/client/admin";
import { invalid } from "../http/validation.ts";
import { dayMs, hourMs } from "../usage/tallies.ts";

/** From whole days, or whole hours, to others. */
export interface Span {
  readonly from: Date;
  readonly to: Date;
}

const units = {
  hour: { unitMs: hourMs, most: 744, usual: 24 },
  day: { unitMs: dayMs, most: 366, usual: 30 },
} as const;

/** Sums are of whole days, by hour of whole hours: a span that cuts one would not be what it says. */
export function spanOf({ from, to }: SpanQuery, unit: "hour" | "day", now: Date): Span {
  const { unitMs, most, usual } = units[unit];
  const running = Math.floor(now.getTime() / unitMs) * unitMs;
  const end = to === undefined ? running + unitMs : whole("to", to, unit, unitMs);
  const start = from === undefined ? end - usual * unitMs : whole("from", from, unit, unitMs);
  const length = (end - start) / unitMs;
  if (length >= 1 && length <= most) return { from: new Date(start), to: new Date(end) };
  const detail = `expected 1 to ${most} ${unit}s after from, received ${length}`;
  throw invalid([{ pointer: "to", detail }]);
}

function whole(pointer: "from" | "to", text: string, unit: "hour" | "day", unitMs: number): number {
  const time = new Date(text).getTime();
  // There is none from before, and what is asked for with it may begin a year earlier.
  if (time % unitMs === 0 && time >= 0) return time;
  const detail = `expected the beginning of ${unit === "hour" ? "an hour" : "a day"} in UTC from 1970 on, received ${JSON.stringify(text)}`;
  throw invalid([{ pointer, detail }]);
}
