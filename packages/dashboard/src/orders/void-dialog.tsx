import type { AdminInvoice } from "@creditgate/client/admin";
import { type ReactNode, useState } from "react";
import { useOrganizationId } from "../api/account.ts";
import { useChange } from "../api/change.ts";
import { admin } from "../api/client.ts";
import { Choice } from "../parts/choice.tsx";
import { Effect } from "../parts/effect.tsx";
import { Failure } from "../parts/failure.tsx";
import { FormDialog } from "../parts/form-dialog.tsx";
import { ReasonField } from "../parts/reason-field.tsx";
import { tell } from "../parts/toasts.tsx";
import { benefitsOf, rebillRows, withdrawalRows } from "./benefits.ts";
import { bookKeys } from "./queries.ts";
import { type InvoiceSubject, useInvoiceSubject } from "./subject.ts";
import { askedFor, invoiceName, topUpWarning } from "./words.ts";

const usages = [
  { value: "rebilled", label: "On the next invoice: this one is wrong" },
  { value: "forgiven", label: "On none: it is not to be paid" },
] as const;

type Usage = (typeof usages)[number]["value"];

/** Voids an invoice that is open. */
export function VoidDialog({
  invoice,
  onClose,
}: {
  readonly invoice: AdminInvoice;
  readonly onClose: () => void;
}): ReactNode {
  const organizationId = useOrganizationId();
  const [reason, setReason] = useState("");
  const [usage, setUsage] = useState<Usage>("rebilled");
  const { subject, error } = useInvoiceSubject(invoice);
  const name = invoiceName(invoice);
  const isOfPeriod = invoice.type === "period";
  const end = useChange({
    change: () =>
      admin.organization(organizationId).invoices.void(invoice.invoiceId, {
        reason: reason.trim(),
        ...(isOfPeriod ? { usage } : {}),
      }),
    untrue: bookKeys(organizationId, invoice.customerExternalId),
    onDone() {
      onClose();
      tell(`${name} is void`, `${askedFor(invoice)} is not owed.`);
    },
  });
  return (
    <FormDialog
      title={`Void ${name}`}
      action={`Void ${name}`}
      isDanger
      isReady={reason.trim() !== "" && subject !== undefined}
      change={end}
      failure="The invoice is not void."
      onSubmit={() => end.mutate()}
      onClose={onClose}
    >
      {isOfPeriod && (
        <Choice label="What was used comes" value={usage} options={usages} onChange={setUsage} />
      )}
      <ReasonField value={reason} onChange={setReason} autoFocus />
      {error !== null && <Failure error={error} what="What will happen could not be told." />}
      {subject === undefined && error === null && <div className="bone block" />}
      {subject !== undefined && <VoidEffect invoice={invoice} subject={subject} usage={usage} />}
    </FormDialog>
  );
}

function VoidEffect({
  invoice,
  subject: { order, customer },
  usage,
}: {
  readonly invoice: AdminInvoice;
  readonly subject: InvoiceSubject;
  readonly usage: Usage;
}): ReactNode {
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
