import { type RawBuilder, sql } from "kysely";

/** Two records that should agree, and do not. */
export interface Difference {
  readonly what:
    | "wallet"
    | "entry"
    | "usage"
    | "invoice"
    | "order"
    | "credit note"
    | "sum"
    | "budget"
    | "grant"
    | "allowance"
    | "journal";
  readonly orgId: bigint;
  /** Customer and currency, of an entry with its number, the ID, or of a journal its entry or account. */
  readonly subject: string;
  /** What the ledger's entries say, in micro-credits. */
  readonly expected: string;
  readonly received: string;
}

/** Since when all entries of the ledger are there: where the months end that are detached. */
export const ledgerBegin: RawBuilder<Date> = sql`
  (select coalesce(max(until), '-infinity') from detached_partitions where parent = 'ledger_entries')`;

/** Since when invoices and usage have all of theirs: what happens to one soon after may be noted by a clock that is behind. */
export const invoicesBegin: RawBuilder<Date> = sql`(${ledgerBegin} + interval '1 day')`;
