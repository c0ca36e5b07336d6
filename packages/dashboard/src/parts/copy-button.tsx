import { type ReactNode, useState } from "react";
import { Button } from "react-aria-components";
import { Icon } from "./icon.tsx";

/** Copies a text, and says that it has. */
export function CopyButton({
  text,
  label,
  className,
  children,
}: {
  readonly text: string;
  readonly label: string;
  readonly className: string;
  readonly children?: ReactNode;
}): ReactNode {
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
