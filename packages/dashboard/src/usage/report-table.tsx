import type { AdminUsage } from "@creditgate/client/admin";
import { memo, type ReactNode } from "react";
import { formatCount, formatCredits } from "../parts/credits.ts";
import { formatDuration } from "../parts/duration.ts";
import { Outcome, outcomeWords } from "../parts/outcome.tsx";
import { formatExact } from "../parts/time.tsx";
import { formatMoment } from "./moment.ts";

/** Reports, the newest first. */
export function ReportTable({
  reports,
  freshAfter,
  isOld,
  onOpen,
}: {
  readonly reports: readonly AdminUsage[];
  /** Those that came while one looks are marked for a moment. */
  readonly freshAfter: string | undefined;
  readonly isOld: boolean;
  readonly onOpen: (usageId: string) => void;
}): ReactNode {
  return (
    <table className="rows reports" aria-busy={isOld}>
      <caption className="unseen">Reports of usage, the newest first; new ones are added at the top</caption>
      <thead>
        <tr>
          <th scope="col" className="p1">
            Received
          </th>
          <th scope="col">Customer</th>
          <th scope="col" className="p1">
            Agent, indicator
          </th>
          <th scope="col" className="p2">
            Model
          </th>
          <th scope="col" className="r p2">
            Input
          </th>
          <th scope="col" className="r p2">
            Output
          </th>
          <th scope="col" className="r">
            Credits
          </th>
          <th scope="col" className="p1">
            Outcome
          </th>
          <th scope="col" className="r p3">
            Settled after
          </th>
        </tr>
      </thead>
      <tbody>
        {reports.map((report) => (
          <Row
            key={report.usageId}
            report={report}
            isFresh={freshAfter !== undefined && report.receivedAt > freshAfter}
            onOpen={onOpen}
          />
        ))}
      </tbody>
    </table>
  );
}

/** Drawn again only where the report has changed: hundreds of rows stand still while one comes. */
const Row = memo(function Row({
  report,
  isFresh,
  onOpen,
}: {
  readonly report: AdminUsage;
  readonly isFresh: boolean;
  readonly onOpen: (usageId: string) => void;
}): ReactNode {
  const { usageId, receivedAt, settledAt, customer_id, agentId, indicator, rawUsage, credits, outcome } =
    report;
  const { model, inputTokens, outputTokens } = rawUsage;
  return (
    <tr className={isFresh ? "fresh" : undefined}>
      <td className="quiet p1">
        <time dateTime={receivedAt} title={formatExact(receivedAt)}>
          {formatMoment(receivedAt)}
        </time>
      </td>
      <th scope="row" className="breaks">
        <button type="button" className="cover mono" onClick={() => onOpen(usageId)}>
          {customer_id}
        </button>
        <span className="sub phone">
          {agentId} <span className="mono">{indicator}</span>, {formatMoment(receivedAt)}
        </span>
      </th>
      <td className="p1 breaks">
        {agentId} <span className="quiet mono">{indicator}</span>
      </td>
      <td className="p2 quiet mono breaks">{typeof model === "string" ? model : ""}</td>
      <td className="r p2">{typeof inputTokens === "number" ? formatCount(inputTokens) : ""}</td>
      <td className="r p2">{typeof outputTokens === "number" ? formatCount(outputTokens) : ""}</td>
      <td className="r">
        {credits === 0 ? <span className="zero">0.00</span> : <b>{formatCredits(credits)}</b>}
        <span className="sub phone">{outcomeWords(outcome)}</span>
      </td>
      <td className="p1">
        <Outcome outcome={outcome} />
      </td>
      <td className="r p3 quiet">
        {settledAt !== null && formatDuration(Date.parse(settledAt) - Date.parse(receivedAt))}
      </td>
    </tr>
  );
});
