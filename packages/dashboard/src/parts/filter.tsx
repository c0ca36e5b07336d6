import type { ReactNode } from "react";

interface FilterOption {
  readonly value: string;
  readonly label: string;
}

/** The options of a list: `any`, then each in its words. */
export function optionsOf(any: string, words: Readonly<Record<string, string>>): readonly FilterOption[] {
  return [{ value: "", label: any }, ...Object.entries(words).map(([value, label]) => ({ value, label }))];
}

/** The place of a list whose options are not known yet: what stands beside it does not move when it comes. */
export function FilterPlace(): ReactNode {
  return <span className="select choice place" aria-hidden="true" />;
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
}): ReactNode {
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
          {option.label}
        </option>
      ))}
    </select>
  );
}
