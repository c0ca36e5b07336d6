import type { AdminWaitingReport } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { Button } from "react-aria-components";
import { useMay, useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Badge } from "../parts/badge.tsx";
import { formatCount, formatCredits } from "../parts/credits.ts";
import { Failure } from "../parts/failure.tsx";
import { Day } from "../parts/time.tsx";
import { tell } from "../parts/toasts.tsx";

/** Reports that gates have set aside, and the way to have them sent again. */
export function WaitingReports({
  reports,
  waiting,
}: {
  readonly reports: readonly AdminWaitingReport[];
  /** All that wait, also those that no gate names. */
  readonly waiting: number;
}): ReactNode {
  const organizationId = useOrganizationId();
  const mayRetry = useMay("money");
  const retry = useChange({
    async change(chosen: readonly AdminWaitingReport[]) {
      for (const gateId of new Set(chosen.map((one) => one.gateId))) {
        const ids = chosen.filter((one) => one.gateId === gateId).map(({ id }) => id);
        await admin.organization(organizationId).gates.retry(gateId, ids);
      }
    },
    untrue: [["gates", organizationId]],
    onDone: (_, chosen) =>
      tell(`${formatCount(chosen.length)} to be sent again`, "The gate does it with its next heartbeat."),
  });
  const left = reports.filter(({ retrying }) => !retrying);
  return (
    <section className="section" aria-labelledby="waiting">
      <header>
        <h2 id="waiting">Reports that did not arrive</h2>
        {mayRetry && left.length > 1 && (
          <Button className="btn sm end" isPending={retry.isPending} onPress={() => retry.mutate(left)}>
            Try all {formatCount(left.length)} again
          </Button>
        )}
        <p>
          A parked report may have been processed; it is sent again by itself where the service is known to
          honour keys. A dead one has been refused as it is: mend the cause, then try again.
        </p>
      </header>
      {retry.isError && <Failure error={retry.error} what="Nothing was asked for." />}
      {reports.length === 0 ? (
        <p className="quiet small">
          {waiting === 0
            ? "None waits."
            : `${formatCount(waiting)} wait that an earlier process has left: creditgate outbox lists them.`}
        </p>
      ) : (
        <table>
          <caption className="unseen">Reports, the dead first, each the oldest first</caption>
          <thead>
            <tr>
              <th scope="col">Report</th>
              <th scope="col" className="p1">
                Customer
              </th>
              <th scope="col" className="r">
                Credits
              </th>
              <th scope="col" className="p2">
                Why
              </th>
              {mayRetry && (
                <th scope="col" className="r">
                  <span className="unseen">Action</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {reports.map((report) => (
              <tr key={report.id}>
                <th scope="row">
                  <Badge
                    tone={report.state === "dead" ? "bad" : "warn"}
                    icon={report.state === "dead" ? "alert" : "warning"}
                  >
                    {report.state === "dead" ? "Dead" : "Parked"}
                  </Badge>
                  <span className="sub">
                    {report.agentId}, {report.indicator}, {report.name}, <Day at={report.since} />
                  </span>
                </th>
                <td className="p1">{report.customerId}</td>
                <td className="r">{formatCredits(report.credits)}</td>
                <td className="p2 quiet breaks">{report.reason}</td>
                {mayRetry && (
                  <td className="r">
                    {report.retrying ? (
                      <span className="quiet small">asked for</span>
                    ) : (
                      <Button
                        className="btn sm"
                        aria-label={`Try again: the report of ${report.customerId}`}
                        isDisabled={retry.isPending}
                        onPress={() => retry.mutate([report])}
                      >
                        Try again
                      </Button>
                    )}
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {reports.length > 0 && waiting > reports.length && (
        <p className="small quiet">
          {formatCount(reports.length)} of {formatCount(waiting)} are named here.
        </p>
      )}
    </section>
  );
}
