import type { UsageRefusalsAnswer } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { DenialBars } from "../gates/denial-bars.tsx";
import { formatPercent } from "../parts/amounts.ts";
import { ShareBar } from "../parts/legend.tsx";
import { Section } from "../parts/page.tsx";
import { formatCounted } from "./attention-list.tsx";
import { type Loaded, Part } from "./part.tsx";
import { gateStatesQuery } from "./queries.ts";

/** What gates have denied in a day, where they tell; and usage that no wallet has paid, by reason. */
export function Denials({
  refusals,
  label,
}: {
  readonly refusals: Loaded<UsageRefusalsAnswer>;
  /** How long the span of the page is. */
  readonly label: string;
}) {
  const organizationId = useOrganizationId();
  const gates = useAnswer(gateStatesQuery);
  const decisions = gates.data?.decisions ?? [];
  const isReported = decisions.length > 0;
  const isUnpaid = refusals.data?.refusals.some(({ count }) => count > 0) === true;
  return (
    <div className="section">
      {isReported && <DenialBars decisions={decisions} label="24 h" />}
      {(!isReported || isUnpaid) && (
        <Section id="refused" title="Not billed, by reason" end={<span className="end quiet">{label}</span>}>
          <Part
            // One after the other would move what is below.
            query={gates.isPending ? { ...refusals, data: undefined } : refusals}
            what="The usage that is not billed could not be loaded."
            height="list"
          >
            {(data) => <RefusalBars refusals={data} />}
          </Part>
          {!isReported && (
            <p className="quiet small">
              Requests are denied by the gates, before they cost anything.{" "}
              <Link className="link" to="/organizations/$organizationId/gates" params={{ organizationId }}>
                Gates
              </Link>{" "}
              that send heartbeats report it here.
            </p>
          )}
        </Section>
      )}
    </div>
  );
}

const names = {
  wallet_missing: "No wallet in this currency",
  out_of_range: "More than the wallet holds",
} as const;

/** Usage that was accepted and that no wallet has paid. */
function RefusalBars({ refusals: { refusals } }: { refusals: UsageRefusalsAnswer }) {
  const whole = refusals.reduce((sum, { count }) => sum + count, 0);
  const most = Math.max(1, ...refusals.map(({ count }) => count));
  if (whole === 0) return <p className="quiet small">Every report was paid by a wallet.</p>;
  return (
    <ul className="bars">
      {refusals.map((refusal) => (
        <ShareBar
          key={refusal.reason}
          name={names[refusal.reason]}
          count={<b className={refusal.count === 0 ? "zero" : ""}>{formatCounted(refusal)}</b>}
          share={formatPercent(refusal.count / whole)}
          look="b503"
          width={refusal.count / most}
        />
      ))}
    </ul>
  );
}
