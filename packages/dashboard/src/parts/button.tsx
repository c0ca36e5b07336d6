import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "react-aria-components";
import { Icon, type IconName } from "./icon.tsx";
import { Name } from "./name.tsx";
import { toggleTheme } from "./theme.ts";
import { notify } from "./toasts.tsx";
import { visible } from "./visible.ts";

export interface TextButtonProps extends Omit<ButtonProps, "className" | "children"> {
  readonly text: string;
  /** Further classes. */
  readonly look?: string;
  readonly icon?: IconName;
  /** What the button acts on, for screen readers: many buttons of a page may have one text. */
  readonly unseen?: string | null;
}

export function TextButton({ text, look = "", icon, unseen, ...button }: TextButtonProps) {
  return (
    <Button className={`btn ${look}`} {...button}>
      {icon !== undefined && <Icon name={icon} />}
      {text}
      {typeof unseen === "string" && <span className="unseen"> {visible(unseen)}</span>}
    </Button>
  );
}

interface CopyButtonProps {
  readonly text: string;
  /** @default "Copy" and the text */
  readonly label?: string;
  /** @default the look of an identifier */
  readonly className?: string;
  /** @default the text */
  readonly children?: ReactNode;
}

/** Copies a text, and reports it. */
export function CopyButton({
  text,
  label = `Copy ${visible(text)}`,
  className = "copy",
  children = <Name>{text}</Name>,
}: CopyButtonProps) {
  const [isCopied, setIsCopied] = useState(false);
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setIsCopied(true);
    } catch {
      notify("Not copied", "The browser does not allow this page to copy. Select the text instead.");
    }
  }
  return (
    <>
      <Button
        className={className}
        aria-label={label}
        onPress={() => void copy()}
        onBlur={() => setIsCopied(false)}
      >
        {children}
        <Icon name={isCopied ? "check" : "copy"} />
      </Button>
      {/* Beside the button: what is in a button is read as its name alone. */}
      <span className="unseen" role="status">
        {isCopied && "Copied"}
      </span>
    </>
  );
}

interface SecretProps {
  /** What it is: "API key". */
  readonly label: string;
  readonly secret: string;
  readonly hint?: ReactNode;
}

/** A secret, shown once, that can be copied. */
export function Secret({ label, secret, hint }: SecretProps) {
  return (
    <div className="field">
      <span className="label">{label}</span>
      <div className="secret">
        <code>{secret}</code>
        <CopyButton className="btn sm" text={secret} label={`Copy: ${label}`}>
          Copy
        </CopyButton>
      </div>
      {hint !== undefined && <span className="hint">{hint}</span>}
    </div>
  );
}

export function ThemeButton() {
  return (
    <Button className="icon-btn" aria-label="Change the theme" onPress={toggleTheme}>
      <Icon name="theme" />
    </Button>
  );
}
