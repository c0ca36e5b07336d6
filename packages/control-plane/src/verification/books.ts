import { type RawBuilder, sql } from "kysely";
import { creditsJournal, walletPostings } from "../books/credits-journal.ts";
import type { Journal } from "../books/journal.ts";
import { moneyJournal } from "../books/money-journal.ts";
import type { DatabaseTransaction } from "../database/connection.ts";
import type { Difference } from "./difference.ts";

/** What the journals of the books say of themselves, and of what they are made of. */
export async function journalDifferences(transaction: DatabaseTransaction): Promise<readonly Difference[]> {
  const found: Difference[] = [];
  for (const query of queries) {
    found.push(...(await query.execute(transaction)).rows);
  }
  return found;
}

type Query = RawBuilder<Difference>;

/** Debit is credit in each entry. */
const balanced = ({ name, entries, words, postings }: Journal): Query => sql`
  select 'journal' as what, org_id as "orgId", jsonb_build_array(${name}::text, words.entry)::text as subject,
         concat(debit, ' debit') as expected, concat(credit, ' credit') as received
    from (${entries()}) as entry,
         lateral (select coalesce(sum(posted) filter (where posted > 0), 0) as debit,
                         coalesce(-sum(posted) filter (where posted < 0), 0) as credit
                    from (${postings}) as posting (line, account, posted)) as sums,
         lateral (select ${words}) as words (entry, reference, text)
   where debit <> credit
   order by org_id, at, step, id`;

/**
 * The sum of the wallets' accounts equals the sum of the organisation's wallets, with the sums of detached months of
 * the ledger. The check of wallets shows which wallet differs.
 */
const wallets: Query = sql`
  with closing as (
         select org_id, currency, account, sum(posted) as balance
           from (select org_id, currency, account, posted
                   from (${creditsJournal.entries()}) as entry,
                        lateral (${creditsJournal.postings}) as posting (line, account, posted)
                  where account like 'wallet:%'
                  union all
                 select org_id, currency, account, posted
                   from ledger_carried, lateral (values ${walletPostings}) as posting (line, account, posted)) as part
          group by 1, 2, 3),
       wallet as (
         select org_id, currency, account, sum(posted) as balance
           from wallets, lateral (values ${walletPostings}) as posting (line, account, posted)
          group by 1, 2, 3)
  select 'journal' as what, org_id as "orgId", jsonb_build_array('credits', account, currency)::text as subject,
         coalesce(closing.balance, 0)::text as expected, coalesce(wallet.balance, 0)::text as received
    from closing full join wallet using (org_id, currency, account)
   where coalesce(closing.balance, 0) <> coalesce(wallet.balance, 0)
   order by 2, 3`;

/** What customers owe is on their open invoices, and what they are owed was credited of those that are paid. */
const customers: Query = sql`
  with closing as (
         select org_id, customer_id, currency, account, sum(posted) as balance
           from (${moneyJournal.entries()}) as entry,
                lateral (${moneyJournal.postings}) as posting (line, account, posted)
          where account in ('receivables', 'payables')
          group by 1, 2, 3, 4),
       owed as (
         select org_id, customer_id, currency, account, sum(posted) as balance
           from invoices,
                lateral (values ('receivables', case status when 'open' then amount else 0 end),
                                ('payables', -credited_amount)) as due (account, posted)
          group by 1, 2, 3, 4)
  select 'journal' as what, org_id as "orgId", jsonb_build_array('money', account, customer_id, currency)::text as subject,
         coalesce(closing.balance, 0)::text as expected, coalesce(owed.balance, 0)::text as received
    from closing full join owed using (org_id, customer_id, currency, account)
   where coalesce(closing.balance, 0) <> coalesce(owed.balance, 0)
   order by 2, 3`;

const queries: readonly Query[] = [balanced(creditsJournal), balanced(moneyJournal), wallets, customers];
