import type { UsageRefusalsAnswer } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { formatPercent } from "../parts/credits.ts";
import { tell } from "./attention-list.tsx";

const names = {
  wallet_missing: "No wallet in this currency",
  out_of_range: "More than the wallet holds",
} as const;

/** Usage that was accepted and that no wallet has paid. */
export function RefusalBars({
  refusals: { refusals },
}: {
  readonly refusals: UsageRefusalsAnswer;
}): ReactNode {
  const whole = refusals.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...refusals.map(({ count }) => count));
  if (whole === 0) return <p className="quiet small">Every report was paid by a wallet.</p>;
  return (
    <ul className="bars">
      {refusals.map((refusal) => (
        <li key={refusal.reason}>
          <span>{names[refusal.reason]}</span>
          <span className="n">
            <b className={refusal.count === 0 ? "zero" : ""}>{tell(refusal)}</b>
            <span className="quiet">{formatPercent(refusal.count / whole)}</span>
          </span>
          <svg viewBox="0 0 100 5" preserveAspectRatio="none" aria-hidden="true">
            <rect className="track" width="100" height="5" />
            <rect className="b503" width={(refusal.count / most) * 100} height="5" />
          </svg>
        </li>
      ))}
    </ul>
  );
}
