import type { ReactNode } from "react";
import { Field } from "./field.tsx";

/** Why something is done, for the audit log. */
export function ReasonField({
  value,
  onChange,
  autoFocus = false,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}): ReactNode {
  return (
    <Field
      label="Reason"
      name="reason"
      value={value}
      onChange={onChange}
      maxLength={256}
      autoFocus={autoFocus}
      hint="It stands in the audit log."
    />
  );
}
