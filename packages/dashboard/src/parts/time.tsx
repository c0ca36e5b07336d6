import type { ReactNode } from "react";

const short = new Intl.DateTimeFormat("en-GB", { day: "numeric", month: "short", timeZone: "UTC" });
const dated = new Intl.DateTimeFormat("en-GB", {
  day: "numeric",
  month: "short",
  year: "numeric",
  timeZone: "UTC",
});
const exact = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", year: "numeric" },
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "UTC" },
});

/** The day, and the year where it is another one. */
export function formatDay(at: string, now: Date = new Date()): string {
  const date = new Date(at);
  return (date.getUTCFullYear() === now.getUTCFullYear() ? short : dated).format(date);
}

/** A day, with the second in its title. */
export function Day({ at }: { readonly at: string }): ReactNode {
  return (
    <time dateTime={at} title={`${exact.format(new Date(at))} UTC`}>
      {formatDay(at)}
    </time>
  );
}

export function formatExact(at: string): string {
  return `${exact.format(new Date(at))} UTC`;
}

const clock = new Intl.DateTimeFormat("en-GB", {
  ...{ day: "numeric", month: "short", hour: "2-digit", minute: "2-digit", timeZone: "UTC" },
});

/** The day and the minute, by UTC. */
export function formatTime(at: string): string {
  return clock.format(new Date(at));
}
