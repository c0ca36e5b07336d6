import type { UsageSum, UsageSumsBy } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { formatCount } from "../parts/amounts.ts";
import { CustomerLink } from "../parts/links.tsx";
import { Amount, Empty, Listing, Table } from "../parts/table.tsx";
import { formatDay, formatTime } from "../parts/time.tsx";
import { sumsQuery, type UsageSearch } from "./queries.ts";

/** Sums of usage, by one thing. */
export function SumsTable({ search, by }: { search: UsageSearch; by: UsageSumsBy }) {
  const sums = useAnswer(sumsQuery, { ...search, by });
  return (
    <Listing
      query={sums}
      rowsOf={(answer) => answer.sums}
      what="usage sums"
      empty={
        <Empty title="No usage in the last 30 days">
          Choose other days for earlier usage: whole UTC days, at most 31 of them by hour.
        </Empty>
      }
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
              sum.customerId,
              sum.creditCurrencyKey,
            ])
          }
          isOld={isOld}
          columns={(column) => [
            column(heads[by], { isName: true, look: "breaks" }, (sum) => <Name sum={sum} />),
            column("Reports", { isNumber: true }, ({ events }) => formatCount(events)),
            column("Credits", { isNumber: true }, ({ credits }) => <Amount of={credits} />),
            column(
              "Currency",
              { look: "mono breaks" },
              (sum) => sum.creditCurrencyKey ?? <span className="quiet">not in credits</span>,
            ),
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

function Name({ sum: { hour, day, agentId, indicator, customerId } }: { sum: UsageSum }) {
  if (hour !== undefined) return formatTime(hour);
  if (day !== undefined) return formatDay(day);
  if (customerId !== undefined) return <CustomerLink customerId={customerId} />;
  if (indicator === undefined) return agentId;
  return (
    <>
      {agentId} <span className="mono quiet">{indicator}</span>
    </>
  );
}
