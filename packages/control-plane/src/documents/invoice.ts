import type { Selectable } from "kysely";
import type { Database } from "../database/connection.ts";
import { groupRows } from "../database/group-rows.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { type Issuer, issuerOfDocument } from "../issuers/issuer.ts";
import { formatMoney } from "../money/decimal.ts";
import { creditNoteNumber, invoiceNumber } from "../orders/invoice-record.ts";
import type { Credit } from "../wallets/top-up.ts";
import {
  creditsText,
  type DocumentLine,
  dayOf,
  type OrderedItem,
  orderLines,
  periodLines,
  spanOf,
} from "./lines.ts";
import { documentPage } from "./page.ts";

type Reader = Pick<Database, "selectFrom">;
type Invoice = Selectable<InvoicesTable>;

/** A document to print, or why there is none. */
export type Printed =
  | { readonly printed: true; readonly number: string; readonly page: string }
  | { readonly printed: false; readonly reason: "unknown" | "issuer_missing" };

/** An invoice as a page: as it was issued, with what has become of it since. */
export async function printInvoice(database: Reader, orgId: bigint, invoiceId: string): Promise<Printed> {
  const invoice = await readInvoiceRow(database, orgId, invoiceId);
  if (invoice === undefined) return { printed: false, reason: "unknown" };
  const number = invoiceNumber(invoice.number);
  const issuer = await issuerOfDocument(database, orgId, invoice.issuer_version);
  if (issuer === undefined) return { printed: false, reason: "issuer_missing" };
  const { name: order, items } = await readOrdered(database, invoice);
  const { amount, currency, taxes, credits, credit_currency, names } = invoice;
  const isFree = amount === null || currency === null;
  const used: readonly Credit[] =
    credit_currency === null || credits === null ? [] : [{ currency: credit_currency, amount: credits }];
  const page = documentPage({
    kind: "Invoice",
    number,
    state: stateOf(invoice, issuer),
    issuer,
    customer: invoice.bill_to,
    customerId: invoice.customer_id,
    facts: factsOf(invoice, issuer, order),
    lines: linesOf(invoice, issuer, items),
    money: isFree ? undefined : { amount, currency, taxes },
    creditsTotal: creditsText(used, names),
    remarks: [
      ...(await creditedBy(database, invoice, issuer)),
      ...(invoice.status === "open" && issuer.paymentTerms !== null ? [issuer.paymentTerms] : []),
    ],
  });
  return { printed: true, number, page };
}

export function readInvoiceRow(
  database: Reader,
  orgId: bigint,
  invoiceId: string,
): Promise<Invoice | undefined> {
  return database
    .selectFrom("invoices")
    .selectAll()
    .where("org_id", "=", orgId)
    .where("invoice_id", "=", invoiceId)
    .executeTakeFirst();
}

function stateOf({ status, paid_at, voided_at }: Invoice, { timeZone }: Issuer) {
  const day = (at: Date | null) => (at === null ? "" : ` on ${dayOf(at, timeZone)}`);
  if (status === "paid") return { is: status, text: `Paid${day(paid_at)}` };
  if (status === "void") return { is: status, text: `Voided${day(voided_at)}` };
  return { is: status, text: "Open" };
}

function factsOf(
  { created_at, period_start, period_end }: Invoice,
  { timeZone }: Issuer,
  order: string | undefined,
): readonly (readonly [string, string])[] {
  return [
    ["Date", dayOf(created_at, timeZone)],
    ...(period_start === null || period_end === null
      ? []
      : [["Period", spanOf(period_start, period_end, timeZone)] as const]),
    ...(order === undefined ? [] : [["Order", order] as const]),
  ];
}

function linesOf(
  invoice: Invoice,
  { timeZone }: Issuer,
  items: readonly OrderedItem[],
): readonly DocumentLine[] {
  return invoice.kind === "period" ? periodLines(invoice, timeZone) : orderLines(items, invoice);
}

const mostNotes = 100;

async function creditedBy(
  database: Reader,
  invoice: Invoice,
  { timeZone }: Issuer,
): Promise<readonly string[]> {
  if (invoice.status !== "paid") return [];
  const notes = await database
    .selectFrom("credit_notes")
    .select(["number", "amount", "currency", "created_at"])
    .where("org_id", "=", invoice.org_id)
    .where("invoice_id", "=", invoice.invoice_id)
    .orderBy("created_at")
    .orderBy("credit_note_id")
    .limit(mostNotes)
    .execute();
  return notes.map(({ number, amount, currency, created_at }) => {
    const money =
      amount === null || currency === null ? "" : `: ${currency} ${formatMoney(amount, currency)}`;
    return `Credited by ${creditNoteNumber(number)} on ${dayOf(created_at, timeZone)}${money}`;
  });
}

interface Ordered {
  /** What the order is called; `undefined` for an invoice of a period. */
  readonly name: string | undefined;
  readonly items: readonly OrderedItem[];
}

/** What an invoice is for, where that is an order. */
async function readOrdered(
  database: Pick<Database, "selectFrom">,
  { org_id, order_id, kind }: Selectable<InvoicesTable>,
): Promise<Ordered> {
  if (kind === "period" || order_id === null) return { name: undefined, items: [] };
  const { name } = await database
    .selectFrom("orders")
    .select("name")
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .executeTakeFirstOrThrow();
  const items = await database
    .selectFrom("order_line_items")
    .select(["position", "agent_id", "fee_amount"])
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .orderBy("position")
    .execute();
  const benefits = await database
    .selectFrom("credit_benefits")
    .select(["position", "currency", "amount", "expires_in_days", "every"])
    .where("org_id", "=", org_id)
    .where("order_id", "=", order_id)
    .orderBy("position")
    .orderBy("currency")
    .execute();
  const credits = groupRows(benefits, ({ position }) => String(position));
  return {
    name,
    items: items.map(({ position, agent_id, fee_amount }) => ({
      agentId: agent_id,
      fee: fee_amount,
      credits: credits.get(String(position)) ?? [],
    })),
  };
}
