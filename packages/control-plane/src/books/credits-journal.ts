import { type RawBuilder, sql } from "kysely";
import { createKeyset, during, readCursor } from "../lists/keyset.ts";
import { monthsGone } from "../lists/whole-reading.ts";
import { type EntryPart, type Journal, limited } from "./journal.ts";

const keyTypes = ["timestamptz", "text", "text", "bigint"] as const;
const byTime = createKeyset("asc", [
  ["at", keyTypes[0]],
  ["customer_id", keyTypes[1]],
  ["currency", keyTypes[2]],
  ["entry_no", keyTypes[3]],
]);
const order = sql`created_at, customer_id, currency, entry_no`;

/**
 * The accounts of a wallet. What a customer may spend, now or once an invoice is paid, is owed to the customer: a credit.
 * What a customer has used and not paid for is owed by the customer: a debit. Of a wallet it is the balance, of an entry of
 * the ledger the change.
 */
export const walletPostings: RawBuilder<unknown> = sql`
  (1, 'wallet:available', -available), (2, 'wallet:pending', -pending),
  (3, 'wallet:overage', overage_used), (4, 'wallet:postpaid', postpaid_used)`;

/** What the wallet as a whole changes by. */
const change = sql`(available + pending - overage_used - postpaid_used)`;

/** The entries of the ledger: wallets, against the account that says why they change. */
export const creditsJournal: Journal = {
  name: "credits",
  entries: (part) => sql`
    select created_at as at, 0 as step, row(customer_id, currency, entry_no) as id, currency, entry_no, cause,
           available, pending, overage_used, postpaid_used,
           org_id, customer_id, reason, usage_id, top_up_id, invoice_id, credit_note_id, grant_id
      from ledger_entries
     ${
       part === undefined
         ? sql``
         : sql`where org_id = ${part.orgId} and ${during("created_at", part.span)} and ${after(part)} and ${upTo(part)}
               ${limited(part, order)}`
     }`,
  place: byTime.place,
  words: sql`concat_ws(' ', customer_id, currency, entry_no), coalesce(usage_id, top_up_id, invoice_id, credit_note_id, grant_id)::text,
             concat_ws(': ', replace(cause, '_', ' '), reason)`,
  postings: sql`
    values ${walletPostings},
           (5, case cause when 'usage' then 'consumed'
                          when 'top_up' then 'issued' when 'benefit' then 'issued' when 'payment' then 'issued'
                          when 'period' then 'invoiced'
                          when 'void' then 'voided'
                          when 'refund' then 'refunded'
                          when 'correction' then 'corrected'
                          when 'credit_note' then 'credited'
                          when 'grant' then 'granted'
                          when 'expiry' then 'expired'
                          else cause end, ${change})`,
  // Of months that are detached: what they were for stands in their tables.
  carried: (orgId) => sql`
    select currency, 'carried' as cause, sum(available) as available, sum(pending) as pending,
           sum(overage_used) as overage_used, sum(postpaid_used) as postpaid_used
      from ledger_carried where org_id = ${orgId} group by currency`,
  gone: (span) => monthsGone("ledger_entries", span),
  // Of one sign each: else a debit would make up for a credit.
  condensed: sql`
    select currency, cause, sum(available) as available, sum(pending) as pending,
           sum(overage_used) as overage_used, sum(postpaid_used) as postpaid_used
      from entry
     group by currency, cause, available > 0, pending > 0, overage_used > 0, postpaid_used > 0, ${change} > 0`,
};

function after({ cursor }: EntryPart): RawBuilder<unknown> {
  return cursor === undefined ? sql`true` : sql`(${order}) > ${placeOf(cursor)}`;
}

function upTo({ until }: EntryPart): RawBuilder<unknown> {
  return until === undefined ? sql`true` : sql`(${order}) <= ${placeOf(until)}`;
}

function placeOf(cursor: string): RawBuilder<unknown> {
  const [at, customerId, currency, entryNo] = readCursor(cursor, keyTypes);
  return sql`(${at}::timestamptz, ${customerId}::text, ${currency}::text, ${entryNo}::bigint)`;
}
