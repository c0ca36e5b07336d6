import type { ReactNode } from "react";

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
}): ReactNode {
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
