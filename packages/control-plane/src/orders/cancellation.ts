import type { DatabaseTransaction } from "../database/connection.ts";
import { lockCustomer, lockInvoice } from "../database/locks.ts";
import type { OrderStatus } from "../database/order-tables.ts";
import { voidOpen } from "./invoice-void.ts";

export type Cancellation =
  | { readonly outcome: "cancelled"; readonly invoiceId: string }
  | { readonly outcome: "cancelled_before" | "order_unknown" }
  | { readonly outcome: "not_pending"; readonly status: OrderStatus };

/** Cancels an order that is not active yet, once: its invoice, which is open, is void then. */
export async function cancelOrder(
  transaction: DatabaseTransaction,
  orgId: bigint,
  orderId: string,
  at: Date,
): Promise<Cancellation> {
  const order = transaction
    .selectFrom("orders")
    .select(["customer_id", "status"])
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId);
  const found = await order.executeTakeFirst();
  if (found === undefined) return { outcome: "order_unknown" };
  await lockCustomer(transaction, orgId, found.customer_id);
  const { status } = await order.executeTakeFirstOrThrow();
  if (status === "cancelled") return { outcome: "cancelled_before" };
  if (status !== "pending") return { outcome: "not_pending", status };
  const { invoice_id: invoiceId } = await transaction
    .selectFrom("invoices")
    .select("invoice_id")
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .where("kind", "=", "order")
    .executeTakeFirstOrThrow();
  const invoice = await lockInvoice(transaction, orgId, invoiceId);
  if (invoice?.status !== "open")
    throw new Error(`The invoice of order ${orderId}, which is pending, is not open.`);
  await voidOpen(transaction, invoice, "rebilled", at);
  return { outcome: "cancelled", invoiceId };
}
