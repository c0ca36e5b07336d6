import type { Selectable } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { lockInvoice } from "../database/locks.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { writeEvents } from "../events/outbox.ts";
import type { Entry } from "../wallets/entry.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import { apply, rebilled, withdrawn } from "../wallets/wallet.ts";
import { benefitsOf } from "./payment.ts";
import { invoiceEvent, noteOrder } from "./record.ts";

type Invoice = Selectable<InvoicesTable>;

/** What becomes of what a period's invoice has billed: it is on the next invoice of its wallet, or on none. */
export type VoidedUsage = "rebilled" | "forgiven";

export type Voiding =
  | { readonly outcome: "voided" | "voided_before"; readonly invoice: Invoice }
  | { readonly outcome: "voided_otherwise"; readonly usage: VoidedUsage | null }
  | { readonly outcome: "invoice_unknown" | "invoice_paid" | "not_of_period" | "out_of_range" };

/**
 * Voids an invoice that is open, once. That of an order takes its pending credits back, and cancels the order, which is not
 * active before it is paid. That of a period puts what it has billed on the bill again, unless it is to be forgiven. The
 * transaction must not be committed where it is refused.
 */
export async function voidInvoice(
  transaction: DatabaseTransaction,
  {
    orgId,
    invoiceId,
    usage,
  }: { readonly orgId: bigint; readonly invoiceId: string; readonly usage?: VoidedUsage | undefined },
  at: Date,
): Promise<Voiding> {
  const invoice = await lockInvoice(transaction, orgId, invoiceId);
  if (invoice === undefined) return { outcome: "invoice_unknown" };
  if (invoice.kind === "order" && usage !== undefined) return { outcome: "not_of_period" };
  if (invoice.status === "paid") return { outcome: "invoice_paid" };
  if (invoice.status === "void") {
    const isSame = usage === undefined || usage === invoice.voided_usage;
    return isSame
      ? { outcome: "voided_before", invoice }
      : { outcome: "voided_otherwise", usage: invoice.voided_usage };
  }
  return voidOpen(transaction, invoice, usage ?? "rebilled", at);
}

/** Voids an invoice that is open and locked. */
export async function voidOpen(
  transaction: DatabaseTransaction,
  invoice: Invoice,
  usage: VoidedUsage,
  at: Date,
): Promise<Voiding> {
  const { org_id: orgId, invoice_id: invoiceId, kind } = invoice;
  const voided = await transaction
    .updateTable("invoices")
    .set({ status: "void", voided_at: at, voided_usage: kind === "period" ? usage : null })
    .where("org_id", "=", orgId)
    .where("invoice_id", "=", invoiceId)
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeEvents(transaction, [invoiceEvent("invoice.voided", voided)], at);
  if (kind === "order") {
    await withdrawCredits(transaction, invoice, at);
    await cancelOrder(transaction, invoice, at);
  } else if (usage === "rebilled" && !(await rebill(transaction, invoice, at))) {
    return { outcome: "out_of_range" };
  }
  return { outcome: "voided", invoice: voided };
}

async function withdrawCredits(transaction: DatabaseTransaction, invoice: Invoice, at: Date): Promise<void> {
  const { org_id: orgId, invoice_id: invoiceId, customer_id: customerId, order_id: orderId } = invoice;
  const credits = orderId === null ? [] : await benefitsOf(transaction, orgId, orderId);
  const keys = credits.map(({ currency }) => ({ orgId, customerId, currency }));
  const wallets = await lockWallets(transaction, keys);
  const entries = credits.map(({ currency, amount }): Entry => {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) throw new Error(`The wallet of the benefits in ${currency} is gone.`);
    const change = withdrawn(amount);
    apply(wallet, change);
    return { orgId, customerId, currency, cause: "void", invoiceId, ...change };
  });
  await post(transaction, wallets, entries, at);
}

async function cancelOrder(
  transaction: DatabaseTransaction,
  { org_id: orgId, customer_id: customerId, order_id: orderId }: Invoice,
  at: Date,
): Promise<void> {
  if (orderId === null) return;
  await transaction
    .updateTable("orders")
    .set({ status: "cancelled", cancelled_at: at })
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .execute();
  await noteOrder("order.cancelled", transaction, { orgId, customerId, orderId }, at);
}

/** It counts from where the wallet is invoiced up to, as late usage does: no invoice that is made already changes. */
async function rebill(transaction: DatabaseTransaction, invoice: Invoice, at: Date): Promise<boolean> {
  const { org_id: orgId, invoice_id: invoiceId, customer_id: customerId } = invoice;
  const { credit_currency: currency, credits } = invoice;
  if (currency === null || credits === null) throw new Error(`Invoice ${invoiceId} is of no period.`);
  const [wallet] = await lockWallets(transaction, [{ orgId, customerId, currency }]);
  if (wallet === undefined) throw new Error(`The wallet of invoice ${invoiceId} is gone.`);
  const change = rebilled(credits);
  if (!apply(wallet, change)) return false;
  const accruedAt = wallet.accruesFrom;
  const entry: Entry = { orgId, customerId, currency, cause: "void", invoiceId, accruedAt, ...change };
  await post(transaction, [wallet], [entry], at);
  return true;
}
