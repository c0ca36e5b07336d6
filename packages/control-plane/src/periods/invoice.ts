import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { auditAll } from "../audit/audit-log.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { InvoicesTable } from "../database/order-tables.ts";
import { writeEvents } from "../events/outbox.ts";
import { invoiceEvent } from "../orders/record.ts";
import { type Accrued, type Cost, type CostPart, costOf, unitPrices } from "../pricing/unit-price.ts";
import { nameOf, type WalletKey } from "../wallets/entry.ts";
import { lockWallets, post } from "../wallets/ledger.ts";
import { apply, invoiced, type Wallet } from "../wallets/wallet.ts";

export interface Closing {
  readonly orgId: bigint;
  readonly periodEnd: Date;
  readonly now: Date;
  /** Who is named in the audit log. */
  readonly actor: string;
}

export interface ClosedWallets {
  readonly invoices: number;
  /** Wallets that another transaction holds. */
  readonly held: readonly WalletKey[];
}

interface PeriodInvoice extends WalletKey {
  readonly wallet: Wallet;
  readonly invoiceId: string;
  readonly credits: bigint;
  readonly cost: Cost | undefined;
}

/**
 * Closes wallets of one organisation: invoices what they have accrued before the end, leaves the rest on the bill, and
 * moves the instant up to which they are invoiced, all in one transaction. Those that are closed already, by another
 * worker, are left alone, and with `skipLocked` those that another transaction holds. A period without use makes no
 * invoice.
 */
export async function closeWallets(
  transaction: DatabaseTransaction,
  keys: readonly WalletKey[],
  closing: Closing,
  locking: { readonly skipLocked?: boolean } = {},
): Promise<ClosedWallets> {
  const locked = await lockWallets(transaction, keys, locking);
  const found = new Set(locked.map(nameOf));
  const held = keys.filter((key) => !found.has(nameOf(key)));
  return { invoices: await closeLocked(transaction, locked, closing), held };
}

async function closeLocked(
  transaction: DatabaseTransaction,
  locked: readonly Wallet[],
  closing: Closing,
): Promise<number> {
  const { orgId, periodEnd, now, actor } = closing;
  const due = locked.filter(({ kind, accruesFrom }) => kind === "postpaid" && accruesFrom < periodEnd);
  if (due.length === 0) return 0;
  const invoices = await invoicesOf(transaction, due, closing);
  await sql`
    update wallets set accrues_from = ${periodEnd}
      from unnest(${due.map(({ customerId }) => customerId)}::text[],
                  ${due.map(({ currency }) => currency)}::text[]) as due (customer_id, currency)
     where wallets.org_id = ${orgId}
       and (wallets.customer_id, wallets.currency) = (due.customer_id, due.currency)`.execute(transaction);
  if (invoices.length === 0) return 0;
  await insertInvoices(transaction, invoices, closing);
  const records = invoices.map(({ wallet, invoiceId, customerId, currency, credits }) => ({
    orgId,
    actor,
    action: "period.close" as const,
    subject: { customer: customerId, currency },
    before: { postpaid_used: wallet.postpaidUsed },
    after: { invoiceId, postpaid_used: wallet.postpaidUsed - credits },
  }));
  await auditAll(transaction, records, now);
  const entries = invoices.map(({ wallet, invoiceId, customerId, currency, credits }) => {
    const change = invoiced(credits);
    apply(wallet, change);
    return {
      orgId,
      customerId,
      currency,
      cause: "period" as const,
      invoiceId,
      accruedAt: periodEnd,
      ...change,
    };
  });
  await post(
    transaction,
    invoices.map(({ wallet }) => wallet),
    entries,
    now,
  );
  return invoices.length;
}

async function invoicesOf(
  transaction: DatabaseTransaction,
  wallets: readonly Wallet[],
  { orgId, periodEnd }: Closing,
): Promise<readonly PeriodInvoice[]> {
  const currencies = [...new Set(wallets.map(({ currency }) => currency))];
  const prices = await unitPrices(transaction, orgId, currencies, periodEnd);
  const pricesOf = ({ currency }: Wallet) => prices.get(currency) ?? [];
  const changesOf = (wallet: Wallet) =>
    pricesOf(wallet).flatMap(({ validFrom }) => (validFrom > wallet.accruesFrom ? [validFrom] : []));
  // For each wallet what came after the end, and what came after each change of the price before the end.
  const ranges = wallets.flatMap((wallet) => {
    const changes = changesOf(wallet);
    return [
      { wallet, since: periodEnd, until: undefined },
      ...changes.map((since, index) => ({ wallet, since, until: changes[index + 1] ?? periodEnd })),
    ];
  });
  const sums = await accruedIn(transaction, orgId, ranges);
  return wallets.flatMap((wallet): PeriodInvoice[] => {
    const own = ranges.flatMap(({ wallet: other, since }, index) =>
      other === wallet ? [{ since, credits: sums[index] ?? 0n }] : [],
    );
    const [later, ...parts] = own;
    const credits = wallet.postpaidUsed - (later?.credits ?? 0n);
    if (credits <= 0n) return [];
    const cost = costOf(split(credits, wallet, parts), pricesOf(wallet));
    const { customerId, currency } = wallet;
    return [{ orgId, customerId, currency, wallet, invoiceId: randomUUID(), credits, cost }];
  });
}

/** Divides credits among the spans between price changes. What was given back came off the oldest. */
function split(credits: bigint, wallet: Wallet, changes: readonly Accrued[]): readonly Accrued[] {
  let rest = credits;
  const later = changes.toReversed().map(({ since, credits: accrued }): Accrued => {
    const part = accrued < rest ? accrued : rest;
    rest -= part;
    return { since, credits: part };
  });
  return [{ since: wallet.accruesFrom, credits: rest }, ...later];
}

interface Range {
  readonly wallet: Wallet;
  readonly since: Date;
  readonly until: Date | undefined;
}

/** What wallets have accrued in spans of time, in the order of these. */
async function accruedIn(
  transaction: DatabaseTransaction,
  orgId: bigint,
  ranges: readonly Range[],
): Promise<readonly bigint[]> {
  const { rows } = await sql<{ accrued: string }>`
    select coalesce(accrued, 0)::text as accrued
      from unnest(${ranges.map(({ wallet }) => wallet.customerId)}::text[],
                  ${ranges.map(({ wallet }) => wallet.currency)}::text[],
                  ${ranges.map(({ since }) => since)}::timestamptz[],
                  ${ranges.map(({ until }) => until ?? null)}::timestamptz[])
           with ordinality as span (customer_id, currency, since, until, position),
           lateral (select sum(postpaid_used) as accrued from ledger_entries as entry
                     where entry.org_id = ${orgId} and entry.customer_id = span.customer_id
                       and entry.currency = span.currency
                       and accrued_at >= span.since and accrued_at < coalesce(span.until, 'infinity')
                       and postpaid_used <> 0 and cause <> 'period') as sums
     order by position`.execute(transaction);
  return rows.map(({ accrued }) => BigInt(accrued));
}

/** Each is tied to the customer's newest active order, if there is one. */
async function insertInvoices(
  transaction: DatabaseTransaction,
  invoices: readonly PeriodInvoice[],
  { orgId, periodEnd, now }: Closing,
): Promise<void> {
  const { rows } = await sql<Selectable<InvoicesTable>>`
    insert into invoices (org_id, invoice_id, customer_id, order_id, kind, status, amount, currency,
                          credit_currency, credits, parts, period_start, period_end, created_at)
    select ${orgId}, invoice_id, customer_id,
           (select order_id from orders
             where orders.org_id = ${orgId} and orders.customer_id = period.customer_id and status = 'active' and kind <> 'top_up'
             order by activated_at desc, order_id limit 1),
           'period', 'open', amount, currency, credit_currency, credits, parts, period_start,
           ${periodEnd}::timestamptz, ${now}::timestamptz
      from unnest(${invoices.map(({ invoiceId }) => invoiceId)}::uuid[],
                  ${invoices.map(({ customerId }) => customerId)}::text[],
                  ${invoices.map(({ cost }) => cost?.amount ?? null)}::bigint[],
                  ${invoices.map(({ cost }) => cost?.money ?? null)}::text[],
                  ${invoices.map(({ currency }) => currency)}::text[],
                  ${invoices.map(({ credits }) => credits)}::bigint[],
                  ${invoices.map(({ cost }) => (cost === undefined ? null : written(cost.parts)))}::jsonb[],
                  ${invoices.map(({ wallet }) => wallet.accruesFrom)}::timestamptz[])
           as period (invoice_id, customer_id, amount, currency, credit_currency, credits, parts, period_start)
    returning *`.execute(transaction);
  const events = rows.map((invoice) => invoiceEvent("invoice.created", invoice));
  await writeEvents(transaction, events, now);
}

/** As `WrittenPart`. */
function written(parts: readonly CostPart[]): string {
  return JSON.stringify(
    parts.map(({ since, credits, unitAmount, amount }) => ({
      since: since.toISOString(),
      credits: String(credits),
      unitAmount,
      amount: String(amount),
    })),
  );
}
