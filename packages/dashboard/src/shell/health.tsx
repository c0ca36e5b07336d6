import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { describeWaiting, settlementQuery } from "../api/settlement.ts";
import { isPassing } from "../api/standing.ts";

/** Whether settlement keeps up: balances run behind by as much as it does not. */
export function Health(): ReactNode {
  const organizationId = useOrganizationId();
  const { data, dataUpdatedAt, error } = useQuery(settlementQuery(organizationId));
  if (isPassing(error)) {
    return (
      <span className="health">
        <span className="pulse warn" aria-hidden="true" />
        <span>
          <b>No answer</b>
          What is shown may be old
        </span>
      </span>
    );
  }
  // Of a place of its own, so that nothing moves when it is known.
  if (organizationId === "" || data === undefined) return <span className="health" />;
  return (
    <Link className="health" to="/organizations/$organizationId/usage" params={{ organizationId }}>
      <span className={data.isLate ? "pulse warn" : "pulse"} aria-hidden="true" />
      <span>
        <b>{data.isLate ? "Settling late" : "Settling"}</b>
        {describeWaiting(data, dataUpdatedAt)}
      </span>
    </Link>
  );
}
