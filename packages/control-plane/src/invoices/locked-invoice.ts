import type { Selectable } from "kysely";
import { lockCustomer } from "../customers/customer-lock.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { InvoicesTable } from "../database/order-tables.ts";

/**
 * Locks an invoice for a change, after its customer: what happens to the orders and invoices of one customer comes one
 * after the other. `undefined` where the organisation has no such invoice.
 */
export async function lockInvoice(
  transaction: DatabaseTransaction,
  orgId: bigint,
  invoiceId: string,
): Promise<Selectable<InvoicesTable> | undefined> {
  const invoice = transaction
    .selectFrom("invoices")
    .where("org_id", "=", orgId)
    .where("invoice_id", "=", invoiceId);
  const found = await invoice.select("customer_id").executeTakeFirst();
  if (found === undefined) return undefined;
  await lockCustomer(transaction, orgId, found.customer_id);
  return invoice.selectAll().forNoKeyUpdate().executeTakeFirstOrThrow();
}
