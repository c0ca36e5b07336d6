import type { AdminUsage } from "@creditgate/admin";
import { useMemo } from "react";
import { formatCount, formatCredits } from "../parts/amounts.ts";
import { Outcome, outcomeWords } from "../parts/badge.tsx";
import { CopyButton } from "../parts/button.tsx";
import { ViewDialog } from "../parts/form-dialog.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Facts, RawText } from "../parts/page.tsx";
import { type column, Table } from "../parts/table.tsx";
import { formatDuration, formatExact, formatMoment, Time } from "../parts/time.tsx";

interface ReportTableProps {
  readonly reports: readonly AdminUsage[];
  /** Marks those that arrive while the page is open. */
  readonly freshAfter: string | undefined;
  readonly isOld: boolean;
  readonly onOpen: (usageId: string) => void;
}

/** Reports, the newest first. */
export function ReportTable({ reports, freshAfter, isOld, onOpen }: ReportTableProps) {
  // Kept, so that hundreds of rows are not drawn again for each report that arrives.
  const columns = useMemo(() => columnsFor(onOpen), [onOpen]);
  const isFresh = ({ receivedAt }: AdminUsage) => freshAfter !== undefined && receivedAt > freshAfter;
  return (
    <Table
      look="rows reports"
      caption="Usage reports, the newest first; new ones are added at the top"
      rows={reports}
      idOf={({ usageId }) => usageId}
      isOld={isOld}
      rowLook={(report) => ({ className: isFresh(report) ? "fresh" : undefined })}
      columns={columns}
    />
  );
}

function columnsFor(onOpen: (usageId: string) => void) {
  const tokens = (count: unknown) => (typeof count === "number" ? formatCount(count) : "");
  return (make: typeof column<AdminUsage>) => [
    make("Received", { from: 1, look: "quiet" }, ({ receivedAt }) => (
      <Time at={receivedAt} format={formatMoment} />
    )),
    make(
      "Customer",
      { isName: true, look: "breaks" },
      ({ usageId, customerId, agentId, indicator, receivedAt }) => (
        <>
          <button type="button" className="cover mono" onClick={() => onOpen(usageId)}>
            {customerId}
          </button>
          <span className="sub phone">
            {agentId} <span className="mono">{indicator}</span>, {formatMoment(receivedAt)}
          </span>
        </>
      ),
    ),
    make("Agent, indicator", { from: 1, look: "breaks" }, ({ agentId, indicator }) => (
      <>
        {agentId} <span className="quiet mono">{indicator}</span>
      </>
    )),
    make("Model", { from: 2, look: "quiet mono breaks" }, ({ rawUsage: { model } }) =>
      typeof model === "string" ? model : "",
    ),
    make("Input", { isNumber: true, from: 2 }, ({ rawUsage }) => tokens(rawUsage.inputTokens)),
    make("Output", { isNumber: true, from: 2 }, ({ rawUsage }) => tokens(rawUsage.outputTokens)),
    make("Credits", { isNumber: true }, ({ credits, outcome }) => (
      <>
        {credits === 0 ? <span className="zero">0.00</span> : <b>{formatCredits(credits)}</b>}
        <span className="sub phone">{outcomeWords(outcome)}</span>
      </>
    )),
    make("Outcome", { from: 1 }, ({ outcome }) => <Outcome outcome={outcome} />),
    make(
      "Settled in",
      { isNumber: true, from: 3, look: "quiet" },
      ({ settledAt, receivedAt }) =>
        settledAt !== null && formatDuration(Date.parse(settledAt) - Date.parse(receivedAt)),
    ),
  ];
}

/** A report as it arrived, and its outcome. */
export function ReportDialog({ report }: { report: AdminUsage }) {
  const { usageId, customerId, agentId, indicator, credits, creditCurrencyKey, outcome } = report;
  const { receivedAt, settledAt, idempotencyKey, rawUsage, budgets } = report;
  return (
    <ViewDialog title="Usage report">
      <Facts
        facts={[
          ["Outcome", <Outcome key="outcome" outcome={outcome} />],
          ["Customer", <CustomerLink key="customer" customerId={customerId} />],
          [
            "Agent, indicator",
            <span key="agent" className="breaks">
              {agentId} <span className="mono">{indicator}</span>
            </span>,
          ],
          [
            "Credits",
            creditCurrencyKey === null ? "not in credits" : `${formatCredits(credits)} ${creditCurrencyKey}`,
          ],
          ["Received", formatExact(receivedAt)],
          ["Settled", settledAt !== null && formatExact(settledAt)],
          ["Idempotency key", idempotencyKey !== null && <CopyButton key="key" text={idempotencyKey} />],
          ["Budgets", budgets.length > 0 && budgets.map(({ key }) => <CopyButton key={key} text={key} />)],
          ["ID", <CopyButton key="id" text={usageId} />],
        ]}
      />
      <RawText label="Raw usage" text={JSON.stringify(rawUsage, null, 2)} />
    </ViewDialog>
  );
}
