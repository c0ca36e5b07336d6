import { type ReactNode, useId } from "react";
import { FieldError, Input, Label, Text, TextArea, TextField } from "react-aria-components";
import { keyOf } from "./address.ts";
import { Icon } from "./icon.tsx";
import { visible } from "./visible.ts";

interface FieldProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly name?: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value; it is said as soon as there is something. */
  readonly error?: string | undefined;
  readonly unit?: string;
  readonly isRequired?: boolean;
  readonly isNumber?: boolean;
  readonly isBig?: boolean;
  readonly isLarge?: boolean;
  readonly isCode?: boolean;
  readonly autoFocus?: boolean;
  readonly type?: "text" | "email" | "password" | "date" | "url";
  readonly autoComplete?: string;
  readonly maxLength?: number;
  /** Takes several lines of text, and shows as many. @default one */
  readonly rows?: number;
}

/** A labelled line of text, with its hint, its unit and its error. */
export function Field(props: FieldProps) {
  const { label, value, onChange, hint, error, unit, isNumber = false, isBig = false } = props;
  const box = ["input", isNumber && "num", props.isLarge && "lg", props.isCode && "mono", error && "invalid"];
  return (
    <TextField
      className={isBig ? "field big" : "field"}
      value={value}
      onChange={onChange}
      isInvalid={error !== undefined}
      isRequired={props.isRequired ?? false}
      autoFocus={props.autoFocus ?? false}
      type={props.type ?? "text"}
      autoComplete={props.autoComplete ?? "off"}
      validationBehavior="aria"
      {...(props.name === undefined ? {} : { name: props.name })}
      {...(props.maxLength === undefined ? {} : { maxLength: props.maxLength })}
    >
      <Label>{label}</Label>
      <div className={box.filter(Boolean).join(" ")}>
        {props.rows === undefined ? (
          <Input
            inputMode={isNumber ? "decimal" : undefined}
            spellCheck={props.isCode ? "false" : undefined}
          />
        ) : (
          <TextArea rows={props.rows} />
        )}
        {unit !== undefined && <span className="unit">{unit}</span>}
      </div>
      {hint !== undefined && error === undefined && (
        <Text slot="description" className="hint">
          {hint}
        </Text>
      )}
      {error !== undefined && (
        <FieldError className="error">
          <Icon name="alert" />
          {error}
        </FieldError>
      )}
    </TextField>
  );
}

/** Below a field that is no `TextField`: what is wrong with its value, or else its hint. */
export function FieldNotes({
  id,
  hint,
  error,
}: {
  readonly id: string;
  readonly hint?: ReactNode;
  readonly error?: string | undefined;
}) {
  if (error === undefined && hint === undefined) return null;
  return (
    <span id={id} className={error === undefined ? "hint" : "error"}>
      {error !== undefined && <Icon name="alert" />}
      {error ?? hint}
    </span>
  );
}

/** The options of a choice, by their words. */
export function choicesOf<Words extends Readonly<Record<string, string>>>(words: Words) {
  return Object.entries(words).flatMap(([text, label]) => {
    const value = keyOf(words, text);
    return value === undefined ? [] : [{ value, label }];
  });
}

/** One of a few: the browser's own list, which phones and screen readers know. */
export function Choice<Value extends string>({
  label,
  value,
  options,
  onChange,
  hint,
}: {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly onChange: (value: Value) => void;
  readonly hint?: string | undefined;
}) {
  const id = useId();
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      <select
        id={id}
        className="select"
        value={value}
        aria-describedby={`${id}-hint`}
        onChange={({ target }) => {
          const chosen = options.find((option) => option.value === target.value);
          if (chosen !== undefined) onChange(chosen.value);
        }}
      >
        {options.map((option) => (
          <option key={option.value} value={option.value}>
            {visible(option.label)}
          </option>
        ))}
      </select>
      <FieldNotes id={`${id}-hint`} hint={hint} />
    </div>
  );
}

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
}) {
  const id = useId();
  return (
    <fieldset className="checks" aria-describedby={`${id}-error`}>
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
      <FieldNotes id={`${id}-error`} error={error} />
    </fieldset>
  );
}

/** Errors of amounts of credits. */
export const amountFrom0 = "Enter an amount of 0 or more, with up to 6 decimals";
export const amountAbove0 = "Enter an amount above 0, with up to 6 decimals";
export const moneyCodeError = "Enter a currency code, such as EUR";

/** Whether a text may be a currency of ISO 4217. */
export function isMoneyCode(text: string): boolean {
  return /^[A-Z]{3}$/.test(text);
}

/** A field whose label and bounds are given. */
type KnownFieldProps = Pick<FieldProps, "name" | "value" | "onChange" | "autoFocus" | "hint" | "error">;

/** The currency of an amount of money, beside it. */
export function MoneyCodeField(props: KnownFieldProps) {
  const { value, onChange } = props;
  return (
    <Field
      {...props}
      label="Currency"
      onChange={(text) => onChange(text.toUpperCase())}
      maxLength={3}
      error={isMoneyCode(value) ? props.error : moneyCodeError}
    />
  );
}

/** The reason of a change, for the audit log. */
export function ReasonField(props: KnownFieldProps & { readonly label?: string }) {
  return <Field label="Reason" hint="Recorded in the audit log." {...props} maxLength={256} />;
}
