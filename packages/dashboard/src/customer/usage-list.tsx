import { Link } from "@tanstack/react-router";
import { useState } from "react";
import { useAnswer, useOrganizationId } from "../api/query.ts";
import { usageQuery } from "../customers/queries.ts";
import { Outcome } from "../parts/badge.tsx";
import { Section } from "../parts/page.tsx";
import { Amount, Empty, Listing, Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { CsvLink } from "../parts/toolbar.tsx";

/** In place of reports of usage that have not come yet. */
export function NoUsage() {
  return (
    <Empty
      title="No usage yet"
      action={
        <Link
          className="btn"
          to="/organizations/$organizationId/start"
          params={{ organizationId: useOrganizationId() }}
        >
          Send a first request
        </Link>
      }
    >
      Reports appear here as your application sends them.
    </Empty>
  );
}

/** The reports of usage of a customer, the newest first. */
export function UsageList({ customerId }: { readonly customerId: string }) {
  const [cursor, setCursor] = useState<string>();
  const usage = useAnswer(usageQuery, customerId, cursor);
  return (
    <Section
      id="usage"
      title="Usage"
      end={<CsvLink list="usage" query={{ customerId: customerId }} isSmall />}
    >
      <Listing
        query={usage}
        rowsOf={(answer) => answer.usage}
        what="reports"
        empty={<NoUsage />}
        paging={[cursor, setCursor]}
      >
        {(rows, isOld) => (
          <Table
            caption="Usage reports, the newest first"
            rows={rows}
            idOf={({ usageId }) => usageId}
            isOld={isOld}
            columns={(column) => [
              column("Received", { from: 1, look: "quiet" }, ({ receivedAt }) => <Time at={receivedAt} />),
              column(
                "Agent, indicator",
                { isName: true, look: "breaks" },
                ({ agentId, indicator, receivedAt }) => (
                  <>
                    {agentId} <span className="mono quiet">{indicator}</span>
                    <span className="sub phone">{formatTime(receivedAt)}</span>
                  </>
                ),
              ),
              column("Credits", { isNumber: true }, ({ credits }) => <Amount of={credits} />),
              column("Currency", { from: 2, look: "mono" }, (one) => one.creditCurrencyKey),
              column("Outcome", {}, ({ outcome }) => <Outcome outcome={outcome} />),
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
