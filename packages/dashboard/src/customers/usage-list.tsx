import type { AdminUsage } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { formatCredits } from "../parts/credits.ts";
import { CsvLink } from "../parts/csv-link.tsx";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { Outcome } from "../parts/outcome.tsx";
import { formatExact, formatTime } from "../parts/time.tsx";
import { usageQuery } from "./queries.ts";

/** The reports of usage of a customer, the newest first. */
export function UsageList({ customerId }: { readonly customerId: string }): ReactNode {
  const organizationId = useOrganizationId();
  const [cursor, setCursor] = useState<string>();
  const usage = useQuery(usageQuery({ organizationId, customerId, cursor }));
  return (
    <section className="section" aria-labelledby="usage">
      <header>
        <h2 id="usage">Usage</h2>
        <span className="end acts">
          <CsvLink list="usage" query={{ customer_id: customerId }} isSmall />
        </span>
      </header>
      <Listing
        query={usage}
        rowsOf={(answer) => answer.usage}
        failure="The usage could not be loaded."
        empty={
          <Empty title="No usage yet">
            <p>Each report of usage that your application sends for this customer comes here.</p>
          </Empty>
        }
        cursor={cursor}
        onMove={setCursor}
      >
        {(rows, isOld) => <Table usage={rows} isOld={isOld} />}
      </Listing>
    </section>
  );
}

function Table({
  usage,
  isOld,
}: {
  readonly usage: readonly AdminUsage[];
  readonly isOld: boolean;
}): ReactNode {
  return (
    <table aria-busy={isOld}>
      <caption className="unseen">Reports of usage, the newest first</caption>
      <thead>
        <tr>
          <th scope="col" className="p1">
            Received
          </th>
          <th scope="col">Agent, indicator</th>
          <th scope="col" className="r">
            Credits
          </th>
          <th scope="col" className="p2">
            Currency
          </th>
          <th scope="col">Outcome</th>
        </tr>
      </thead>
      <tbody>
        {usage.map((report) => (
          <tr key={report.usageId}>
            <td className="quiet p1">
              <time dateTime={report.receivedAt} title={formatExact(report.receivedAt)}>
                {formatTime(report.receivedAt)}
              </time>
            </td>
            <th scope="row" className="breaks">
              {report.agentId} <span className="mono quiet">{report.indicator}</span>
              <span className="sub phone">{formatTime(report.receivedAt)}</span>
            </th>
            <td className="r">
              {report.credits === 0 ? <span className="zero">0.00</span> : formatCredits(report.credits)}
            </td>
            <td className="p2 mono">{report.credit_currency_key}</td>
            <td>
              <Outcome outcome={report.outcome} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
