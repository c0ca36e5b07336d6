import { type RawBuilder, sql } from "kysely";

/** Since when all entries of the ledger are there: where the months end that are detached. */
export const ledgerBegin: RawBuilder<Date> = sql`
  (select coalesce(max(until), '-infinity') from detached_partitions where parent = 'ledger_entries')`;

/** Since when invoices have all of theirs: what happens to one soon after may be noted by a clock that is behind. */
export const invoicesBegin: RawBuilder<Date> = sql`(${ledgerBegin} + interval '1 day')`;
