import type { AdminCreditNote } from "@creditgate/admin";
import { Link } from "@tanstack/react-router";
import { useAnswer } from "../api/query.ts";
import { formatCredits, formatMoney } from "../parts/amounts.ts";
import { customerColumn, InvoiceLink } from "../parts/links.tsx";
import { Empty, Listing, None, Table } from "../parts/table.tsx";
import { Day } from "../parts/time.tsx";
import { creditNotesQuery } from "./queries.ts";
import { useRecordsPart } from "./record-toolbar.tsx";

export function CreditNoteList() {
  const { part } = useRecordsPart();
  const notes = useAnswer(creditNotesQuery, part);
  return (
    <Listing
      query={notes}
      rowsOf={(answer) => answer.creditNotes}
      what="credit notes"
      empty={
        <Empty
          title="No credit notes yet"
          action={
            <Link className="btn" to="." search={{ status: "paid" }}>
              View paid invoices
            </Link>
          }
        >
          A credit note refunds a paid invoice in whole or in part. Issue it on the invoice’s page.
        </Empty>
      }
    >
      {(rows, isOld) => <CreditNoteTable notes={rows} isOld={isOld} />}
    </Listing>
  );
}

interface CreditNoteTableProps {
  readonly notes: readonly AdminCreditNote[];
  readonly isOld?: boolean;
  readonly hasCustomer?: boolean;
}

/** Credit notes; on the page of their invoice without the customer. */
export function CreditNoteTable({ notes, isOld = false, hasCustomer = true }: CreditNoteTableProps) {
  return (
    <Table
      caption="Credit notes, the newest first"
      rows={notes}
      idOf={({ creditNoteId }) => creditNoteId}
      isOld={isOld}
      columns={(column) => [
        column("Credit note", { isName: true }, (note) => (
          <>
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
          </>
        )),
        hasCustomer && customerColumn,
        column("Reason", { from: 2 }, ({ reason }) => reason),
        column("Issued", { from: 1, look: "quiet" }, ({ createdAt }) => <Day at={createdAt} />),
        column("Refund", { isNumber: true }, ({ amount, currency }) =>
          amount !== null && currency !== null && amount > 0 ? formatMoney(amount, currency) : <None />,
        ),
        column("Credits removed", { isNumber: true, from: 1 }, ({ credits }) => (
          <CreditsOf parts={credits} />
        )),
      ]}
    />
  );
}

/** Credits, an amount for each currency, and how long they last. */
export function CreditsOf({
  parts,
}: {
  readonly parts: readonly {
    readonly credits: number;
    readonly creditCurrencyKey: string;
    readonly terms?: string | undefined;
  }[];
}) {
  if (parts.length === 0) return <None />;
  return parts.map(({ credits, creditCurrencyKey: currency, terms }) => (
    <span key={currency} className="each">
      {formatCredits(credits)} <span className="mono quiet">{currency}</span>
      {terms !== undefined && <span className="sub">{terms}</span>}
    </span>
  ));
}
