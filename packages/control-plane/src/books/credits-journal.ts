import { type RawBuilder, sql } from "kysely";
import { createKeyset } from "../database/keyset.ts";
import { during } from "../database/span.ts";
import type { Journal } from "./journal.ts";

const byTime = createKeyset("asc", [
  ["created_at", "timestamptz"],
  ["entry_id", "bigint"],
]);

/**
 * The accounts of a wallet. What a customer may spend, now or once an invoice is paid, is owed to the customer: a credit.
 * What a customer has used and not paid for is owed by the customer: a debit. Of a wallet it is the balance, of an entry of
 * the ledger the change.
 */
export const walletPostings: RawBuilder<unknown> = sql`
  (1, 'wallet:available', -available), (2, 'wallet:pending', -pending),
  (3, 'wallet:overage', overage_used), (4, 'wallet:postpaid', postpaid_used)`;

/** The entries of the ledger: wallets, against the account that says why they change. */
export const creditsJournal: Journal = {
  name: "credits",
  entries: (part) => sql`
    select org_id, created_at as at, 0 as step, entry_id as id, ${byTime.place} as place, entry_id::text as entry,
           customer_id, currency, coalesce(usage_id, top_up_id, invoice_id, credit_note_id)::text as reference,
           concat_ws(': ', replace(cause, '_', ' '), reason) as text,
           cause, available, pending, overage_used, postpaid_used
      from ledger_entries
     ${
       part === undefined
         ? sql``
         : sql`where org_id = ${part.orgId} and ${during("created_at", part.span)} and ${byTime.after(part)}
               order by ${byTime.order} limit ${part.limit}`
     }`,
  postings: sql`
    values ${walletPostings},
           (5, case cause when 'usage' then 'consumed'
                          when 'top_up' then 'issued' when 'benefit' then 'issued' when 'payment' then 'issued'
                          when 'period' then 'invoiced'
                          when 'void' then 'voided'
                          when 'refund' then 'refunded'
                          when 'correction' then 'corrected'
                          when 'credit_note' then 'credited'
                          else cause end,
            available + pending - overage_used - postpaid_used)`,
};
