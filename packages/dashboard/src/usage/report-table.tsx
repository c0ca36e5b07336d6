import type { AdminUsage } from "@creditgate/admin";
import { useMemo } from "react";
import { formatCount, formatCredits } from "../parts/amounts.ts";
import { Outcome, outcomeWords } from "../parts/badge.tsx";
import { type Column, Table } from "../parts/table.tsx";
import { formatDuration, formatMoment, Time } from "../parts/time.tsx";

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
      caption="Reports of usage, the newest first; new ones are added at the top"
      rows={reports}
      idOf={({ usageId }) => usageId}
      isOld={isOld}
      rowLook={(report) => ({ className: isFresh(report) ? "fresh" : undefined })}
      columns={columns}
    />
  );
}

function columnsFor(onOpen: (usageId: string) => void): readonly Column<AdminUsage>[] {
  const tokens = (count: unknown) => (typeof count === "number" ? formatCount(count) : "");
  return [
    {
      header: "Received",
      from: 1,
      look: "quiet",
      cell: ({ receivedAt }) => <Time at={receivedAt} format={formatMoment} />,
    },
    {
      header: "Customer",
      isName: true,
      look: "breaks",
      cell: ({ usageId, customer_id, agentId, indicator, receivedAt }) => (
        <>
          <button type="button" className="cover mono" onClick={() => onOpen(usageId)}>
            {customer_id}
          </button>
          <span className="sub phone">
            {agentId} <span className="mono">{indicator}</span>, {formatMoment(receivedAt)}
          </span>
        </>
      ),
    },
    {
      header: "Agent, indicator",
      from: 1,
      look: "breaks",
      cell: ({ agentId, indicator }) => (
        <>
          {agentId} <span className="quiet mono">{indicator}</span>
        </>
      ),
    },
    {
      header: "Model",
      from: 2,
      look: "quiet mono breaks",
      cell: ({ rawUsage: { model } }) => (typeof model === "string" ? model : ""),
    },
    { header: "Input", isNumber: true, from: 2, cell: ({ rawUsage }) => tokens(rawUsage.inputTokens) },
    { header: "Output", isNumber: true, from: 2, cell: ({ rawUsage }) => tokens(rawUsage.outputTokens) },
    {
      header: "Credits",
      isNumber: true,
      cell: ({ credits, outcome }) => (
        <>
          {credits === 0 ? <span className="zero">0.00</span> : <b>{formatCredits(credits)}</b>}
          <span className="sub phone">{outcomeWords(outcome)}</span>
        </>
      ),
    },
    { header: "Outcome", from: 1, cell: ({ outcome }) => <Outcome outcome={outcome} /> },
    {
      header: "Settled after",
      isNumber: true,
      from: 3,
      look: "quiet",
      cell: ({ settledAt, receivedAt }) =>
        settledAt !== null && formatDuration(Date.parse(settledAt) - Date.parse(receivedAt)),
    },
  ];
}
