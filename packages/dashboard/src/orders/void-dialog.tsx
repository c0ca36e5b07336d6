import type { AdminInvoice } from "@creditgate/admin";
import { useDraft } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { Choice, ReasonField } from "../parts/field.tsx";
import { ActionDialog, Effect, EffectPlace } from "../parts/form-dialog.tsx";
import { invoiceName } from "../parts/links.tsx";
import { notify } from "../parts/toasts.tsx";
import { benefitsOf, rebillRows, withdrawalRows } from "./benefits.ts";
import { bookQueries, type InvoiceSubject, useInvoiceSubject } from "./queries.ts";
import { askedFor, topUpWarning } from "./words.ts";

const usages = [
  { value: "rebilled", label: "On the next invoice: this one is wrong" },
  { value: "forgiven", label: "On none: it is not to be paid" },
] as const;

type Usage = (typeof usages)[number]["value"];

/** Voids an open invoice. */
export function VoidDialog({ invoice }: { invoice: AdminInvoice }) {
  const organization = useOrganization();
  const { values, bind } = useDraft({ reason: "", usage: "rebilled" as Usage });
  const { subject, error } = useInvoiceSubject(invoice);
  const { usage } = values;
  const reason = values.reason.trim();
  const name = invoiceName(invoice);
  const isOfPeriod = invoice.type === "period";
  return (
    <ActionDialog
      title={`Void ${name}`}
      action={`Void ${name}`}
      isDanger
      isReady={reason !== "" && subject !== undefined}
      failure="The invoice is not void."
      send={() => organization.invoices.void(invoice.invoiceId, { reason, ...(isOfPeriod ? { usage } : {}) })}
      untrue={bookQueries}
      onDone={() => notify(`${name} is void`, `${askedFor(invoice)} is not owed.`)}
    >
      {isOfPeriod && <Choice {...bind("usage")} label="What was used comes" options={usages} />}
      <ReasonField {...bind("reason")} autoFocus />
      <EffectPlace error={error} isLoaded={subject !== undefined} />
      {subject !== undefined && <VoidEffect invoice={invoice} subject={subject} usage={usage} />}
    </ActionDialog>
  );
}

interface VoidEffectProps {
  readonly invoice: AdminInvoice;
  readonly subject: InvoiceSubject;
  readonly usage: Usage;
}

function VoidEffect({ invoice, subject: { order, customer }, usage }: VoidEffectProps) {
  const owed = `${customer.name} owes ${askedFor(invoice)} no more; the invoice keeps its number.`;
  if (order !== undefined) {
    return (
      <Effect rows={withdrawalRows(benefitsOf(order), customer.wallets)}>
        <p>
          {owed} The order {order.orderName} is cancelled and never starts.
          {order.type === "top_up" && ` ${topUpWarning}`}
        </p>
        <p className="quiet">It cannot be undone: another order makes another invoice.</p>
      </Effect>
    );
  }
  return usage === "rebilled" ? (
    <Effect rows={rebillRows(invoice, customer.wallets)}>
      <p>
        {owed} What it has billed is used again, and on the next invoice, at what credits cost then. A wallet
        that reaches its limit by that is denied.
      </p>
      <p className="quiet">It cannot be undone.</p>
    </Effect>
  ) : (
    <Effect>
      <p>{owed} What it has billed is on no other invoice. The wallet stays as it is.</p>
      <p className="quiet">It cannot be undone.</p>
    </Effect>
  );
}
