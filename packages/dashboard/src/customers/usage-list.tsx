import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { Outcome } from "../parts/badge.tsx";
import { Empty, Listing } from "../parts/listing.tsx";
import { Section } from "../parts/page.tsx";
import { Amount, Table } from "../parts/table.tsx";
import { formatTime, Time } from "../parts/time.tsx";
import { CsvLink } from "../parts/toolbar.tsx";
import { usageQuery } from "./queries.ts";

/** The reports of usage of a customer, the newest first. */
export function UsageList({ customerId }: { readonly customerId: string }) {
  const organizationId = useOrganizationId();
  const [cursor, setCursor] = useState<string>();
  const usage = useQuery(usageQuery({ organizationId, customerId, cursor }));
  return (
    <Section
      id="usage"
      title="Usage"
      end={
        <span className="end acts">
          <CsvLink list="usage" query={{ customer_id: customerId }} isSmall />
        </span>
      }
    >
      <Listing
        query={usage}
        rowsOf={(answer) => answer.usage}
        failure="The usage could not be loaded."
        empty={
          <Empty title="No usage yet">
            Each report of usage that your application sends for this customer comes here.
          </Empty>
        }
        cursor={cursor}
        onMove={setCursor}
      >
        {(rows, isOld) => (
          <Table
            caption="Reports of usage, the newest first"
            rows={rows}
            idOf={({ usageId }) => usageId}
            isOld={isOld}
            columns={[
              {
                header: "Received",
                from: 1,
                look: "quiet",
                cell: ({ receivedAt }) => <Time at={receivedAt} />,
              },
              {
                header: "Agent, indicator",
                isName: true,
                look: "breaks",
                cell: ({ agentId, indicator, receivedAt }) => (
                  <>
                    {agentId} <span className="mono quiet">{indicator}</span>
                    <span className="sub phone">{formatTime(receivedAt)}</span>
                  </>
                ),
              },
              { header: "Credits", isNumber: true, cell: ({ credits }) => <Amount of={credits} /> },
              { header: "Currency", from: 2, look: "mono", cell: (one) => one.credit_currency_key },
              { header: "Outcome", cell: ({ outcome }) => <Outcome outcome={outcome} /> },
            ]}
          />
        )}
      </Listing>
    </Section>
  );
}
