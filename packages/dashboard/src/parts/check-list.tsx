import { type ReactNode, useId } from "react";

/** Some of a few: the browser's own boxes. */
export function CheckList<Value extends string>({
  label,
  options,
  value,
  onChange,
  isCode = false,
  error,
}: {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string; readonly hint?: string }[];
  readonly value: readonly Value[];
  readonly onChange: (value: readonly Value[]) => void;
  /** Whether the labels are names of the API. */
  readonly isCode?: boolean;
  readonly error?: string | undefined;
}): ReactNode {
  const id = useId();
  return (
    <fieldset className="checks" aria-describedby={error === undefined ? undefined : `${id}-error`}>
      <legend>{label}</legend>
      {options.map((option) => (
        <label key={option.value}>
          <input
            type="checkbox"
            checked={value.includes(option.value)}
            onChange={({ target }) =>
              onChange(
                options
                  .map((one) => one.value)
                  .filter((one) => (one === option.value ? target.checked : value.includes(one))),
              )
            }
          />
          <span>
            <span className={isCode ? "mono" : ""}>{option.label}</span>
            {option.hint !== undefined && <span className="sub">{option.hint}</span>}
          </span>
        </label>
      ))}
      {error !== undefined && (
        <span className="error" id={`${id}-error`}>
          {error}
        </span>
      )}
    </fieldset>
  );
}
