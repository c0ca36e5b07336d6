import type { AdminWaitingReport } from "@creditgate/admin";
import { Button } from "react-aria-components";
import { useChange } from "../api/edit.ts";
import { useMay, useOrganization } from "../api/query.ts";
import { formatCount, formatCredits } from "../parts/amounts.ts";
import { Badge } from "../parts/badge.tsx";
import { Failure } from "../parts/failure.tsx";
import { Section } from "../parts/page.tsx";
import { Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { notify } from "../parts/toasts.tsx";

/** Reports that gates have set aside, and the way to have them sent again. */
export function WaitingReports({
  reports,
  waiting,
}: {
  readonly reports: readonly AdminWaitingReport[];
  /** All that wait, also those that no gate names. */
  readonly waiting: number;
}) {
  const organization = useOrganization();
  const mayRetry = useMay("money");
  const retry = useChange({
    async change(chosen: readonly AdminWaitingReport[]) {
      for (const gateId of new Set(chosen.map((one) => one.gateId))) {
        const ids = chosen.filter((one) => one.gateId === gateId).map(({ id }) => id);
        await organization.gates.retry(gateId, ids);
      }
    },
    untrue: ["gates"],
    onDone: (_, chosen) =>
      notify(`${formatCount(chosen.length)} to be sent again`, "The gate does it with its next heartbeat."),
  });
  const left = reports.filter(({ retrying }) => !retrying);
  return (
    <Section
      id="waiting"
      title="Reports that did not arrive"
      end={
        mayRetry &&
        left.length > 1 && (
          <Button className="btn sm end" isPending={retry.isPending} onPress={() => retry.mutate(left)}>
            Try all {formatCount(left.length)} again
          </Button>
        )
      }
      lead="A parked report may have been processed; it is sent again by itself where the service is known to honour keys. A dead one has been refused as it is: mend the cause, then try again."
    >
      {retry.isError && <Failure error={retry.error} what="Nothing was asked for." />}
      {reports.length === 0 ? (
        <p className="quiet small">
          {waiting === 0
            ? "None waits."
            : `${formatCount(waiting)} wait that an earlier process has left: creditgate outbox lists them.`}
        </p>
      ) : (
        <Table
          caption="Reports, the dead first, each the oldest first"
          rows={reports}
          idOf={({ id }) => id}
          columns={(column) => [
            column("Report", { isName: true }, ({ state, agentId, indicator, name, since }) => (
              <>
                {state === "dead" ? <Badge tone="bad">Dead</Badge> : <Badge tone="warn">Parked</Badge>}
                <span className="sub">
                  {agentId}, {indicator}, {name}, <Day at={since} />
                </span>
              </>
            )),
            column("Customer", { from: 1 }, ({ customerId }) => customerId),
            column("Credits", { isNumber: true }, ({ credits }) => formatCredits(credits)),
            column("Why", { from: 2, look: "quiet breaks" }, ({ reason }) => reason),
            mayRetry &&
              column("Action", { isUnseen: true, isNumber: true }, (report) =>
                report.retrying ? (
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
                ),
              ),
          ]}
        />
      )}
      {reports.length > 0 && waiting > reports.length && (
        <p className="small quiet">
          {formatCount(reports.length)} of {formatCount(waiting)} are named here.
        </p>
      )}
    </Section>
  );
}
