import type { AdminInvoice } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import type { ReactNode } from "react";
import { useAnswer, useMay, useOrganizationId } from "../api/query.ts";
import { customerQuery } from "../customers/queries.ts";
import { formatCredits, formatMoney } from "../parts/amounts.ts";
import { CopyButton } from "../parts/button.tsx";
import { DialogButton } from "../parts/form-dialog.tsx";
import { Icon } from "../parts/icon.tsx";
import { CustomerLink, invoiceName, OrderLink } from "../parts/links.tsx";
import { Crumbs, Facts, Page, RecordPage, Section } from "../parts/page.tsx";
import { formatExact } from "../parts/time.tsx";
import { benefitsOf, creditsOf } from "./benefits.ts";
import { CreditNoteDialog } from "./credit-note-dialog.tsx";
import { CreditNoteTable } from "./credit-note-list.tsx";
import { MarkPaidDialog, VoidDialog } from "./invoice-dialogs.tsx";
import { hasIssuerQuery, invoiceQuery, notesQuery, orderQuery } from "./queries.ts";
import { InvoiceBadge } from "./status-badge.tsx";
import { askedFor, formatPeriod } from "./words.ts";

/** An invoice: what it asks for, of what, and what has become of it. */
export function InvoicePage() {
  const { invoiceId } = useParams({
    from: "/shell/organizations/$organizationId/orders/invoices/$invoiceId",
  });
  return (
    <RecordPage
      query={useAnswer(invoiceQuery, invoiceId)}
      list="orders"
      name="Invoice"
      unknown="Invoice not found"
      failure="The invoice could not be loaded."
    >
      {(invoice, old) => <Loaded key={invoiceId} invoice={invoice} old={old} />}
    </RecordPage>
  );
}

function Loaded({ invoice, old }: { readonly invoice: AdminInvoice; readonly old: ReactNode }) {
  const mayChange = useMay("money");
  const { status } = invoice;
  const name = invoiceName(invoice);
  return (
    <Page
      title={name}
      crumbs={<Crumbs list="orders" name={name} />}
      facts={
        <div className="facts">
          <InvoiceBadge status={status} />
          <CopyButton text={invoice.invoiceId} />
        </div>
      }
      actions={
        <>
          <PrintLink invoice={invoice} />
          <DialogButton text="Void" look="danger" isShown={mayChange && status === "open"}>
            <VoidDialog invoice={invoice} />
          </DialogButton>
          <DialogButton text="Mark as paid" look="primary" isShown={mayChange && status === "open"}>
            <MarkPaidDialog invoice={invoice} />
          </DialogButton>
          <DialogButton text="Credit note" look="danger" isShown={mayChange && status === "paid"}>
            <CreditNoteDialog invoice={invoice} />
          </DialogButton>
        </>
      }
    >
      {old}
      <InvoiceFacts invoice={invoice} />
      {status === "paid" && <Notes invoice={invoice} />}
    </Page>
  );
}

/** The invoice on paper, for those who have said who issues it: without that there is no such page. */
function PrintLink({ invoice: { invoiceId, number } }: { readonly invoice: AdminInvoice }) {
  const organizationId = useOrganizationId();
  const { data: hasIssuer = false } = useAnswer(hasIssuerQuery);
  if (!hasIssuer || number === null) return null;
  return (
    <a
      className="btn"
      href={`/admin/api/organizations/${organizationId}/invoices/${invoiceId}/print`}
      target="_blank"
      rel="noopener noreferrer"
    >
      <Icon name="invoice" />
      Print<span className="unseen"> (a new tab)</span>
    </a>
  );
}

const fates: Readonly<Record<string, string>> = {
  rebilled: "Billed on the next invoice",
  forgiven: "Not billed again",
};

function InvoiceFacts({ invoice }: { readonly invoice: AdminInvoice }) {
  const organizationId = useOrganizationId();
  const { orderId, customerExternalId, periodStart, periodEnd, credits, creditedAmount, currency } = invoice;
  const { data: customer } = useAnswer(customerQuery, customerExternalId);
  const order = useQuery({ ...orderQuery(organizationId, orderId ?? ""), enabled: orderId !== null });
  const benefits = order.data === undefined || invoice.type !== "order" ? [] : benefitsOf(order.data);
  return (
    <section className="panel" aria-label="Invoice details">
      <Facts
        facts={[
          ["Amount", <b key="amount">{askedFor(invoice)}</b>],
          [
            "Customer",
            <CustomerLink key="customer" customerId={customerExternalId}>
              {customer?.name ?? customerExternalId}
            </CustomerLink>,
          ],
          [
            "Order",
            orderId !== null && (
              <OrderLink key="order" orderId={orderId}>
                {order.data?.orderName ?? orderId}
              </OrderLink>
            ),
          ],
          [
            "Included credits",
            order.isLoading ? (
              // Its place: most orders bring credits, and the other facts would be moved.
              <span key="brings" className="bone w3" />
            ) : (
              benefits.length > 0 && creditsOf(benefits, formatCredits)
            ),
          ],
          ["Period", periodStart !== null && periodEnd !== null && formatPeriod(periodStart, periodEnd)],
          [
            "Usage",
            credits !== null && (
              <>
                {formatCredits(credits)} <span className="mono">{invoice.creditCurrencyKey}</span>
              </>
            ),
          ],
          ["Issued", formatExact(invoice.createdAt)],
          ["Paid", invoice.paidAt !== null && formatExact(invoice.paidAt)],
          ["Voided", invoice.voidedAt !== null && formatExact(invoice.voidedAt)],
          ["Billed usage", invoice.voidedUsage !== null && fates[invoice.voidedUsage]],
          ["Credited", currency !== null && creditedAmount > 0 && `${formatMoney(creditedAmount, currency)}`],
        ]}
      />
    </section>
  );
}

function Notes({ invoice }: { readonly invoice: AdminInvoice }) {
  const notes = useAnswer(notesQuery, invoice.invoiceId);
  if (notes.data === undefined || notes.data.length === 0) return null;
  return (
    <Section id="notes" title="Credit notes">
      <CreditNoteTable notes={notes.data} hasCustomer={false} />
    </Section>
  );
}
