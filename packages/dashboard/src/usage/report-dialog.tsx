import type { AdminUsage } from "@creditgate/client/admin";
import type { ReactNode } from "react";
import { CustomerLink } from "../orders/links.tsx";
import { formatCredits } from "../parts/credits.ts";
import { Facts } from "../parts/facts.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { Outcome } from "../parts/outcome.tsx";
import { formatExact } from "../parts/time.tsx";

/** A report as it came, and what has become of it. */
export function ReportDialog({
  report,
  onClose,
}: {
  readonly report: AdminUsage;
  readonly onClose: () => void;
}): ReactNode {
  const { usageId, customer_id, agentId, indicator, credits, credit_currency_key, outcome } = report;
  const { receivedAt, settledAt, idempotencyKey, rawUsage } = report;
  return (
    <FormDialog
      title="Report of usage"
      change={{ isPending: false, error: undefined }}
      failure=""
      onSubmit={onClose}
      onClose={onClose}
    >
      <Facts
        facts={[
          ["Outcome", <Outcome key="outcome" outcome={outcome} />],
          ["Customer", <CustomerLink key="customer" customerId={customer_id} />],
          [
            "Agent, indicator",
            <span key="agent" className="breaks">
              {agentId} <span className="mono">{indicator}</span>
            </span>,
          ],
          [
            "Credits",
            credit_currency_key === null
              ? "not in credits"
              : `${formatCredits(credits)} ${credit_currency_key}`,
          ],
          ["Received", formatExact(receivedAt)],
          ["Settled", settledAt !== null && formatExact(settledAt)],
          [
            "Idempotency-Key",
            idempotencyKey !== null && <span className="mono breaks">{idempotencyKey}</span>,
          ],
          [
            "ID",
            <span className="mono breaks" key="id">
              {usageId}
            </span>,
          ],
        ]}
      />
      <div className="field">
        <span className="label">As it was reported</span>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls, and must by keyboard too */}
        <pre className="raw" tabIndex={0}>
          {JSON.stringify(rawUsage, null, 2)}
        </pre>
      </div>
    </FormDialog>
  );
}
