import type { AdminUsage } from "@creditgate/admin";
import { CustomerLink } from "../orders/links.tsx";
import { formatCredits } from "../parts/amounts.ts";
import { Outcome } from "../parts/badge.tsx";
import { type DialogOf, ViewDialog } from "../parts/form-dialog.tsx";
import { Facts, RawText } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";

/** A report as it arrived, and its outcome. */
export function ReportDialog({ report, onClose }: DialogOf<{ report: AdminUsage }>) {
  const { usageId, customer_id, agentId, indicator, credits, credit_currency_key, outcome } = report;
  const { receivedAt, settledAt, idempotencyKey, rawUsage } = report;
  const code = (text: string) => <span className="mono breaks">{text}</span>;
  return (
    <ViewDialog title="Report of usage" onClose={onClose}>
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
          ["Idempotency-Key", idempotencyKey !== null && code(idempotencyKey)],
          ["ID", code(usageId)],
        ]}
      />
      <RawText label="As it was reported" text={JSON.stringify(rawUsage, null, 2)} />
    </ViewDialog>
  );
}
