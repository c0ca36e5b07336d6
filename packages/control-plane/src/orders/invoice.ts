import { randomUUID } from "node:crypto";
import type { DatabaseTransaction } from "../database/connection.ts";
import { writeEvents } from "../events/outbox.ts";
import type { Entry } from "../wallets/entry.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import { openWallets } from "../wallets/opening.ts";
import type { Credit } from "../wallets/top-up.ts";
import { apply, benefit } from "../wallets/wallet.ts";
import { invoiceEvent, type OrderKey, type Purchase } from "./record.ts";

export interface Refusal {
  readonly reason: "wallet_postpaid" | "out_of_range";
  readonly currency: string;
}

/**
 * Invoices an order: the sum of its fees, which may be nothing. The credits that come with it are pending in prepaid
 * wallets, which are opened where there are none. Says which wallet cannot take them; nothing may be committed then.
 */
export async function openInvoice(
  transaction: DatabaseTransaction,
  order: OrderKey & { readonly lineItems: readonly Purchase[] },
  at: Date,
): Promise<Refusal | undefined> {
  const { orgId, customerId, orderId, lineItems } = order;
  const invoiceId = randomUUID();
  const credits = sumByCurrency(lineItems.flatMap(({ creditBenefits }) => creditBenefits));
  const keys = credits.map(({ currency }) => ({ orgId, customerId, currency }));
  await openWallets(transaction, keys, at);
  // Before the invoice: its number is one lock for the organisation, which no one may hold who waits for a wallet.
  const wallets = await lockWallets(transaction, keys);
  const entries: Entry[] = [];
  for (const { currency, amount } of credits) {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet?.kind !== "prepaid") return { reason: "wallet_postpaid", currency };
    const change = benefit(amount);
    if (!apply(wallet, change)) return { reason: "out_of_range", currency };
    entries.push({ orgId, customerId, currency, cause: "benefit", invoiceId, ...change });
  }

  const fees = lineItems.flatMap(({ platformFee }) => platformFee ?? []);
  const invoice = await transaction
    .insertInto("invoices")
    .values({
      org_id: orgId,
      invoice_id: invoiceId,
      customer_id: customerId,
      order_id: orderId,
      kind: "order",
      status: "open",
      amount: fees.reduce((sum, { amount }) => sum + amount, 0n),
      currency: fees[0]?.currency ?? null,
      credit_currency: null,
      credits: null,
      period_start: null,
      period_end: null,
      created_at: at,
      paid_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
  await writeEvents(transaction, [invoiceEvent("invoice.created", invoice)], at);
  await post(transaction, wallets, entries, at);
  return undefined;
}

/** One amount per currency, in the order in which wallets are locked. */
export function sumByCurrency(credits: readonly Credit[]): Credit[] {
  const sums = new Map<string, bigint>();
  for (const { currency, amount } of credits) sums.set(currency, (sums.get(currency) ?? 0n) + amount);
  return [...sums].map(([currency, amount]) => ({ currency, amount }));
}
