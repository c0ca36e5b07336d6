import type { AdminInvoice } from "@creditgate/admin";
import { useOrganizationId } from "../api/account.ts";
import { admin } from "../api/client.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Effect, EffectPlace } from "../parts/effect.tsx";
import { ActionDialog, type DialogOf } from "../parts/form-dialog.tsx";
import { tell } from "../parts/toasts.tsx";
import { benefitsOf, creditsOf, paymentRows } from "./benefits.ts";
import { bookKeys, type InvoiceSubject, useInvoiceSubject } from "./queries.ts";
import { askedFor, invoiceName } from "./words.ts";

/** Marks an invoice paid, after it has said what that gives and starts. */
export function MarkPaidDialog({ invoice, onClose }: DialogOf<{ invoice: AdminInvoice }>) {
  const organizationId = useOrganizationId();
  const { subject, error } = useInvoiceSubject(invoice);
  const name = invoiceName(invoice);
  return (
    <ActionDialog
      title={`Mark ${name} as paid`}
      action={`Mark ${askedFor(invoice)} as paid`}
      isReady={subject !== undefined}
      failure="The payment is not confirmed."
      send={() => admin.organization(organizationId).invoices.markPaid(invoice.invoiceId)}
      untrue={bookKeys(organizationId, invoice.customerExternalId)}
      onDone={() => {
        const given = subject?.order === undefined ? [] : benefitsOf(subject.order);
        tell(
          `${name} is paid`,
          given.length === 0 ? undefined : `${creditsOf(given, formatCredits)} can be spent.`,
        );
      }}
      onClose={onClose}
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
