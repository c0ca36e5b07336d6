import type { Database } from "../database/connection.ts";
import { issuerOfDocument } from "../issuers/issuer.ts";
import { formatMoney } from "../money/decimal.ts";
import { creditNoteNumber, invoiceNumber } from "../orders/invoice-record.ts";
import { type Printed, readInvoiceRow } from "./invoice.ts";
import { creditsText, dayOf } from "./lines.ts";
import { documentPage } from "./page.ts";

/** A credit note as a page: to whom its invoice is, by whom it was issued itself. */
export async function printCreditNote(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  creditNoteId: string,
): Promise<Printed> {
  const note = await database
    .selectFrom("credit_notes")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("credit_note_id", "=", creditNoteId)
    .executeTakeFirst();
  const invoice = note && (await readInvoiceRow(database, orgId, note.invoice_id));
  if (note === undefined || invoice === undefined) return { printed: false, reason: "unknown" };
  const of = invoiceNumber(invoice.number);
  const issuer = await issuerOfDocument(database, orgId, note.issuer_version);
  if (issuer === undefined) return { printed: false, reason: "issuer_missing" };
  const credits = await database
    .selectFrom("credit_note_credits")
    .select(["currency", "amount"])
    .where("org_id", "=", orgId)
    .where("credit_note_id", "=", creditNoteId)
    .orderBy("currency")
    .execute();

  const number = creditNoteNumber(note.number);
  const { amount, currency, taxes } = note;
  const money = amount === null || currency === null ? undefined : { amount, currency, taxes };
  const text = creditsText(credits, invoice.names);
  const price = money === undefined ? {} : { amount: formatMoney(money.amount, money.currency) };
  const page = documentPage({
    kind: "Credit note",
    number,
    issuer,
    customer: invoice.bill_to,
    customerId: note.customer_id,
    facts: [
      ["Date", dayOf(note.created_at, issuer.timeZone)],
      ["Credits invoice", `${of} of ${dayOf(invoice.created_at, issuer.timeZone)}`],
    ],
    lines: [
      {
        description: `Credit for invoice ${of}`,
        ...(text === "" ? {} : { detail: `${text} taken back` }),
        quantity: "1",
        ...price,
      },
    ],
    money,
    creditsTotal: text,
    remarks: [],
  });
  return { printed: true, number, page };
}
