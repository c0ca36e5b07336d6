import type { ReactNode } from "react";

interface FigureProps {
  readonly name: string;
  readonly unit?: string | undefined;
  readonly tone?: "warn" | "bad" | undefined;
  readonly detail?: ReactNode;
  /** The number; absent while it is loaded. */
  readonly children: ReactNode;
}

/** A key figure: what it is, the number, and a line that says how it compares. One of a `dl` of the class `figures`. */
export function Figure({ name, unit, tone, detail, children }: FigureProps) {
  const isLoaded = children !== undefined;
  const [number, own] = typeof children === "string" ? divided(children) : [children, undefined];
  const small = [own, unit].filter((part) => part !== undefined).join(", ");
  return (
    <div>
      <dt>{name}</dt>
      <dd className={tone === undefined ? "n" : `n ${tone}`}>
        {isLoaded ? number : <span className="bone w2" />}{" "}
        {isLoaded && small !== "" && <small>{small}</small>}
      </dd>
      <dd className="d">{isLoaded ? (detail ?? "\u00a0") : <span className="bone w3" />}</dd>
    </div>
  );
}

/** The unit of a number that has one: "2.1 s", "0.9 %". */
function divided(text: string): readonly [number: string, unit: string | undefined] {
  const at = /\d (?=[^\d\s]+$)/.exec(text)?.index;
  return at === undefined ? [text, undefined] : [text.slice(0, at + 1), text.slice(at + 2)];
}
