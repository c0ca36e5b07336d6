import type { AdminInvoice } from "@creditgate/admin";
import { useQuery } from "@tanstack/react-query";
import { keyOf } from "../parts/address.ts";
import { formatMoney } from "../parts/amounts.ts";
import { Empty, Listing } from "../parts/listing.tsx";
import { None, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { useFilters } from "../parts/toolbar.tsx";
import { customerColumn, InvoiceLink } from "./links.tsx";
import { invoicesQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";
import { InvoiceBadge } from "./status-badge.tsx";
import { askedFor, formatPeriod, invoiceStatuses, invoiceTypes } from "./words.ts";

export function InvoiceList() {
  const { part, search, isFiltered } = useRecordsPart();
  const { move } = useFilters();
  const status = keyOf(invoiceStatuses, search.status);
  const type = keyOf(invoiceTypes, search.type);
  const invoices = useQuery(invoicesQuery({ ...part, status, type }));
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
      cursor={part.cursor}
      onMove={move}
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
      columns={[
        {
          header: "Invoice",
          isName: true,
          cell: (invoice) => (
            <>
              <InvoiceLink invoice={invoice} isCover />
              <span className="sub phone">
                {hasCustomer && <span className="mono">{invoice.customerExternalId}, </span>}
                <Day at={invoice.createdAt} />
              </span>
            </>
          ),
        },
        hasCustomer && customerColumn,
        { header: "Of", from: 2, cell: (invoice) => <Subject invoice={invoice} /> },
        { header: "Made", from: 1, look: "quiet", cell: ({ createdAt }) => <Day at={createdAt} /> },
        { header: "Amount", isNumber: true, cell: askedFor },
        {
          header: "Credited",
          isNumber: true,
          from: 3,
          cell: ({ currency, creditedAmount }) =>
            currency !== null && creditedAmount > 0 ? `−${formatMoney(creditedAmount, currency)}` : <None />,
        },
        { header: "State", cell: ({ status }) => <InvoiceBadge status={status} /> },
      ]}
    />
  );
}

/** What an invoice is for. */
function Subject({ invoice }: { readonly invoice: AdminInvoice }) {
  const { type, credit_currency_key, periodStart, periodEnd } = invoice;
  if (type !== "period" || periodStart === null || periodEnd === null) return "Order";
  return (
    <>
      Period
      <span className="sub">
        {formatPeriod(periodStart, periodEnd)}, <span className="mono">{credit_currency_key}</span>
      </span>
    </>
  );
}
