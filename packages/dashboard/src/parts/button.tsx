import { type ReactNode, useState } from "react";
import { Button, type ButtonProps } from "react-aria-components";
import { Icon, type IconName } from "./icon.tsx";
import { Name } from "./name.tsx";
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
  readonly label: string;
  readonly className: string;
  readonly children?: ReactNode;
}

/** Copies a text, and says that it has. */
export function CopyButton({ text, label, className, children }: CopyButtonProps) {
  const [state, setState] = useState<"ready" | "copied" | "refused">("ready");
  async function copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(text);
      setState("copied");
    } catch {
      setState("refused");
    }
  }
  const words = { ready: "", copied: "Copied", refused: "The browser does not let this page copy" }[state];
  return (
    <Button
      className={className}
      aria-label={label}
      onPress={() => void copy()}
      onBlur={() => setState("ready")}
    >
      {children} <Icon name={state === "copied" ? "check" : "copy"} />
      <span className="unseen" role="status">
        {words}
      </span>
    </Button>
  );
}

/** An ID that can be copied. */
export function CopyId({ id }: { readonly id: string }) {
  return (
    <CopyButton className="copy" text={id} label={`Copy the ID ${id}`}>
      <Name>{id}</Name>
    </CopyButton>
  );
}
