import type { AdminCreditNote } from "@creditgate/client/admin";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { formatCredits } from "../parts/credits.ts";
import { Empty } from "../parts/empty.tsx";
import { Listing } from "../parts/listing.tsx";
import { formatMoney } from "../parts/money.ts";
import { Day } from "../parts/time.tsx";
import { CustomerLink, InvoiceLink } from "./links.tsx";
import { creditNotesQuery } from "./queries.ts";
import { useMove, useRecordsPart } from "./records-part.ts";

export function CreditNoteList(): ReactNode {
  const { part, isFiltered } = useRecordsPart();
  const onMove = useMove();
  const notes = useQuery(creditNotesQuery(part));
  return (
    <Listing
      query={notes}
      rowsOf={(answer) => answer.creditNotes}
      failure="The credit notes could not be loaded."
      empty={
        <Empty title={isFiltered ? "No such credit note" : "No credit notes yet"}>
          <p>A credit note is made on the page of an invoice that is paid, and takes back a part of it.</p>
        </Empty>
      }
      cursor={part.cursor}
      onMove={onMove}
    >
      {(rows, isOld) => <CreditNoteTable notes={rows} isOld={isOld} />}
    </Listing>
  );
}

/** Credit notes; on the page of their invoice without the customer. */
export function CreditNoteTable({
  notes,
  isOld = false,
  hasCustomer = true,
}: {
  readonly notes: readonly AdminCreditNote[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}): ReactNode {
  return (
    <table aria-busy={isOld}>
      <caption className="unseen">Credit notes, the newest first</caption>
      <thead>
        <tr>
          <th scope="col">Credit note</th>
          {hasCustomer && (
            <th scope="col" className="p1">
              Customer
            </th>
          )}
          <th scope="col" className="p2">
            Reason
          </th>
          <th scope="col" className="p1">
            Made
          </th>
          <th scope="col" className="r">
            Owed to the customer
          </th>
          <th scope="col" className="r p1">
            Credits taken back
          </th>
        </tr>
      </thead>
      <tbody>
        {notes.map((note) => (
          <tr key={note.creditNoteId}>
            <th scope="row">
              {note.number}
              {hasCustomer && (
                <span className="sub">
                  of <InvoiceLink invoice={{ invoiceId: note.invoiceId, number: "its invoice" }} />
                </span>
              )}
              <span className="sub phone">
                {hasCustomer && <span className="mono">{note.customerExternalId}, </span>}
                <Day at={note.createdAt} />, {note.reason}
              </span>
            </th>
            {hasCustomer && (
              <td className="p1">
                <CustomerLink customerId={note.customerExternalId} />
              </td>
            )}
            <td className="p2">{note.reason}</td>
            <td className="quiet p1">
              <Day at={note.createdAt} />
            </td>
            <td className="r">
              {note.amount !== null && note.currency !== null && note.amount > 0 ? (
                formatMoney(note.amount, note.currency)
              ) : (
                <span className="zero">none</span>
              )}
            </td>
            <td className="r p1">
              {note.credits.length === 0 ? (
                <span className="zero">none</span>
              ) : (
                note.credits.map(({ credits, credit_currency_key: currency }) => (
                  <span key={currency} className="each">
                    {formatCredits(credits)} <span className="mono quiet">{currency}</span>
                  </span>
                ))
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
