import type { UsageSum, UsageSumsBy } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useOrganizationId } from "../api/account.ts";
import { CustomerLink } from "../orders/links.tsx";
import { formatCount } from "../parts/amounts.ts";
import { Empty, Listing } from "../parts/listing.tsx";
import { Amount, Table } from "../parts/table.tsx";
import { formatDay, formatTime } from "../parts/time.tsx";
import { sumsQuery, type UsageSearch } from "./queries.ts";

interface SumsTableProps {
  readonly search: UsageSearch;
  readonly by: UsageSumsBy;
  readonly onMove: (cursor: string | undefined) => void;
}

/** Sums of usage, by one thing. */
export function SumsTable({ search, by, onMove }: SumsTableProps) {
  const organizationId = useOrganizationId();
  const sums = useQuery(sumsQuery(organizationId, { ...search, by }));
  return (
    <Listing
      query={sums}
      rowsOf={(answer) => answer.sums}
      failure="The sums could not be loaded."
      empty={
        <Empty title="No usage in this time">
          Sums are of whole days of UTC, the last 30 where none are chosen; by hour of 31 at most.
        </Empty>
      }
      cursor={search.cursor}
      onMove={onMove}
    >
      {(rows, isOld) => (
        <Table
          caption={`Sums of usage by ${by}, with what is not settled yet`}
          rows={rows}
          idOf={(sum) =>
            JSON.stringify([
              sum.hour,
              sum.day,
              sum.agentId,
              sum.indicator,
              sum.customer_id,
              sum.credit_currency_key,
            ])
          }
          isOld={isOld}
          columns={[
            { header: heads[by], isName: true, look: "breaks", cell: (sum) => <Name sum={sum} /> },
            { header: "Reports", isNumber: true, cell: ({ events }) => formatCount(events) },
            { header: "Credits", isNumber: true, cell: ({ credits }) => <Amount of={credits} /> },
            {
              header: "Currency",
              look: "mono breaks",
              cell: (sum) => sum.credit_currency_key ?? <span className="quiet">not in credits</span>,
            },
          ]}
        />
      )}
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

function Name({ sum: { hour, day, agentId, indicator, customer_id } }: { sum: UsageSum }) {
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
