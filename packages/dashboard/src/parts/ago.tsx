import type { ReactNode } from "react";
import { formatDay, formatExact } from "./time.tsx";

const words = new Intl.RelativeTimeFormat("en", { numeric: "auto" });

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
  return unit === "day" && count >= 7 ? formatDay(at, now) : words.format(-count, unit);
}

/** How long ago, with the second in its title. */
export function Ago({ at }: { readonly at: string }): ReactNode {
  return (
    <time dateTime={at} title={formatExact(at)}>
      {formatAgo(at)}
    </time>
  );
}
