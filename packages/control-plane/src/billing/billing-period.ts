import { randomUUID } from "node:crypto";
import { sql } from "kysely";
import { audit } from "../audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { type Entry, lockWallets, post, type WalletKey } from "./ledger.ts";
import { type PeriodSettings, periodStart } from "./period-settings.ts";
import { apply, reset } from "./wallet.ts";

export interface ClosingOptions {
  readonly database: Database;
  readonly defaults: PeriodSettings;
  readonly now: Date;
  /** Only this organisation. */
  readonly orgId?: bigint;
  /** Ends the running period now, instead of where it ends by the calendar. */
  readonly early?: boolean;
  /** Who is named in the audit log. */
  readonly actor: string;
  /** Wallets per transaction. */
  readonly batchSize?: number;
}

interface DueWallet extends WalletKey {
  readonly accruesFrom: Date;
  readonly boundary: Date;
}

/**
 * Invoices what postpaid wallets have accrued up to the last boundary of their organisation's periods; resolves how
 * many invoices. Each wallet keeps the instant up to which it is invoiced, and that moves forward together with the
 * invoice and the entry that resets it: whoever comes second, or again, or with a clock set back, finds nothing due.
 */
export async function closePeriods(options: ClosingOptions): Promise<number> {
  let invoices = 0;
  for (;;) {
    const batch = await options.database
      .transaction()
      .execute((transaction) => closeBatch(transaction, options));
    invoices += batch.invoices;
    if (batch.wallets === 0) return invoices;
  }
}

async function closeBatch(
  transaction: DatabaseTransaction,
  options: ClosingOptions,
): Promise<{ readonly wallets: number; readonly invoices: number }> {
  const due = await lockDue(transaction, options);
  if (due.length === 0) return { wallets: 0, invoices: 0 };
  await sql`
    update wallets set accrues_from = due.boundary
      from unnest(${due.map((wallet) => wallet.orgId)}::bigint[],
                  ${due.map((wallet) => wallet.customerId)}::text[],
                  ${due.map((wallet) => wallet.currency)}::text[],
                  ${due.map((wallet) => wallet.boundary)}::timestamptz[])
           as due (org_id, customer_id, currency, boundary)
     where (wallets.org_id, wallets.customer_id, wallets.currency)
         = (due.org_id, due.customer_id, due.currency)`.execute(transaction);
  const wallets = await lockWallets(transaction, due);
  const entries: Entry[] = [];
  for (const wallet of wallets) {
    const period = due.find((candidate) => isSame(candidate, wallet));
    // A period without use makes no invoice.
    if (period === undefined || wallet.postpaidUsed === 0n) continue;
    const invoiceId = randomUUID();
    await insertInvoice(transaction, { ...period, invoiceId, credits: wallet.postpaidUsed }, options);
    const change = reset(wallet);
    apply(wallet, change);
    const { orgId, customerId, currency } = period;
    entries.push({ orgId, customerId, currency, cause: "period", invoiceId, ...change });
  }
  await post(transaction, wallets, entries, options.now);
  return { wallets: due.length, invoices: entries.length };
}

/** Waits for whoever holds a wallet, and looks again then: a wallet that was closed meanwhile is due no more. */
async function lockDue(
  transaction: DatabaseTransaction,
  { defaults, now, orgId, early = false, batchSize = 200 }: ClosingOptions,
): Promise<readonly DueWallet[]> {
  const boundary = early ? sql<Date>`${now}::timestamptz` : periodStart(defaults, now);
  const { rows } = await sql<DueWallet>`
    select wallets.org_id as "orgId", customer_id as "customerId", currency,
           accrues_from as "accruesFrom", closing.boundary
      from wallets
      join (select org_id, ${boundary} as boundary from organizations
             where ${orgId ?? null}::bigint is null or org_id = ${orgId ?? null}) as closing using (org_id)
     where kind = 'postpaid' and accrues_from < closing.boundary
     order by wallets.org_id, customer_id, currency
     limit ${batchSize}
       for no key update of wallets`.execute(transaction);
  return rows;
}

interface PeriodInvoice extends DueWallet {
  readonly invoiceId: string;
  readonly credits: bigint;
}

/** Priced where the currency has a price in money; tied to the customer's newest active order, if there is one. */
async function insertInvoice(
  transaction: DatabaseTransaction,
  { orgId, customerId, currency, invoiceId, credits, accruesFrom, boundary }: PeriodInvoice,
  { now, actor }: ClosingOptions,
): Promise<void> {
  await sql`
    insert into invoices (org_id, invoice_id, customer_id, order_id, kind, status, amount, currency,
                          credit_currency, credits, period_start, period_end, created_at)
    select ${orgId}, ${invoiceId}, ${customerId},
           (select order_id from orders
             where org_id = ${orgId} and customer_id = ${customerId} and status = 'active'
             order by activated_at desc, order_id limit 1),
           'period', 'open', ceil(unit_amount * ${credits}::bigint / 1000000), unit_currency,
           currency, ${credits}::bigint, ${accruesFrom}, ${boundary}, ${now}
      from currencies where org_id = ${orgId} and currency = ${currency}`.execute(transaction);
  const after = { invoiceId, postpaid_used: 0n };
  const change = { subject: { customer: customerId, currency }, before: { postpaid_used: credits }, after };
  await audit(transaction, { orgId, actor, action: "period.close", ...change }, now);
}

function isSame(a: WalletKey, b: WalletKey): boolean {
  return a.orgId === b.orgId && a.customerId === b.customerId && a.currency === b.currency;
}
