import type { AdminInvoice } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { formatMoney } from "../parts/amounts.ts";
import { customerColumn, InvoiceLink } from "../parts/links.tsx";
import { Empty, Listing, None, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { NewOrder } from "./order-dialog.tsx";
import { invoicesQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { InvoiceBadge } from "./status-badge.tsx";
import { askedFor, formatPeriod, invoiceStatuses, invoiceTypes } from "./words.ts";

export function InvoiceList() {
  const { part, search } = useRecordsPart();
  const status = keyOf(invoiceStatuses, search.status);
  const type = keyOf(invoiceTypes, search.type);
  const invoices = useAnswer(invoicesQuery, { ...part, status, type });
  return (
    <Listing
      query={invoices}
      rowsOf={(answer) => answer.invoices}
      what="invoices"
      empty={
        <Empty title="No invoices yet" action={<NewOrder />}>
          Each order issues an invoice. A postpaid wallet is invoiced at the end of each period with usage.
        </Empty>
      }
    >
      {(rows, isOld) => <InvoiceTable invoices={rows} isOld={isOld} />}
    </Listing>
  );
}

interface InvoiceTableProps {
  readonly invoices: readonly AdminInvoice[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}

/** Invoices, the newest first; without the customer on a page of one. */
export function InvoiceTable({ invoices, isOld = false, hasCustomer = true }: InvoiceTableProps) {
  return (
    <Table
      look="rows"
      caption="Invoices, the newest first"
      rows={invoices}
      idOf={({ invoiceId }) => invoiceId}
      isOld={isOld}
      columns={(column) => [
        column("Invoice", { isName: true }, (invoice) => (
          <>
            <InvoiceLink invoice={invoice} isCover />
            <span className="sub phone">
              {hasCustomer && <span className="mono">{invoice.customerExternalId}, </span>}
              <Day at={invoice.createdAt} />
            </span>
          </>
        )),
        hasCustomer && customerColumn,
        column("Type", { from: 2 }, (invoice) => <Subject invoice={invoice} />),
        column("Issued", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
        column("Amount", { isNumber: true }, askedFor),
        column("Credited", { isNumber: true, from: 3 }, ({ currency, creditedAmount }) =>
          currency !== null && creditedAmount > 0 ? `−${formatMoney(creditedAmount, currency)}` : <None />,
        ),
        column("Status", {}, ({ status }) => <InvoiceBadge status={status} />),
      ]}
    />
  );
}

/** What an invoice is for. */
function Subject({ invoice }: { readonly invoice: AdminInvoice }) {
  const { type, creditCurrencyKey, periodStart, periodEnd } = invoice;
  if (type !== "period" || periodStart === null || periodEnd === null) return "Order";
  return (
    <>
      Period
      <span className="sub">
        {formatPeriod(periodStart, periodEnd)}, <span className="mono">{creditCurrencyKey}</span>
      </span>
    </>
  );
}
