import type { ReactNode } from "react";
import { Icon, type IconName } from "./icon.tsx";

/** A word with a shape, and only then a colour. */
export function Badge({
  tone,
  icon,
  children,
}: {
  readonly tone?: "good" | "warn" | "bad" | "accent" | "line";
  readonly icon?: IconName;
  readonly children: ReactNode;
}): ReactNode {
  return (
    <span className={tone === undefined ? "badge" : `badge ${tone}`}>
      {icon !== undefined && <Icon name={icon} />}
      {children}
    </span>
  );
}
