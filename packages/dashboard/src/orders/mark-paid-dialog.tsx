import type { AdminInvoice } from "@creditgate/admin";
import { useOrganization } from "../api/query.ts";
import { formatCredits } from "../parts/amounts.ts";
import { ActionDialog, Effect, EffectPlace } from "../parts/form-dialog.tsx";
import { invoiceName } from "../parts/links.tsx";
import { notify } from "../parts/toasts.tsx";
import { benefitsOf, creditsOf, paymentRows } from "./benefits.ts";
import { bookQueries, type InvoiceSubject, useInvoiceSubject } from "./queries.ts";
import { askedFor } from "./words.ts";

/** Marks an invoice paid, after it has said what that gives and starts. */
export function MarkPaidDialog({ invoice }: { invoice: AdminInvoice }) {
  const organization = useOrganization();
  const { subject, error } = useInvoiceSubject(invoice);
  const name = invoiceName(invoice);
  return (
    <ActionDialog
      title={`Mark ${name} as paid`}
      action={`Mark ${askedFor(invoice)} as paid`}
      isReady={subject !== undefined}
      failure="The payment is not confirmed."
      send={() => organization.invoices.markPaid(invoice.invoiceId)}
      untrue={bookQueries}
      onDone={() => {
        const given = subject?.order === undefined ? [] : benefitsOf(subject.order);
        notify(
          `${name} is paid`,
          given.length === 0 ? undefined : `${creditsOf(given, formatCredits)} can be spent.`,
        );
      }}
    >
      <EffectPlace error={error} isLoaded={subject !== undefined} />
      {subject !== undefined && <PaymentEffect invoice={invoice} subject={subject} />}
    </ActionDialog>
  );
}

function PaymentEffect({
  invoice,
  subject: { order, customer },
}: {
  readonly invoice: AdminInvoice;
  readonly subject: InvoiceSubject;
}) {
  const owed = `${customer.name} owes ${askedFor(invoice)} no more.`;
  const undo = "It cannot be undone: a credit note takes back what was paid.";
  if (order === undefined) {
    return (
      <Effect>
        <p>{owed} No wallet changes: its credits left the wallet when the invoice was made.</p>
        <p className="quiet">{undo}</p>
      </Effect>
    );
  }
  const benefits = benefitsOf(order);
  return (
    <Effect rows={paymentRows(benefits, customer.wallets)}>
      <p>
        {owed} {benefits.length > 0 && `${creditsOf(benefits, formatCredits)} can be spent at once. `}
        {order.type === "top_up"
          ? "The top-up is done."
          : order.type === "replacement"
            ? `${order.orderName} starts, and the order that it replaces ends.`
            : `${order.orderName} starts.`}
      </p>
      <p className="quiet">{undo}</p>
    </Effect>
  );
}
