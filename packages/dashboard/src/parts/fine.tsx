import type { ReactNode } from "react";
import { Icon } from "./icon.tsx";

/** The state that needs no one, in a list: quieter than a badge, so that the others are seen. */
export function Fine({ children }: { readonly children: ReactNode }): ReactNode {
  return (
    <span className="state good">
      <Icon name="fine" />
      {children}
    </span>
  );
}
