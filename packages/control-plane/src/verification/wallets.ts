import { sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { journalDifferences } from "./books.ts";
import { type Difference, invoicesBegin, ledgerBegin } from "./difference.ts";
import { invoiceDifferences } from "./invoices.ts";
import { customerMonths, usageSums } from "./usage.ts";

export interface Verification {
  readonly organizations: bigint;
  readonly wallets: bigint;
  readonly entries: bigint;
  readonly differences: readonly Difference[];
}

/**
 * Computes all balances again from the entries of the ledger, and compares what has entries with them: usage that was
 * settled, periods that were closed, from where the months begin that are not detached. The journals of the books are
 * balanced, and come to the wallets and the open invoices. So are the sums of usage with its events, and those of budgets with their reports. It reads one instant
 * of the database, and changes nothing.
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
        ...(await entries(transaction)),
        ...(await usage(transaction)),
        ...(await grants(transaction)),
        ...(await periods(transaction)),
        ...(await periodEnds(transaction)),
        ...(await invoiceDifferences(transaction)),
        ...(await journalDifferences(transaction)),
        ...(await usageSums(transaction)),
        ...(await customerMonths(transaction)),
        ...(await budgetSums(transaction)),
      ];
      return { ...counts, differences };
    });
}

/** A wallet has what its entries sum to, and as many as its last one says; those of detached months are in a sum of their own. */
async function wallets(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with sums as (
           select org_id, customer_id, currency, sum(available) as available, sum(pending) as pending,
                  sum(overage_used) as overage_used, sum(postpaid_used) as postpaid_used, sum(entries) as entries
             from (select org_id, customer_id, currency, available, pending, overage_used, postpaid_used, 1 as entries
                     from ledger_entries
                    union all
                   select org_id, customer_id, currency, available, pending, overage_used, postpaid_used, entries
                     from ledger_carried)
                  as parts
            group by 1, 2, 3)
    select 'wallet' as what, org_id as "orgId", jsonb_build_array(customer_id, currency)::text as subject,
           row(coalesce(sums.available, 0), coalesce(sums.pending, 0),
               coalesce(sums.overage_used, 0), coalesce(sums.postpaid_used, 0), coalesce(sums.entries, 0))::text as expected,
           row(wallets.available, wallets.pending, wallets.overage_used, wallets.postpaid_used, last_entry)::text as received
      from wallets full join sums using (org_id, customer_id, currency)
     where (wallets.available, wallets.pending, wallets.overage_used, wallets.postpaid_used, last_entry) is distinct from
           (coalesce(sums.available, 0), coalesce(sums.pending, 0),
            coalesce(sums.overage_used, 0), coalesce(sums.postpaid_used, 0), coalesce(sums.entries, 0))
     order by org_id, customer_id, currency`.execute(transaction);
  return rows;
}

/**
 * The entries of a wallet are numbered without gaps, in the order in which it was locked, and what an entry says that its
 * wallet has after it is the sum of the entries up to it. Reports the first of a wallet that is wrong. Those that came before
 * the last one that is detached are in the sum only.
 */
async function entries(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with running as (
           select entry.*, coalesce(last_entry, 0) as last_entry,
                  row(coalesce(carried.entries, 0) + count(*) over so_far,
                      coalesce(carried.available, 0) + sum(entry.available) over so_far,
                      coalesce(carried.pending, 0) + sum(entry.pending) over so_far,
                      coalesce(carried.overage_used, 0) + sum(entry.overage_used) over so_far,
                      coalesce(carried.postpaid_used, 0) + sum(entry.postpaid_used) over so_far)::text as expected,
                  row(entry_no, available_after, pending_after, overage_used_after, postpaid_used_after)::text as received
             from ledger_entries as entry left join ledger_carried as carried using (org_id, customer_id, currency)
           window so_far as (partition by org_id, customer_id, currency order by entry_no rows unbounded preceding))
    select distinct on (org_id, customer_id, currency)
           'entry' as what, org_id as "orgId", jsonb_build_array(customer_id, currency, entry_no)::text as subject,
           expected, received
      from running
     where entry_no > last_entry and expected <> received
     order by org_id, customer_id, currency, entry_no`.execute(transaction);
  return rows;
}

/** Usage costs its amount: out of what is available, on the credit line, or on the bill. Else it waits, or has an outcome. */
async function usage(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with costs as (
           select org_id, usage_id, sum(overage_used + postpaid_used - available) as cost
             from ledger_entries where usage_id is not null group by 1, 2)
    select 'usage' as what, org_id as "orgId", usage_id::text as subject,
           coalesce(cost, 0)::text as expected,
           concat_ws(' ', report.amount, case when due.usage_id is not null then 'unsettled' end, outcome) as received
      from usage_reports as report
      left join costs using (org_id, usage_id)
      left join usage_due as due using (org_id, received_at, usage_id)
      left join usage_outcomes using (org_id, received_at, usage_id)
     where (num_nonnulls(cost, due.usage_id, outcome) <> 1 or cost <> report.amount)
       and report.received_at >= ${invoicesBegin}
     order by org_id, usage_id`.execute(transaction);
  return rows;
}

/**
 * What grants hold is a part of what is available. Each began with its amount, but for what rolled over, and holds what its
 * entries took once it is over. A wallet says when the next of them is due, or the next period of an allowance, which goes on as
 * long as its order is active.
 */
async function grants(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    select 'grant' as what, org_id as "orgId", jsonb_build_array(customer_id, currency)::text as subject,
           available::text as expected, sum(remaining)::text as received
      from wallets join grants using (org_id, customer_id, currency)
     where grants.state = 'active'
     group by org_id, customer_id, currency, available having sum(remaining) > available
     union all
    select 'grant', org_id, grant_id::text, row(given, taken)::text,
           row(case when began and not rolled then amount else 0 end, case when began and state in ('expired', 'ended') then remaining else 0 end)::text
      from (select org_id, grant_id, amount, state, remaining, state in ('active', 'expired') or count(entry_no) > 0 as began,
                   coalesce(sum(available - overage_used) filter (where cause = 'grant' and available >= 0), 0) as given,
                   coalesce(-sum(available) filter (where cause = 'expiry' or cause = 'grant' and available < 0), 0) as taken,
                   exists (select from grants as origin
                            where (origin.org_id, origin.customer_id, origin.currency, origin.allowance_id, origin.effective_at)
                                = (grants.org_id, grants.customer_id, grants.currency, grants.allowance_id, grants.effective_at)
                              and origin.expires_at < grants.expires_at) as rolled
              from grants left join ledger_entries using (org_id, customer_id, currency, grant_id)
             where effective_at >= ${ledgerBegin}
             group by org_id, grant_id) as grants
     where given <> case when began then amount else 0 end and not (rolled and given = 0)
        or taken <> case when began and state in ('expired', 'ended') then remaining else 0 end
     union all
    select 'grant', org_id, jsonb_build_array(customer_id, currency)::text, 'no grants', count(*)::text
      from wallets join grants using (org_id, customer_id, currency)
     where grants.state <> 'ended' and grants_at is null
     group by org_id, customer_id, currency
     union all
    select 'allowance', org_id, allowance_id::text, concat('due ', next_at, ', of an order that is active'),
           concat('due ', grants_at, ', ', orders.status)
      from allowances join wallets using (org_id, customer_id, currency)
      left join orders using (org_id, order_id)
     where next_at is not null and (next_at >= grants_at) is not true or next_at is not null and orders.status <> 'active'
     order by 2, 3`.execute(transaction);
  return rows;
}

async function periods(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with billed as (
           select org_id, invoice_id, -sum(postpaid_used) as credits
             from ledger_entries where cause = 'period' group by 1, 2)
    select 'invoice' as what, invoices.org_id as "orgId", invoices.invoice_id::text as subject,
           coalesce(billed.credits, 0)::text as expected, invoices.credits::text as received
      from invoices
      left join billed using (org_id, invoice_id)
     where kind = 'period' and coalesce(billed.credits, 0) <> invoices.credits
       and invoices.created_at >= ${ledgerBegin}
     order by invoices.org_id, invoices.invoice_id`.execute(transaction);
  return rows;
}

/**
 * The invoices of a wallet up to an end sum to what it accrued before that end. Those whose period ended before
 * the months that are not detached are not compared: all of what is detached counts before these.
 */
async function periodEnds(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with bills as (
           select org_id, customer_id, currency, accrued_at as at, 1 as turn, postpaid_used as amount,
                  null::uuid as invoice_id
             from ledger_entries
            where postpaid_used <> 0 and cause <> 'period'
            union all
           select org_id, customer_id, currency, '-infinity', 1, postpaid_used, null from ledger_carried
            union all
           select invoices.org_id, invoices.customer_id, credit_currency,
                  period_end, 0, -credits, case when period_end >= ${ledgerBegin} then invoices.invoice_id end
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

/**
 * The sums of budgets are those of the reports that name them and were debited. If reports of a period are dropped, the sum is as much
 * at least, or dropped too; a report that came before a month ended may count in the next period, which a month may go by until.
 */
async function budgetSums(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const { rows } = await sql<Difference>`
    with gone as (select coalesce(max(until), '-infinity') + interval '32 days' as until from dropped_usage),
         debited as (
           select report.org_id, report.customer_id, report.currency, one ->> 0 as key, (one ->> 1)::timestamptz as period,
                  sum(report.amount) as used
             from usage_reports as report
             left join usage_due as due using (org_id, received_at, usage_id)
             left join usage_outcomes as outcome using (org_id, received_at, usage_id),
                  jsonb_array_elements(report.budgets) as one
            where report.budgets is not null and one ->> 1 is not null
              and due.usage_id is null and outcome.usage_id is null
            group by 1, 2, 3, 4, 5)
    select 'budget' as what, org_id as "orgId", jsonb_build_array(customer_id, currency, key, period)::text as subject,
           concat(case when period < gone.until then 'at least ' end, coalesce(debited.used, 0)) as expected,
           coalesce(sums.used::text, 'none') as received
      from debited full join budget_sums as sums using (org_id, customer_id, currency, key, period), gone
     where case when period < gone.until then sums.used < debited.used
                else debited.used is distinct from sums.used end
     order by org_id, subject`.execute(transaction);
  return rows;
}
