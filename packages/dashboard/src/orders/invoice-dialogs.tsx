import type { AdminInvoice } from "@creditgate/admin";
import { useDraft } from "../api/edit.ts";
import { useOrganization } from "../api/query.ts";
import { formatCredits } from "../parts/amounts.ts";
import { Choice, ReasonField } from "../parts/field.tsx";
import { ActionDialog, Effect, EffectPlace } from "../parts/form-dialog.tsx";
import { invoiceName } from "../parts/links.tsx";
import { notify } from "../parts/toasts.tsx";
import { benefitsOf, creditsOf, paymentRows, rebillRows, withdrawalRows } from "./benefits.ts";
import { bookQueries, type InvoiceSubject, useInvoiceSubject } from "./queries.ts";
import { askedFor, topUpWarning } from "./words.ts";

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
      failure="The payment could not be confirmed."
      send={() => organization.invoices.markPaid(invoice.invoiceId)}
      untrue={bookQueries}
      onDone={() => {
        const given = subject?.order === undefined ? [] : benefitsOf(subject.order);
        notify(
          `${name} paid`,
          given.length === 0 ? undefined : `${creditsOf(given, formatCredits)} available.`,
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
  const owed = `${customer.name} no longer owes ${askedFor(invoice)}.`;
  const undo = "This cannot be undone. A credit note can refund it later.";
  if (order === undefined) {
    return (
      <Effect>
        <p>{owed} No wallet changes: its credits left the wallet when the invoice was issued.</p>
        <p className="quiet">{undo}</p>
      </Effect>
    );
  }
  const benefits = benefitsOf(order);
  return (
    <Effect rows={paymentRows(benefits, customer.wallets)}>
      <p>
        {owed} {benefits.length > 0 && `${creditsOf(benefits, formatCredits)} become available immediately. `}
        {order.type === "top_up"
          ? "The top-up is complete."
          : order.type === "replacement"
            ? `${order.orderName} starts and supersedes the previous order.`
            : `${order.orderName} starts.`}
      </p>
      <p className="quiet">{undo}</p>
    </Effect>
  );
}

const usages = [
  { value: "rebilled", label: "Bill it on the next invoice" },
  { value: "forgiven", label: "Do not bill it" },
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
      failure="The invoice could not be voided."
      send={() => organization.invoices.void(invoice.invoiceId, { reason, ...(isOfPeriod ? { usage } : {}) })}
      untrue={bookQueries}
      onDone={() => notify(`${name} voided`, `${askedFor(invoice)} is not owed.`)}
    >
      {isOfPeriod && <Choice {...bind("usage")} label="Usage" options={usages} />}
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
  const owed = `${customer.name} no longer owes ${askedFor(invoice)}. The invoice keeps its number.`;
  if (order !== undefined) {
    return (
      <Effect rows={withdrawalRows(benefitsOf(order), customer.wallets)}>
        <p>
          {owed} The order {order.orderName} is cancelled.
          {order.type === "top_up" && ` ${topUpWarning}`}
        </p>
        <p className="quiet">This cannot be undone. A new order issues a new invoice.</p>
      </Effect>
    );
  }
  return usage === "rebilled" ? (
    <Effect rows={rebillRows(invoice, customer.wallets)}>
      <p>
        {owed} Its usage counts against the wallet again and is billed on the next invoice, at the credit
        price then. Requests are denied if the wallet reaches its limit.
      </p>
      <p className="quiet">This cannot be undone.</p>
    </Effect>
  ) : (
    <Effect>
      <p>{owed} Its usage is not billed again. The wallet does not change.</p>
      <p className="quiet">This cannot be undone.</p>
    </Effect>
  );
}
