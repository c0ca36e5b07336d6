import type { ReactNode } from "react";
import { Field } from "./field.tsx";

/** Why something is done, for the audit log. */
export function ReasonField({
  value,
  onChange,
  autoFocus = false,
  hint = "It stands in the audit log.",
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
  readonly hint?: string;
}): ReactNode {
  return (
    <Field
      label="Reason"
      name="reason"
      value={value}
      onChange={onChange}
      maxLength={256}
      autoFocus={autoFocus}
      hint={hint}
    />
  );
}
