import { formatTime } from "../parts/time.tsx";

const clock = new Intl.DateTimeFormat("en-GB", {
  ...{ hour: "2-digit", minute: "2-digit", second: "2-digit", timeZone: "UTC" },
});

/** The second of today, the minute of another day: by UTC. */
export function formatMoment(at: string, now: Date = new Date()): string {
  const isToday = at.slice(0, 10) === now.toISOString().slice(0, 10);
  return isToday ? clock.format(new Date(at)) : formatTime(at);
}
