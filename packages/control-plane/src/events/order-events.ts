import type { Selectable } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { invoiceRecord } from "../invoices/record.ts";
import { type OrderKey, readOrderHead } from "../orders/record.ts";
import type { Event } from "./event.ts";

/** What happened to an invoice. One of a period is its wallet's, one of an order the customer's. */
export function invoiceEvent(
  type: "invoice.created" | "invoice.paid" | "invoice.voided",
  invoice: Selectable<InvoicesTable>,
): Event {
  const { org_id: orgId, customer_id: customerId, credit_currency } = invoice;
  return { orgId, type, customerId, currency: credit_currency ?? undefined, data: invoiceRecord(invoice) };
}

/** What happened to an order. */
export async function orderEvent(
  type: "order.activated" | "order.cancelled",
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId }: OrderKey,
): Promise<Event> {
  const data = await readOrderHead(transaction, orgId, orderId);
  return { orgId, type, customerId, data };
}
