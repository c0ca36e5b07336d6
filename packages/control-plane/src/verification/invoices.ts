import { type RawBuilder, sql } from "kysely";
import type { DatabaseTransaction } from "../database/connection.ts";
import { type Difference, invoicesBegin, ledgerBegin } from "./difference.ts";

/** What orders, invoices and credit notes say of each other, and what the ledger says of them. */
export async function invoiceDifferences(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const query of queries) {
    found.push(...(await query.execute(transaction)).rows);
  }
  return found;
}

type Query = RawBuilder<Difference>;

/** An order that has an invoice is pending while that is open, and cancelled if it is void. */
const orderStates: Query = sql`
  select 'order' as what, orders.org_id as "orgId", orders.order_id::text as subject,
         case invoices.status when 'open' then 'pending' when 'void' then 'cancelled' when 'paid' then 'active or superseded'
                              else 'active or superseded, without an invoice' end as expected,
         orders.status as received
    from orders
    left join invoices on (invoices.org_id, invoices.order_id) = (orders.org_id, orders.order_id) and invoices.kind = 'order'
   where case invoices.status when 'open' then orders.status <> 'pending' when 'void' then orders.status <> 'cancelled'
                              else orders.status in ('pending', 'cancelled') end
   order by 2, 3`;

/**
 * The credits of an order are pending while its invoice is open, in the wallet once it is paid, and gone if it is void. Those
 * of grants and allowances come in by entries of their own.
 */
const benefits: Query = sql`
  with promised as (
         select invoices.org_id, invoices.invoice_id, invoices.customer_id, benefit.currency, invoices.status,
                sum(benefit.amount) as amount,
                coalesce(sum(benefit.amount) filter (where coalesce(expires_in_days::text, every) is null), 0) as plain
           from invoices join credit_benefits as benefit using (org_id, order_id)
          where invoices.kind = 'order' and invoices.created_at >= ${invoicesBegin}
          group by 1, 2, 3, 4, 5),
       given as (
         select entry.org_id, entry.invoice_id, entry.customer_id, entry.currency, sum(pending) as pending,
                sum(available - overage_used) as credits
           from ledger_entries as entry join invoices using (org_id, invoice_id)
          where invoices.kind = 'order' and invoices.created_at >= ${invoicesBegin}
          group by 1, 2, 3, 4)
  select 'invoice' as what, org_id as "orgId", jsonb_build_array(invoice_id, currency)::text as subject,
         row(coalesce(given.pending, 0), coalesce(given.credits, 0))::text as expected,
         concat_ws(' ', promised.amount, promised.status) as received
    from promised full join given using (org_id, invoice_id, customer_id, currency)
   where (coalesce(given.pending, 0), coalesce(given.credits, 0)) is distinct from
         (case when promised.status = 'open' then promised.amount else 0 end,
          case when promised.status = 'paid' then promised.plain else 0 end)
   order by 2, 3`;

/** What the void invoice of a period had billed is on the bill again, unless it is forgiven. */
const voidPeriods: Query = sql`
  with rebilled as (
         select org_id, invoice_id, sum(postpaid_used) as credits from ledger_entries where cause = 'void' group by 1, 2)
  select 'invoice' as what, invoices.org_id as "orgId", invoices.invoice_id::text as subject,
         coalesce(rebilled.credits, 0)::text as expected,
         concat_ws(' ', invoices.credits, invoices.status, voided_usage) as received
    from invoices
    left join rebilled using (org_id, invoice_id)
   where kind = 'period' and invoices.created_at >= ${invoicesBegin}
     and coalesce(rebilled.credits, 0) <> case when voided_usage = 'rebilled' then invoices.credits else 0 end
   order by 2, 3`;

/** What an invoice has credited is the sum of its credit notes, and never more than the invoice. */
const creditedAmounts: Query = sql`
  select 'invoice' as what, org_id as "orgId", invoice_id::text as subject,
         coalesce(sum(note.amount), 0)::text as expected,
         concat_ws(' ', credited_amount, 'of', invoices.amount, status) as received
    from invoices left join credit_notes as note using (org_id, invoice_id)
   group by org_id, invoice_id
  having coalesce(sum(note.amount), 0) <> credited_amount
      or credited_amount > coalesce(invoices.amount, 0)
      or (status <> 'paid' and count(note.credit_note_id) > 0)
   order by 2, 3`;

/** The tax of an invoice is the sum of its taxes, and credit notes have credited of each what they have of the amount. */
const taxes: Query = sql`
  with credited as (
         select org_id, invoice_id, sum(tax_amount) as tax from credit_notes group by 1, 2)
  select 'invoice' as what, org_id as "orgId", invoice_id::text as subject,
         concat_ws(' ', sum_of_taxes(taxes), 'tax', due.tax, 'credited') as expected,
         concat_ws(' ', tax_amount, 'tax', coalesce(credited.tax, 0), 'credited') as received
    from invoices left join credited using (org_id, invoice_id),
         lateral (select coalesce(sum(share_of((tax ->> 'amount')::numeric, credited_amount, amount)), 0) as tax
                    from jsonb_array_elements(taxes) as line (tax)) as due
   where taxes is not null and (tax_amount, coalesce(credited.tax, 0)) <> (sum_of_taxes(taxes), due.tax)
   order by 2, 3`;

/** No more credits are credited than the invoice gave or billed. */
const creditedCredits: Query = sql`
  with credited as (
         select note.org_id, note.invoice_id, part.currency, sum(part.amount) as amount
           from credit_notes as note join credit_note_credits as part using (org_id, credit_note_id)
          group by 1, 2, 3),
       billed as (
         select credited.*, case when invoices.kind = 'order'
                  then (select coalesce(sum(benefit.amount), 0) from credit_benefits as benefit
                         where (benefit.org_id, benefit.order_id, benefit.currency)
                             = (invoices.org_id, invoices.order_id, credited.currency))
                  when credit_currency = credited.currency then credits
                  else 0 end as most
           from credited join invoices using (org_id, invoice_id))
  select 'invoice' as what, org_id as "orgId", jsonb_build_array(invoice_id, currency)::text as subject,
         concat('at most ', most) as expected, amount::text as received
    from billed
   where amount > most
   order by 2, 3`;

/** The credits of an order that are credited have left their wallets; those of a period are in none. */
const takenBack: Query = sql`
  with noted as (
         select note.org_id, note.credit_note_id, note.customer_id, part.currency, part.amount
           from credit_notes as note
           join invoices using (org_id, invoice_id)
           join credit_note_credits as part using (org_id, credit_note_id)
          where invoices.kind = 'order' and note.created_at >= ${ledgerBegin}),
       taken as (
         select org_id, credit_note_id, customer_id, currency, sum(overage_used - available) as amount
           from ledger_entries where cause = 'credit_note' and created_at >= ${ledgerBegin}
          group by 1, 2, 3, 4)
  select 'credit note' as what, org_id as "orgId", jsonb_build_array(credit_note_id, currency)::text as subject,
         coalesce(taken.amount, 0)::text as expected, coalesce(noted.amount, 0)::text as received
    from noted full join taken using (org_id, credit_note_id, customer_id, currency)
   where noted.amount is distinct from taken.amount
   order by 2, 3`;

/** The numbers of a series are those from 1 to the last, each once. */
const numbers: Query = sql`
  with documents as (
         select org_id, 'invoice' as series, number from invoices
          union all
         select org_id, 'credit_note', number from credit_notes),
       series as (
         select org_id, series, count(*) as documents, count(distinct number) as numbers, max(number) as newest
           from documents group by 1, 2)
  select replace(series, '_', ' ') as what, org_id as "orgId", 'numbers' as subject,
         concat('1 to ', coalesce(last, 0)) as expected,
         concat(numbers, ' of ', documents, ' up to ', newest) as received
    from series full join document_numbers using (org_id, series)
   where (documents, numbers, newest) is distinct from (last, last, last)
   order by 2, 1`;

/** A top-up is credits in the currency of its wallet for a price, and no agent's; no other order is without agents. */
const topUpOrders: RawBuilder<Difference> = sql`
  with found as (
         select orders.org_id, orders.order_id, kind, top_up_currency, count(*) as items, count(agent_id) as agents,
                array_agg(benefit.currency) filter (where benefit.currency is not null) as currencies
           from orders
           left join order_line_items as item using (org_id, order_id)
           left join credit_benefits as benefit using (org_id, order_id, position)
          where kind = 'top_up' or agent_id is null
          group by 1, 2, 3, 4)
  select 'order' as what, org_id as "orgId", order_id::text as subject,
         concat_ws(' ', 'credits in', top_up_currency, 'without an agent') as expected,
         concat_ws(' ', kind, items, agents, currencies::text) as received
    from found
   where kind <> 'top_up' or items <> 1 or agents <> 0 or currencies is distinct from array[top_up_currency]
   order by 2, 3`;

/** A wallet waits with its next top-up while one waits for its payment, and no longer. */
const waitingTopUps: RawBuilder<Difference> = sql`
  with waiting as (
         select org_id, customer_id, top_up_currency as currency, count(*) as orders
           from orders where status = 'pending' and kind = 'top_up' group by 1, 2, 3),
       armed as (
         select org_id, customer_id, currency, auto_top_up_below, top_up_at from wallets where auto_top_up_below is not null)
  select 'wallet' as what, org_id as "orgId", jsonb_build_array(customer_id, currency)::text as subject,
         coalesce(waiting.orders, 0)::text as expected, coalesce(armed.top_up_at, '-infinity')::text as received
    from armed full join waiting using (org_id, customer_id, currency)
   where coalesce(waiting.orders, 0) > 1
      or (armed.auto_top_up_below is not null and (waiting.orders is not null) <> (armed.top_up_at = 'infinity'))
   order by 2, 3`;

const queries: readonly Query[] = [
  ...[orderStates, benefits, voidPeriods, creditedAmounts, creditedCredits, takenBack],
  ...[topUpOrders, waitingTopUps, numbers, taxes],
];
