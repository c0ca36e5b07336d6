import type { AdminInvoice } from "@creditgate/admin";
import { useAnswer } from "../api/query.ts";
import { keyOf } from "../parts/address.ts";
import { formatMoney } from "../parts/amounts.ts";
import { customerColumn, InvoiceLink } from "../parts/links.tsx";
import { Empty, Listing, None, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { invoicesQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { InvoiceBadge } from "./status-badge.tsx";
import { askedFor, formatPeriod, invoiceStatuses, invoiceTypes } from "./words.ts";

export function InvoiceList() {
  const { part, search, isFiltered } = useRecordsPart();
  const status = keyOf(invoiceStatuses, search.status);
  const type = keyOf(invoiceTypes, search.type);
  const invoices = useAnswer(invoicesQuery, { ...part, status, type });
  return (
    <Listing
      query={invoices}
      rowsOf={(answer) => answer.invoices}
      failure="The invoices could not be loaded."
      empty={
        <Empty title={isFiltered ? "No such invoice" : "No invoices yet"}>
          {isFiltered
            ? "No invoice passes these filters. The ID of a customer must be whole."
            : "An order makes an invoice at once, a postpaid wallet makes one at the end of each period in which it was used."}
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
        column("Of", { from: 2 }, (invoice) => <Subject invoice={invoice} />),
        column("Made", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
        column("Amount", { isNumber: true }, askedFor),
        column("Credited", { isNumber: true, from: 3 }, ({ currency, creditedAmount }) =>
          currency !== null && creditedAmount > 0 ? `−${formatMoney(creditedAmount, currency)}` : <None />,
        ),
        column("State", {}, ({ status }) => <InvoiceBadge status={status} />),
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
