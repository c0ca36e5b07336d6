import type { Selectable } from "kysely";
import type { DatabaseTransaction } from "./connection.ts";
import type { InvoicesTable } from "./order-tables.ts";
import type { Tables } from "./tables.ts";

/** Lets one transaction at a time change what an organisation has. Usage, money and lists do not wait for it. */
export function lockOrganization(
  transaction: DatabaseTransaction,
  orgId: bigint,
): Promise<Selectable<Tables["organizations"]>> {
  return transaction
    .selectFrom("organizations")
    .selectAll()
    .where("org_id", "=", orgId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}

/**
 * Lets one transaction at a time change the orders of a customer; it comes before the locks of wallets. Usage and
 * top-ups do not wait for it. `false` where there is no such customer.
 */
export async function lockCustomer(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
): Promise<boolean> {
  const customer = await transaction
    .selectFrom("customers")
    .select("external_id")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return customer !== undefined;
}

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
