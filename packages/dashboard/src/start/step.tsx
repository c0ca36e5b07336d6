import { type ReactNode, useId } from "react";
import { Icon } from "../parts/icon.tsx";

/** A step of three: done, to be done now, or later. */
export function Step({
  number,
  title,
  state,
  children,
}: {
  readonly number: number;
  readonly title: string;
  readonly state: "done" | "now" | "later";
  readonly children?: ReactNode;
}): ReactNode {
  const id = useId();
  return (
    <section className={`step ${state}`} aria-labelledby={id}>
      <span className="n" aria-hidden="true">
        {state === "done" ? <Icon name="check" /> : number}
      </span>
      <h2 id={id}>
        {title}
        {state === "done" && <span className="unseen">, done</span>}
      </h2>
      {children}
    </section>
  );
}
