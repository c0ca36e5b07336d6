import type { ReactNode } from "react";
import { visible } from "./visible.ts";

/** A name, whose direction leaves the text around it alone. */
export function Name({ children }: { readonly children: string }) {
  return <bdi>{visible(children)}</bdi>;
}

/** What is shown; if it is a text, as a name. */
export function named(shown: ReactNode): ReactNode {
  return typeof shown === "string" ? <Name>{shown}</Name> : shown;
}
