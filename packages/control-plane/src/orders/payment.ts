import type { DatabaseTransaction } from "../database/connection.ts";
import { lockInvoice } from "../database/locks.ts";
import { writeEvents } from "../events/outbox.ts";
import type { Entry } from "../wallets/entry.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import type { Credit } from "../wallets/top-up.ts";
import { apply, release } from "../wallets/wallet.ts";
import { activeOrders } from "./creation.ts";
import { sumByCurrency } from "./invoice.ts";
import { invoiceEvent, type OrderKey, orderEvent } from "./record.ts";

type Payment = "paid" | "paid_before" | "invoice_unknown" | "invoice_void" | "out_of_range";

/**
 * Marks an invoice paid, once: its credits become available, its pending order active, and the orders that this one
 * replaces superseded.
 */
export async function markPaid(
  transaction: DatabaseTransaction,
  orgId: bigint,
  invoiceId: string,
  at: Date,
): Promise<Payment> {
  const invoice = await lockInvoice(transaction, orgId, invoiceId);
  if (invoice === undefined) return "invoice_unknown";
  if (invoice.status === "paid") return "paid_before";
  if (invoice.status === "void") return "invoice_void";
  const paid = await transaction
    .updateTable("invoices")
    .set({ status: "paid", paid_at: at })
    .where("org_id", "=", orgId)
    .where("invoice_id", "=", invoiceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeEvents(transaction, [invoiceEvent("invoice.paid", paid)], at);
  const { customer_id: customerId, order_id: orderId, kind } = invoice;
  if (kind === "period" || orderId === null) return "paid";
  const released = await releaseBenefits(transaction, { orgId, customerId, orderId, invoiceId }, at);
  if (!released) return "out_of_range";
  await activate(transaction, { orgId, customerId, orderId }, at);
  return "paid";
}

async function releaseBenefits(
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId, invoiceId }: OrderKey & { readonly invoiceId: string },
  at: Date,
): Promise<boolean> {
  const credits = await benefitsOf(transaction, orgId, orderId);
  const wallets = await lockWallets(
    transaction,
    credits.map(({ currency }) => ({ orgId, customerId, currency })),
  );
  const entries: Entry[] = [];
  for (const { currency, amount } of credits) {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) throw new Error(`The wallet of the benefits in ${currency} is gone.`);
    const change = release(wallet, amount);
    if (!apply(wallet, change)) return false;
    entries.push({ orgId, customerId, currency, cause: "payment", invoiceId, ...change });
  }
  await post(transaction, wallets, entries, at);
  return true;
}

async function activate(
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId }: OrderKey,
  at: Date,
): Promise<void> {
  const items = await transaction
    .selectFrom("order_line_items")
    .select("agent_id")
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  const agentIds = items.flatMap(({ agent_id }) => agent_id ?? []);
  const replaced = await activeOrders(transaction, orgId, customerId, agentIds);
  if (replaced.length > 0) {
    await transaction
      .updateTable("orders")
      .set({ status: "superseded", superseded_by: orderId, superseded_at: at })
      .where("org_id", "=", orgId)
      .where("order_id", "in", replaced)
      .execute();
  }
  await transaction
    .updateTable("orders")
    .set({ status: "active", activated_at: at })
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  await writeEvents(
    transaction,
    [await orderEvent("order.activated", transaction, { orgId, customerId, orderId })],
    at,
  );
}

/** The credits that come with an order, one amount per currency. */
export async function benefitsOf(
  transaction: DatabaseTransaction,
  orgId: bigint,
  orderId: string,
): Promise<readonly Credit[]> {
  const benefits = await transaction
    .selectFrom("credit_benefits")
    .select(["currency", "amount"])
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  return sumByCurrency(benefits);
}
