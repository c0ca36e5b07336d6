import type { UsageSum, UsageSumsBy } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useOrganizationId } from "../api/account.ts";
import { CustomerLink } from "../orders/links.tsx";
import { formatCount, formatCredits } from "../parts/credits.ts";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { formatDay, formatTime } from "../parts/time.tsx";
import { sumsQuery } from "./queries.ts";
import type { UsageSearch } from "./search.ts";

/** Sums of usage, by one thing. */
export function SumsTable({
  search,
  by,
  onMove,
}: {
  readonly search: UsageSearch;
  readonly by: UsageSumsBy;
  readonly onMove: (cursor: string | undefined) => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const sums = useQuery(sumsQuery(organizationId, { ...search, by }));
  return (
    <Listing
      query={sums}
      rowsOf={(answer) => answer.sums}
      failure="The sums could not be loaded."
      empty={
        <Empty title="No usage in this time">
          <p>Sums are of whole days of UTC, the last 30 where none are chosen; by hour of 31 at most.</p>
        </Empty>
      }
      cursor={search.cursor}
      onMove={onMove}
    >
      {(rows, isOld) => <Rows by={by} rows={rows} isOld={isOld} />}
    </Listing>
  );
}

const heads: Readonly<Record<UsageSumsBy, string>> = {
  hour: "Hour",
  day: "Day",
  agent: "Agent",
  indicator: "Indicator",
  customer: "Customer",
};

function Rows({
  by,
  rows,
  isOld,
}: {
  readonly by: UsageSumsBy;
  readonly rows: readonly UsageSum[];
  readonly isOld: boolean;
}): ReactNode {
  return (
    <table aria-busy={isOld}>
      <caption className="unseen">Sums of usage by {by}, with what is not settled yet</caption>
      <thead>
        <tr>
          <th scope="col">{heads[by]}</th>
          <th scope="col" className="r">
            Reports
          </th>
          <th scope="col" className="r">
            Credits
          </th>
          <th scope="col">Currency</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((sum) => (
          <tr
            key={JSON.stringify([
              sum.hour,
              sum.day,
              sum.agentId,
              sum.indicator,
              sum.customer_id,
              sum.credit_currency_key,
            ])}
          >
            <th scope="row" className="breaks">
              <Name sum={sum} />
            </th>
            <td className="r">{formatCount(sum.events)}</td>
            <td className="r">
              {sum.credits === 0 ? <span className="zero">0.00</span> : formatCredits(sum.credits)}
            </td>
            <td className="mono breaks">
              {sum.credit_currency_key ?? <span className="quiet">not in credits</span>}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Name({
  sum: { hour, day, agentId, indicator, customer_id },
}: {
  readonly sum: UsageSum;
}): ReactNode {
  if (hour !== undefined) return formatTime(hour);
  if (day !== undefined) return formatDay(day);
  if (customer_id !== undefined) return <CustomerLink customerId={customer_id} />;
  if (indicator === undefined) return agentId;
  return (
    <>
      {agentId} <span className="mono quiet">{indicator}</span>
    </>
  );
}
