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
      notify(`Retry of ${formatCount(chosen.length)} requested`, "The gate retries with its next heartbeat."),
  });
  const left = reports.filter(({ retrying }) => !retrying);
  return (
    <Section
      id="waiting"
      title="Undelivered reports"
      end={
        mayRetry &&
        left.length > 1 && (
          <Button className="btn sm end" isPending={retry.isPending} onPress={() => retry.mutate(left)}>
            Retry all {formatCount(left.length)}
          </Button>
        )
      }
      lead="A report in review may already be processed; it is retried automatically if the service honours idempotency keys. A dead report was rejected: fix the cause, then retry."
    >
      {retry.isError && <Failure error={retry.error} what="The retry could not be requested." />}
      {reports.length === 0 ? (
        <p className="quiet small">
          {waiting === 0
            ? "No undelivered reports."
            : `${formatCount(waiting)} reports of an earlier process: creditgate outbox lists them.`}
        </p>
      ) : (
        <Table
          caption="Reports, the dead first, each the oldest first"
          rows={reports}
          idOf={({ id }) => id}
          columns={(column) => [
            column("Report", { isName: true }, ({ state, agentId, indicator, name, since }) => (
              <>
                {state === "dead" ? <Badge tone="bad">Dead</Badge> : <Badge tone="warn">In review</Badge>}
                <span className="sub">
                  {agentId}, {indicator}, {name}, <Day at={since} />
                </span>
              </>
            )),
            column("Customer", { from: 1 }, ({ customerId }) => customerId),
            column("Credits", { isNumber: true }, ({ credits }) => formatCredits(credits)),
            column("Reason", { from: 2, look: "quiet breaks" }, ({ reason }) => reason),
            mayRetry &&
              column("Action", { isUnseen: true, isNumber: true }, (report) =>
                report.retrying ? (
                  <span className="quiet small">Retry requested</span>
                ) : (
                  <Button
                    className="btn sm"
                    aria-label={`Retry the report of ${report.customerId}`}
                    isDisabled={retry.isPending}
                    onPress={() => retry.mutate([report])}
                  >
                    Retry
                  </Button>
                ),
              ),
          ]}
        />
      )}
      {reports.length > 0 && waiting > reports.length && (
        <p className="small quiet">
          Showing {formatCount(reports.length)} of {formatCount(waiting)}.
        </p>
      )}
    </Section>
  );
}
