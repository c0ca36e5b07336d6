import type { ReactNode } from "react";
import { Field } from "./field.tsx";

/** Whether a text may be a currency of ISO 4217. */
export function isMoneyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** The currency of an amount of money, beside it. */
export function MoneyCodeField({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}): ReactNode {
  return (
    <Field
      label="In"
      name="money"
      value={value}
      onChange={(text) => onChange(text.toUpperCase())}
      maxLength={3}
      error={isMoneyCode(value) ? undefined : "Three letters, as EUR"}
    />
  );
}
