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
