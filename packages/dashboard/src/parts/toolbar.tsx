import { useNavigate, useSearch } from "@tanstack/react-router";
import { useEffect, useEffectEvent, useState } from "react";
import { Input, SearchField } from "react-aria-components";
import { useOrganizationId } from "../api/query.ts";
import { atPart, type DaySpan, dayOf, filtered } from "./address.ts";
import { Icon } from "./icon.tsx";
import { visible } from "./visible.ts";

/** As long as a person may pause between two letters. */
const typingMs = 200;

/** A search that runs while one types. */
export function SearchBox({
  label,
  name,
  isWords = false,
}: {
  /** What is searched: "Name, ID or email". */
  readonly label: string;
  /** What the address calls it. */
  readonly name: "search" | "who";
  /** Whether a space may stand at its end, before another word. */
  readonly isWords?: boolean;
}) {
  const { [name]: value = "" } = useSearch({ strict: false });
  const { set } = useFilters();
  const [text, setText] = useState(value);
  const search = useEffectEvent((written: string) => set({ [name]: isWords ? written : written.trim() }));
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => search(text), typingMs);
    return () => clearTimeout(timer);
  }, [text, value]);
  return (
    <SearchField className="input grow" aria-label={label} value={text} onChange={setText} maxLength={256}>
      <Icon name="search" />
      <Input placeholder={label} />
      <kbd>/</kbd>
    </SearchField>
  );
}

/** What the addresses of pages filter by. */
const filterNames = [
  ...["search", "who", "customer", "agent", "indicator"],
  ...["outcome", "status", "type", "action", "from", "to", "cursor"],
];
const cleared = Object.fromEntries(filterNames.map((name) => [name, undefined]));

/** Changes the filters in the page's address, and leads to another part of its list. */
export function useFilters() {
  const navigate = useNavigate();
  const search: object = useSearch({ strict: false });
  return {
    isFiltered: filterNames.some((name) => name in search),
    clear: () => void navigate({ to: ".", search: (before: object) => filtered(before, cleared) }),
    set: (change: Readonly<Record<string, string | undefined>>) =>
      void navigate({
        to: ".",
        search: (before: object) => filtered(before, change),
        replace: true,
        resetScroll: false,
      }),
    move: (cursor: string | undefined) =>
      void navigate({ to: ".", search: (before: object) => atPart(before, cursor) }),
  };
}

interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** The options of a list: `any`, then each in its words. */
export function optionsOf(any: string, words: Readonly<Record<string, string>>): readonly FilterOption[] {
  return [{ value: "", label: any }, ...Object.entries(words).map(([value, label]) => ({ value, label }))];
}

/** A list of a toolbar, without a visible label: the browser's own. */
export function Filter({
  label,
  value,
  options,
  onChange,
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly options: readonly FilterOption[];
  readonly onChange: (value: string) => void;
}) {
  return (
    <select
      className={
        value === "" ? "select filter" : options[0]?.value === "" ? "select filter on" : "select choice"
      }
      aria-label={label}
      value={value}
      onChange={({ target }) => onChange(target.value)}
    >
      {options.map((option) => (
        <option key={option.value} value={option.value}>
          {visible(option.label)}
        </option>
      ))}
    </select>
  );
}

/** A list whose options are loaded. It has its place before, so that what stands beside it does not move. */
export function FilterOnceKnown({
  known,
  ...filter
}: {
  readonly label: string;
  readonly value: string | undefined;
  readonly known: readonly string[] | undefined;
  readonly onChange: (value: string) => void;
}) {
  if (known === undefined) return <span className="select choice place" aria-hidden="true" />;
  return known.length > 0 && <Filter {...filter} options={known.map((value) => ({ value, label: value }))} />;
}

/** A list of a toolbar that filters by what the address says. */
export function AddressFilter({
  name,
  ...filter
}: {
  readonly label: string;
  readonly name: "action" | "indicator" | "outcome" | "status" | "type";
  readonly options: readonly FilterOption[];
}) {
  const { [name]: value = "" } = useSearch({ strict: false });
  const { set } = useFilters();
  return <Filter {...filter} value={value} onChange={(chosen) => set({ [name]: chosen })} />;
}

interface DaySpanFilterProps {
  /** What falls on these days: "Issued". */
  readonly label: string;
  readonly span: DaySpan;
  readonly onChange: (span: DaySpan) => void;
}

/** From a day to another, in a toolbar: the browser's own fields, either of them may be empty. */
export function DaySpanFilter({ label, span: { from, to }, onChange }: DaySpanFilterProps) {
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

/** The days of the address. */
export function AddressDays({ label }: { readonly label: string }) {
  const { from, to } = useSearch({ strict: false });
  const { set } = useFilters();
  return <DaySpanFilter label={label} span={{ from, to }} onChange={(span) => set({ ...span })} />;
}

/** One of a few that stand side by side. */
export function Segments<Value extends string>({
  label,
  value,
  options,
  onChange,
  isFull = false,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  /** Many: on a phone they take the line, and scroll. */
  readonly isFull?: boolean;
}) {
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset has no layout of its own that a row of a toolbar could use.
    <div className={isFull ? "seg fill" : "seg"} role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}

interface CsvLinkProps {
  /** The list of the admin API, such as `invoices`. */
  readonly list: string;
  readonly query: Readonly<Record<string, string | undefined>>;
  /** Where the list is. @default the organisation */
  readonly base?: string;
  /** What is in the file, for those who do not see where the link stands. */
  readonly of?: string;
  /** Beside the heading of a section. */
  readonly isSmall?: boolean;
}

/** The list as a file, with the filters that are set: the browser loads it by itself. */
export function CsvLink({ list, query, base, of, isSmall = false }: CsvLinkProps) {
  const organizationId = useOrganizationId();
  const filters = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [[name, value]],
  );
  const search = filters.length === 0 ? "" : `?${new URLSearchParams(filters)}`;
  const link = (
    <a
      className={isSmall ? "btn sm" : "btn"}
      href={`${base ?? `/admin/api/organizations/${organizationId}`}/${list}.csv${search}`}
      download
    >
      <Icon name="down" />
      CSV{of !== undefined && <span className="unseen"> of {of}</span>}
    </a>
  );
  return isSmall ? <span className="end acts">{link}</span> : link;
}
