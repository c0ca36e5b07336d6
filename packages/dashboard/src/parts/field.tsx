import type { ReactNode } from "react";
import { FieldError, Input, Label, Text, TextField } from "react-aria-components";
import { Icon } from "./icon.tsx";

export interface FieldProps {
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
}

/** A labelled line of text, with its hint, its unit and its error. */
export function Field(props: FieldProps): ReactNode {
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
        <Input inputMode={isNumber ? "decimal" : undefined} spellCheck={props.isCode ? "false" : undefined} />
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
