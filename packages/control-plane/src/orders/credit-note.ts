import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { lockInvoice } from "../database/locks.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { writeEvents } from "../events/outbox.ts";
import { advance, endAllowances } from "../wallets/allowances.ts";
import type { Entry } from "../wallets/entry.ts";
import { grantsOf, pay, takeFrom } from "../wallets/grants.ts";
import { lockWallets, post, unsettledOf } from "../wallets/ledger.ts";
import type { Credit } from "../wallets/top-up.ts";
import type { Wallet } from "../wallets/wallet.ts";
import { type CreditNoteRecord, readCreditNote } from "./credit-note-record.ts";
import { sumByCurrency } from "./invoice.ts";
import { benefitsOf, isGranted, readBenefits, sumOf } from "./payment.ts";

type Invoice = Selectable<InvoicesTable>;

/** Without amount and credits: all that is left of the invoice. */
export interface NewCreditNote {
  readonly orgId: bigint;
  readonly invoiceId: string;
  /** Minor units that the customer is owed. */
  readonly amount?: bigint | undefined;
  /** What is taken back. */
  readonly credits?: readonly Credit[] | undefined;
  readonly reason: string;
}

export type CreditReceipt =
  | {
      readonly credited: true;
      readonly note: CreditNoteRecord;
      readonly before: bigint;
      readonly after: bigint;
    }
  | { readonly credited: false; readonly reason: "invoice_unknown" | "nothing_left" }
  | { readonly credited: false; readonly reason: "not_paid"; readonly status: string }
  | { readonly credited: false; readonly reason: "amount_above_invoice"; readonly left: bigint }
  | {
      readonly credited: false;
      /** More than the invoice gave, or more than the wallet has left of it. */
      readonly reason: "credits_above_invoice" | "credits_used";
      readonly currency: string;
      readonly left: bigint;
    };

/**
 * Credits an invoice that is paid, in whole or in part, never above it. The money is owed to the customer: paying it back is
 * the payment provider's. Credits that came with an order leave the wallet, as far as they are there: what has been used
 * is refused, so that no wallet falls below zero; of what is a grant or an allowance no more than what remains of it, and that
 * ends. Those of a period have left their wallet when they were invoiced.
 */
export async function creditInvoice(
  transaction: DatabaseTransaction,
  { orgId, invoiceId, reason, ...asked }: NewCreditNote,
  at: Date,
): Promise<CreditReceipt> {
  const invoice = await lockInvoice(transaction, orgId, invoiceId);
  if (invoice === undefined) return { credited: false, reason: "invoice_unknown" };
  if (invoice.status !== "paid") return { credited: false, reason: "not_paid", status: invoice.status };
  const rest = await restOf(transaction, invoice);
  const isWhole = asked.amount === undefined && asked.credits === undefined;
  const amount = isWhole ? rest.amount : (asked.amount ?? 0n);
  const credits = isWhole ? rest.credits : sumByCurrency(asked.credits ?? []);
  if (amount > rest.amount) return { credited: false, reason: "amount_above_invoice", left: rest.amount };
  for (const { currency, amount: taken } of credits) {
    const left = rest.credits.find((candidate) => candidate.currency === currency)?.amount ?? 0n;
    if (taken > left) return { credited: false, reason: "credits_above_invoice", currency, left };
  }
  if (amount === 0n && credits.length === 0) return { credited: false, reason: "nothing_left" };

  const creditNoteId = randomUUID();
  const taken =
    invoice.kind === "order"
      ? await takeBack(transaction, { invoice, creditNoteId, credits }, at)
      : { wallets: [], entries: [] };
  if ("left" in taken) return { credited: false, reason: "credits_used", ...taken };
  // After the locks of wallets: its number is one lock for the organisation, which no one may hold who waits for a wallet.
  await insertNote(transaction, { invoice, creditNoteId, amount, credits, reason }, at);
  await post(transaction, taken.wallets, taken.entries, at);
  const note = await readCreditNote(transaction, orgId, creditNoteId);
  const { customer_id: customerId, credit_currency: currency } = invoice;
  const event = { orgId, type: "invoice.credited" as const, customerId, data: { ...note } };
  await writeEvents(transaction, [{ ...event, currency: currency ?? undefined }], at);
  const before = invoice.credited_amount;
  return { credited: true, note, before, after: before + amount };
}

interface Rest {
  readonly amount: bigint;
  readonly credits: readonly Credit[];
}

/** What of an invoice no credit note has credited yet. */
async function restOf(transaction: DatabaseTransaction, invoice: Invoice): Promise<Rest> {
  const { org_id: orgId, invoice_id: invoiceId } = invoice;
  const { rows: credited } = await sql<Credit>`
    select part.currency, sum(part.amount)::bigint as amount
      from credit_notes as note join credit_note_credits as part using (org_id, credit_note_id)
     where note.org_id = ${orgId} and note.invoice_id = ${invoiceId}
     group by part.currency`.execute(transaction);
  const credits = (await billedCredits(transaction, invoice)).flatMap(({ currency, amount }) => {
    const before = credited.find((candidate) => candidate.currency === currency)?.amount ?? 0n;
    return amount > before ? [{ currency, amount: amount - before }] : [];
  });
  return { amount: (invoice.amount ?? 0n) - invoice.credited_amount, credits };
}

/** The credits that came with an order, or those that a period had used. */
async function billedCredits(transaction: DatabaseTransaction, invoice: Invoice): Promise<readonly Credit[]> {
  const { org_id: orgId, kind, order_id, credit_currency, credits } = invoice;
  if (kind === "order") return order_id === null ? [] : benefitsOf(transaction, orgId, order_id);
  return credit_currency === null || credits === null ? [] : [{ currency: credit_currency, amount: credits }];
}

interface Note {
  readonly invoice: Invoice;
  readonly creditNoteId: string;
  readonly amount: bigint;
  readonly credits: readonly Credit[];
  readonly reason: string;
}

async function insertNote(
  transaction: DatabaseTransaction,
  { invoice, creditNoteId, amount, credits, reason }: Note,
  at: Date,
): Promise<void> {
  const { org_id, invoice_id, customer_id, currency } = invoice;
  const of = { org_id, credit_note_id: creditNoteId };
  const money = invoice.amount === null ? { amount: null, currency: null } : { amount, currency };
  await transaction
    .insertInto("credit_notes")
    .values({ ...of, invoice_id, customer_id, ...money, reason, created_at: at })
    .execute();
  const parts = credits.map((part) => ({ ...of, ...part }));
  if (parts.length > 0) await transaction.insertInto("credit_note_credits").values(parts).execute();
  if (amount === 0n) return;
  await transaction
    .updateTable("invoices")
    .set({ credited_amount: invoice.credited_amount + amount })
    .where("org_id", "=", org_id)
    .where("invoice_id", "=", invoice_id)
    .execute();
}

interface Used {
  readonly currency: string;
  readonly left: bigint;
}

interface TakenBack {
  readonly wallets: readonly Wallet[];
  readonly entries: readonly Entry[];
}

/** Takes credits out of wallets, to be posted; says which has less left. What is accepted and not debited yet is used, too. */
async function takeBack(
  transaction: DatabaseTransaction,
  { invoice, creditNoteId, credits }: Pick<Note, "invoice" | "creditNoteId" | "credits">,
  at: Date,
): Promise<Used | TakenBack> {
  const { org_id: orgId, customer_id: customerId, order_id: orderId } = invoice;
  const keys = credits.map(({ currency }) => ({ orgId, customerId, currency }));
  const wallets = await lockWallets(transaction, keys);
  const benefits = orderId === null ? [] : await readBenefits(transaction, { orgId, orderId });
  const entries: Entry[] = [];
  for (const { currency, amount } of credits) {
    const wallet = wallets.find((candidate) => candidate.currency === currency);
    if (wallet === undefined) throw new Error(`The wallet of the benefits in ${currency} is gone.`);
    // What has expired pays no money back.
    const due = await advance(transaction, wallet, at);
    entries.push(...due.entries);
    const own = benefits.filter((benefit) => benefit.currency === currency);
    const grants = grantsOf(wallet, orderId);
    const given = sumOf(own.filter((benefit) => !isGranted(benefit)));
    const most = grants.reduce((sum, { remaining }) => sum + remaining, given);
    const unspent = wallet.available - (await unsettledOf(transaction, wallet));
    const left = [most, unspent].reduce((least, one) => (one < least ? one : least), amount);
    if (amount > left) return { currency, left: left > 0n ? left : 0n };
    const of = { orgId, customerId, currency, cause: "credit_note", creditNoteId } as const;
    const parts = takeFrom(wallet, grants, amount);
    entries.push(...parts.map(({ grantId, change }) => ({ ...of, grantId, ...change })));
    const rest = parts.reduce((sum, { change }) => sum + change.available, amount);
    const paid = rest === 0n ? undefined : pay(wallet, rest, at);
    if (paid !== undefined) entries.push(...paid.returned, { ...of, ...paid.change });
    else if (rest > 0n) throw new Error(`The wallet in ${currency} cannot give ${rest} back.`);
    await endAllowances(
      transaction,
      orgId,
      due.allowances.filter((allowance) => allowance.orderId === orderId),
    );
  }
  return { wallets, entries };
}
