import type { AdminInvoice } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Empty } from "../parts/empty.tsx";
import { keyOf } from "../parts/key-of.ts";
import { Listing } from "../parts/listing.tsx";
import { formatMoney } from "../parts/money.ts";
import { Day } from "../parts/time.tsx";
import { CustomerLink, InvoiceLink } from "./links.tsx";
import { invoicesQuery } from "./queries.ts";
import { useMove, useRecordsPart } from "./records-part.ts";
import { InvoiceBadge } from "./status-badge.tsx";
import { askedFor, formatPeriod, invoiceStatuses, invoiceTypes } from "./words.ts";

export function InvoiceList(): ReactNode {
  const { part, search, isFiltered } = useRecordsPart();
  const onMove = useMove();
  const status = keyOf(invoiceStatuses, search.status);
  const type = keyOf(invoiceTypes, search.type);
  const invoices = useQuery(invoicesQuery({ ...part, status, type }));
  return (
    <Listing
      query={invoices}
      rowsOf={(answer) => answer.invoices}
      failure="The invoices could not be loaded."
      empty={<Nothing isFiltered={isFiltered} />}
      cursor={part.cursor}
      onMove={onMove}
    >
      {(rows, isOld) => <InvoiceTable invoices={rows} isOld={isOld} />}
    </Listing>
  );
}

function Nothing({ isFiltered }: { readonly isFiltered: boolean }): ReactNode {
  return (
    <Empty title={isFiltered ? "No such invoice" : "No invoices yet"}>
      <p>
        {isFiltered
          ? "No invoice passes these filters. The ID of a customer must be whole."
          : "An order makes an invoice at once, a postpaid wallet makes one at the end of each period in which it was used."}
      </p>
    </Empty>
  );
}

/** Invoices, the newest first; without the customer on a page of one. */
export function InvoiceTable({
  invoices,
  isOld = false,
  hasCustomer = true,
}: {
  readonly invoices: readonly AdminInvoice[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}): ReactNode {
  return (
    <table className="rows" aria-busy={isOld}>
      <caption className="unseen">Invoices, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Invoice</th>
          {hasCustomer && (
            <th scope="col" className="p1">
              Customer
            </th>
          )}
          <th scope="col" className="p2">
            Of
          </th>
          <th scope="col" className="p1">
            Made
          </th>
          <th scope="col" className="r">
            Amount
          </th>
          <th scope="col" className="r p3">
            Credited
          </th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {invoices.map((invoice) => (
          <Row key={invoice.invoiceId} invoice={invoice} hasCustomer={hasCustomer} />
        ))}
      </tbody>
    </table>
  );
}

function Row({
  invoice,
  hasCustomer,
}: {
  readonly invoice: AdminInvoice;
  readonly hasCustomer: boolean;
}): ReactNode {
  const { customerExternalId, createdAt, status, creditedAmount, currency } = invoice;
  return (
    <tr>
      <th scope="row">
        <InvoiceLink invoice={invoice} isCover />
        <span className="sub phone">
          {hasCustomer && <span className="mono">{customerExternalId}, </span>}
          <Day at={createdAt} />
        </span>
      </th>
      {hasCustomer && (
        <td className="p1 breaks">
          <CustomerLink customerId={customerExternalId} />
        </td>
      )}
      <td className="p2">
        <Subject invoice={invoice} />
      </td>
      <td className="quiet p1">
        <Day at={createdAt} />
      </td>
      <td className="r">{askedFor(invoice)}</td>
      <td className="r p3">
        {currency !== null && creditedAmount > 0 ? (
          `−${formatMoney(creditedAmount, currency)}`
        ) : (
          <span className="zero">none</span>
        )}
      </td>
      <td>
        <InvoiceBadge status={status} />
      </td>
    </tr>
  );
}

/** What an invoice is for. */
function Subject({ invoice }: { readonly invoice: AdminInvoice }): ReactNode {
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
