const day = { day: "numeric", month: "short" } as const;
const minute = { hour: "2-digit", minute: "2-digit" } as const;

function formatter(parts: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat("en-GB", { ...parts, timeZone: "UTC" });
}

const short = formatter(day);
const dated = formatter({ ...day, year: "numeric" });
const exact = formatter({ ...day, year: "numeric", ...minute, second: "2-digit" });
const timed = formatter({ ...day, ...minute });
const timedInYear = formatter({ ...day, year: "numeric", ...minute });
const clock = formatter({ ...minute, second: "2-digit" });

/** The day, and the year if it is another one. */
export function formatDay(at: string, now: Date = new Date()): string {
  return (isThisYear(at, now) ? short : dated).format(new Date(at));
}

function isThisYear(at: string, now: Date): boolean {
  return new Date(at).getUTCFullYear() === now.getUTCFullYear();
}

export function formatExact(at: string): string {
  return `${exact.format(new Date(at))} UTC`;
}

/** The day and the minute, by UTC, and the year if it is another one. */
export function formatTime(at: string, now: Date = new Date()): string {
  return (isThisYear(at, now) ? timed : timedInYear).format(new Date(at));
}

/** The second of today, the minute of another day: by UTC. */
export function formatMoment(at: string, now: Date = new Date()): string {
  const isToday = at.slice(0, 10) === now.toISOString().slice(0, 10);
  return isToday ? clock.format(new Date(at)) : formatTime(at, now);
}

const ago = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

const units = [
  ["day", 86_400],
  ["hour", 3_600],
  ["minute", 60],
] as const;

/** How long ago, up to a week; then the day. */
export function formatAgo(at: string, now: Date = new Date()): string {
  const seconds = Math.round((now.getTime() - Date.parse(at)) / 1_000);
  if (seconds < 60) return "just now";
  const [unit, length] = units.find(([, long]) => seconds >= long) ?? ["minute", 60];
  const count = Math.floor(seconds / length);
  return unit === "day" && count >= 7 ? formatDay(at, now) : ago.format(-count, unit);
}

/** An instant as `format` writes it, with the second in its title. */
export function Time({
  at,
  format = formatTime,
}: {
  readonly at: string;
  readonly format?: (at: string) => string;
}) {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {format(at)}
    </time>
  );
}

export function Day({ at }: { readonly at: string }) {
  return <Time at={at} format={formatDay} />;
}

export function Ago({ at }: { readonly at: string }) {
  return <Time at={at} format={formatAgo} />;
}

/** How long, in words of one unit: "41 s", "12 min". */
export function formatDuration(milliseconds: number): string {
  const seconds = Math.max(0, milliseconds) / 1_000;
  if (seconds < 10) return `${(Math.round(seconds * 10) / 10).toString()} s`;
  if (seconds < 90) return `${Math.round(seconds)} s`;
  if (seconds < 90 * 60) return `${Math.round(seconds / 60)} min`;
  if (seconds < 36 * 60 * 60) return `${Math.round(seconds / 3_600)} h`;
  return `${Math.round(seconds / 86_400)} days`;
}

const dayMs = 24 * 60 * 60 * 1_000;

export function daysFromNow(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString();
}
