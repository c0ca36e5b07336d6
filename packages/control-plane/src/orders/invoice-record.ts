import type { Selectable } from "kysely";
import type { Database } from "../database/connection.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import type { JsonObject } from "../http/json.ts";
import { cut, type ListPart, older, type Place, placeOf } from "../lists/keyset.ts";

/** The number of an invoice, as it is shown. Each organisation counts by itself, without gaps. */
export function invoiceNumber(number: bigint): string {
  return `INV-${number}`;
}

/** The number of a credit note, as it is shown: a series of its own. */
export function creditNoteNumber(number: bigint): string {
  return `CN-${number}`;
}

type Reader = Pick<Database, "selectFrom">;

/** Which invoices: of an order, of a customer, or one. */
interface InvoiceSelection {
  readonly invoiceId?: string;
  readonly orderId?: string;
  readonly customerId?: string | undefined;
  /** At most this many. */
  readonly limit?: number;
  /** Only those that come after. */
  readonly after?: Place | undefined;
}

/** A part of the invoices of an order or of a customer, as `/api/v1` answers it. */
export async function listInvoices(
  database: Reader,
  orgId: bigint,
  which: Pick<InvoiceSelection, "orderId" | "customerId">,
  part: ListPart,
): Promise<{ readonly invoices: readonly JsonObject[]; readonly next: string | null }> {
  const after = await placeOf(database, "invoices", orgId, part);
  const found = await selectInvoices(database, orgId, { ...which, after, limit: part.limit + 1 });
  const { rows, next } = cut(found, part, ({ invoice_id }) => invoice_id);
  return { invoices: rows.map((row) => publicInvoice(invoiceRecord(row))), next };
}

/** Invoices as the admin API answers them, the newest first. */
export async function readInvoices(
  database: Reader,
  orgId: bigint,
  which: InvoiceSelection,
): Promise<JsonObject[]> {
  return (await selectInvoices(database, orgId, which)).map(invoiceRecord);
}

function selectInvoices(
  database: Reader,
  orgId: bigint,
  which: InvoiceSelection,
): Promise<Selectable<InvoicesTable>[]> {
  let query = database
    .selectFrom("invoices")
    .selectAll()
    .where("org_id", "=", orgId)
    .orderBy("created_at", "desc")
    .orderBy("invoice_id", "desc");
  if (which.invoiceId !== undefined) query = query.where("invoice_id", "=", which.invoiceId);
  if (which.orderId !== undefined) query = query.where("order_id", "=", which.orderId);
  if (which.customerId !== undefined) query = query.where("customer_id", "=", which.customerId);
  if (which.limit !== undefined) query = query.limit(which.limit);
  if (which.after !== undefined) query = query.where(older("invoice_id", which.after));
  return query.execute();
}

/** An invoice as the admin API answers it: money is an integer of minor units, credits are credits. */
export function invoiceRecord(invoice: Selectable<InvoicesTable>): JsonObject {
  return {
    invoiceId: invoice.invoice_id,
    number: invoiceNumber(invoice.number),
    customerExternalId: invoice.customer_id,
    orderId: invoice.order_id,
    type: invoice.kind,
    status: invoice.status,
    amount: invoice.amount === null ? null : Number(invoice.amount),
    currency: invoice.currency,
    creditCurrencyKey: invoice.credit_currency,
    credits: invoice.credits,
    periodStart: invoice.period_start?.toISOString() ?? null,
    periodEnd: invoice.period_end?.toISOString() ?? null,
    createdAt: invoice.created_at.toISOString(),
    paidAt: invoice.paid_at?.toISOString() ?? null,
    voidedAt: invoice.voided_at?.toISOString() ?? null,
    voidedUsage: invoice.voided_usage,
    creditedAmount: Number(invoice.credited_amount),
    ...taxRecord(invoice),
  };
}

/** An invoice as `/api/v1` answers it (4.4), where a currency has the name that it has in top-ups. */
export function publicInvoice(invoice: JsonObject): JsonObject {
  const named = Object.entries(invoice).map(([name, value]) => [
    name === "creditCurrencyKey" ? "credit_currency_key" : name,
    value,
  ]);
  return Object.fromEntries(named);
}

/** What of an amount is tax, as the API answers it. */
export function taxRecord({ tax_amount, taxes }: Pick<Selectable<InvoicesTable>, "tax_amount" | "taxes">): {
  readonly taxAmount: number | null;
  readonly taxes: readonly TaxLine[] | null;
} {
  return {
    taxAmount: tax_amount === null ? null : Number(tax_amount),
    taxes:
      taxes?.map(({ name, basisPoints, amount }) => ({ name, basisPoints, amount: Number(amount) })) ?? null,
  };
}

/** A type, not an interface, so that it is JSON. */
export type TaxLine = { readonly name: string; readonly basisPoints: number; readonly amount: number };
