import type { ReactNode } from "react";

/** Days of UTC, as `2026-01-31`; the last one is in it. */
export interface DaySpan {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

const dayMs = 24 * 60 * 60 * 1_000;

/** Days as the admin API takes them: from an instant on, and before another. */
export function instantsOf({ from, to }: DaySpan): { readonly from?: string; readonly to?: string } {
  return {
    ...(from === undefined ? {} : { from: `${from}T00:00:00Z` }),
    ...(to === undefined ? {} : { to: new Date(Date.parse(`${to}T00:00:00Z`) + dayMs).toISOString() }),
  };
}

/** A day of an address; nothing for what is none. */
export function dayOf<Name extends string>(name: Name, value: unknown): { [Of in Name]?: string } {
  const found: { [Of in Name]?: string } = {};
  const isDay =
    typeof value === "string" && /^[1-9]\d{3}-\d\d-\d\d$/.test(value) && !Number.isNaN(Date.parse(value));
  if (isDay) found[name] = value;
  return found;
}

/** From a day to another, in a toolbar: the browser's own fields, either of them may be empty. */
export function DaySpanFilter({
  label,
  span: { from, to },
  onChange,
}: {
  /** What falls on these days: "Issued". */
  readonly label: string;
  readonly span: DaySpan;
  readonly onChange: (span: DaySpan) => void;
}): ReactNode {
  const lookOf = (chosen: string | undefined) => (chosen === undefined ? "input filter" : "input filter on");
  const day = (text: string) => dayOf("day", text).day;
  return (
    <fieldset className="days">
      <legend className="unseen">{label}</legend>
      <input
        className={lookOf(from)}
        type="date"
        aria-label={`${label} from`}
        value={from ?? ""}
        max={to}
        onChange={({ target }) => onChange({ from: day(target.value), to })}
      />
      <span aria-hidden="true">to</span>
      <input
        className={lookOf(to)}
        type="date"
        aria-label={`${label} to`}
        value={to ?? ""}
        min={from}
        onChange={({ target }) => onChange({ from, to: day(target.value) })}
      />
    </fieldset>
  );
}
