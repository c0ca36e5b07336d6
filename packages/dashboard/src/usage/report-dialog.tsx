import type { AdminUsage } from "@creditgate/admin";
import { formatCredits } from "../parts/amounts.ts";
import { Outcome } from "../parts/badge.tsx";
import { ViewDialog } from "../parts/form-dialog.tsx";
import { CustomerLink } from "../parts/links.tsx";
import { Facts, RawText } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";

/** A report as it arrived, and its outcome. */
export function ReportDialog({ report }: { report: AdminUsage }) {
  const { usageId, customerId, agentId, indicator, credits, creditCurrencyKey, outcome } = report;
  const { receivedAt, settledAt, idempotencyKey, rawUsage, budgets } = report;
  const code = (text: string) => <span className="mono breaks">{text}</span>;
  return (
    <ViewDialog title="Report of usage">
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
          ["Idempotency-Key", idempotencyKey !== null && code(idempotencyKey)],
          ["Budgets", budgets.length > 0 && code(budgets.map(({ key }) => key).join(", "))],
          ["ID", code(usageId)],
        ]}
      />
      <RawText label="As it was reported" text={JSON.stringify(rawUsage, null, 2)} />
    </ViewDialog>
  );
}
