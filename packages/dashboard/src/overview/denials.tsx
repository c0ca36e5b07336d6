import type { UsageRefusalsAnswer } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { DenialBars } from "../gates/denial-bars.tsx";
import { type Loaded, Part } from "./part.tsx";
import { gateStatesQuery } from "./queries.ts";
import { RefusalBars } from "./refusal-bars.tsx";

/** What gates have denied in a day, where they tell; and usage that no wallet has paid, by reason. */
export function Denials({
  refusals,
  label,
}: {
  readonly refusals: Loaded<UsageRefusalsAnswer>;
  /** How long the span of the page is. */
  readonly label: string;
}): ReactNode {
  const organizationId = useOrganizationId();
  const gates = useQuery(gateStatesQuery(organizationId));
  const decisions = gates.data?.decisions ?? [];
  const isTold = decisions.length > 0;
  const isUnpaid = refusals.data?.refusals.some(({ count }) => count > 0) === true;
  return (
    <div className="section">
      {isTold && <DenialBars decisions={decisions} label="24 h" />}
      {(!isTold || isUnpaid) && (
        <section className="section" aria-labelledby="refused">
          <header>
            <h2 id="refused">Not billed, by reason</h2>
            <span className="end quiet">{label}</span>
          </header>
          <Part
            // One after the other would move what is below.
            query={gates.isPending ? { ...refusals, data: undefined } : refusals}
            what="The usage that is not billed could not be loaded."
            height="list"
          >
            {(data) => <RefusalBars refusals={data} />}
          </Part>
          {!isTold && (
            <p className="quiet small">
              Requests are denied by the gates, before they cost anything.{" "}
              <Link className="link" to="/organizations/$organizationId/gates" params={{ organizationId }}>
                Gates
              </Link>{" "}
              that send heartbeats tell of it here.
            </p>
          )}
        </section>
      )}
    </div>
  );
}
