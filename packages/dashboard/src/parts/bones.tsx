import type { ReactNode } from "react";

const rows = ["a", "b", "c", "d", "e", "f", "g", "h"];

/** In place of a table that is being loaded, as high as what comes. */
export function Bones(): ReactNode {
  return (
    <div className="bones" aria-hidden="true">
      {rows.map((row) => (
        <div key={row} className="bone-row">
          <span className="bone w3" />
          <span className="bone w2" />
        </div>
      ))}
    </div>
  );
}
