import type { ReactNode } from "react";

/** A key figure: what it is, the number, and a line that says how it compares. One of a `dl` of the class `figures`. */
export function Figure({
  name,
  unit,
  tone,
  detail,
  children,
}: {
  readonly name: string;
  readonly unit?: string | undefined;
  readonly tone?: "warn" | "bad" | undefined;
  readonly detail?: ReactNode;
  /** The number; absent while it is loaded. */
  readonly children: ReactNode;
}): ReactNode {
  const isLoaded = children !== undefined;
  return (
    <div>
      <dt>{name}</dt>
      <dd className={tone === undefined ? "n" : `n ${tone}`}>
        {isLoaded ? children : <span className="bone w2" />}
        {isLoaded && unit !== undefined && <small> {unit}</small>}
      </dd>
      <dd className="d">{isLoaded ? (detail ?? "\u00a0") : <span className="bone w3" />}</dd>
    </div>
  );
}
