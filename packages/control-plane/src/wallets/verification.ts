import { sql } from "kysely";
import { journalDifferences } from "../books/verification.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { invoiceDifferences } from "../invoices/verification.ts";
import { customerMonths, usageSums } from "../usage/verification.ts";
import type { Difference } from "./difference.ts";

export interface Verification {
  readonly organizations: bigint;
  readonly wallets: bigint;
  readonly entries: bigint;
  readonly differences: readonly Difference[];
}

/**
 * Computes all balances again from the entries of the ledger, and compares what has entries with them: usage that was
 * settled, periods that were closed. The journals of the books are balanced, and come to the wallets and the open invoices. So are the sums of usage with its events. It reads one instant of the database, and changes nothing.
 */
export function verify(database: Database): Promise<Verification> {
  return database
    .transaction()
    .setIsolationLevel("repeatable read")
    .setAccessMode("read only")
    .execute(async (transaction) => {
      const { rows } = await sql<Omit<Verification, "differences">>`
        select (select count(*) from organizations) as organizations,
               (select count(*) from wallets) as wallets,
               (select count(*) from ledger_entries) as entries`.execute(transaction);
      const [counts = { organizations: 0n, wallets: 0n, entries: 0n }] = rows;
      const differences = [
        ...(await wallets(transaction)),
        ...(await usage(transaction)),
        ...(await periods(transaction)),
        ...(await periodEnds(transaction)),
        ...(await invoiceDifferences(transaction)),
        ...(await journalDifferences(transaction)),
        ...(await usageSums(transaction)),
        ...(await customerMonths(transaction)),
      ];
      return { ...counts, differences };
    });
}

async function wallets(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    select 'wallet' as what, org_id as "orgId", jsonb_build_array(customer_id, currency)::text as subject,
           row(sums.available, sums.pending, sums.overage_used, sums.postpaid_used)::text as expected,
           row(wallets.available, wallets.pending, wallets.overage_used, wallets.postpaid_used)::text as received
      from wallets,
           lateral (select coalesce(sum(entry.available), 0) as available, coalesce(sum(entry.pending), 0) as pending,
                           coalesce(sum(entry.overage_used), 0) as overage_used,
                           coalesce(sum(entry.postpaid_used), 0) as postpaid_used
                      from ledger_entries as entry
                     where (entry.org_id, entry.customer_id, entry.currency)
                         = (wallets.org_id, wallets.customer_id, wallets.currency)) as sums
     where (wallets.available, wallets.pending, wallets.overage_used, wallets.postpaid_used)
        <> (sums.available, sums.pending, sums.overage_used, sums.postpaid_used)
     order by org_id, customer_id, currency`.execute(transaction);
  return rows;
}

/** Usage costs its amount: out of what is available, on the credit line, or on the bill. */
async function usage(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    select 'usage' as what, org_id as "orgId", usage_id::text as subject,
           coalesce(entry.overage_used + entry.postpaid_used - entry.available, 0)::text as expected,
           concat_ws(' ', amount, coalesce(outcome, 'unsettled')) as received
      from usage_reports
      left join ledger_entries as entry using (org_id, usage_id)
     where coalesce(entry.overage_used + entry.postpaid_used - entry.available, 0)
        <> case when outcome in ('debited', 'accrued') then amount else 0 end
     order by org_id, usage_id`.execute(transaction);
  return rows;
}

async function periods(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    select 'invoice' as what, invoices.org_id as "orgId", invoices.invoice_id::text as subject,
           coalesce(-entry.postpaid_used, 0)::text as expected, credits::text as received
      from invoices
      left join ledger_entries as entry
        on (entry.org_id, entry.invoice_id, entry.cause) = (invoices.org_id, invoices.invoice_id, 'period')
     where kind = 'period' and coalesce(-entry.postpaid_used, 0) <> credits
     order by invoices.org_id, invoices.invoice_id`.execute(transaction);
  return rows;
}

/**
 * The invoices of a wallet up to an end sum to what it accrued before that end. Those from before entries said when
 * they count are not compared.
 */
async function periodEnds(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with bills as (
           select org_id, customer_id, currency, accrued_at as at, 1 as turn, postpaid_used as amount,
                  null::uuid as invoice_id
             from ledger_entries
            where postpaid_used <> 0 and cause <> 'period'
            union all
           select invoices.org_id, invoices.customer_id, credit_currency,
                  case when entry.accrued_at = '-infinity' then entry.accrued_at else period_end end, 0, -credits,
                  case when entry.accrued_at = '-infinity' then null else invoices.invoice_id end
             from invoices
             join ledger_entries as entry using (org_id, invoice_id)
            where kind = 'period' and entry.cause = 'period'),
         running as (
           select *, sum(amount) over (partition by org_id, customer_id, currency order by at, turn) as open
             from bills)
    select 'invoice' as what, org_id as "orgId", invoice_id::text as subject,
           (open - amount)::text as expected, (-amount)::text as received
      from running
     where invoice_id is not null and open <> 0
     order by org_id, invoice_id`.execute(transaction);
  return rows;
}
