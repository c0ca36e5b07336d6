import type { BooksJournal, JournalFilter } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";

/** A part of the entries of one organisation. */
export interface EntryPart {
  readonly orgId: bigint;
  readonly span: JournalFilter;
  /** The place that it comes after. */
  readonly cursor: string | undefined;
  /** The place that it ends with at the latest. */
  readonly until?: string | undefined;
  /** Entries at most, which are the first ones in the order of the journal; without it all, in no order. */
  readonly limit?: number;
}

/**
 * A journal of double entry, in SQL: its file, its trial balance and `verify` are read by the same words. It is made out of
 * what is in the books already, and stored nowhere.
 */
export interface Journal {
  readonly name: BooksJournal;
  /**
   * Entries: a part, or without one all of all organisations. Their columns are `org_id`, `at`, `step` and `id`, which are
   * their order, `customer_id`, `currency`, and those that their words and postings are made of.
   */
  entries(part?: EntryPart): RawBuilder<unknown>;
  /** For a cursor, where an entry stands. */
  readonly place: RawBuilder<readonly string[]>;
  /** What is written of a row named `entry`: the ID that is shown, what it refers to, and a text. */
  readonly words: RawBuilder<unknown>;
  /** The postings of an entry: line, account, and an amount that is a debit above 0 and a credit below. */
  readonly postings: RawBuilder<unknown>;
  /** Of an organisation, what its entries came to that are not there any more: rows that are posted like entries. */
  readonly carried?: (orgId: bigint) => RawBuilder<unknown>;
  /** In how many months of a span there are no entries any more. */
  readonly gone?: (span: JournalFilter) => RawBuilder<unknown>;
  /** Of rows named `entry`, fewer that post the same in sum, to the debit and to the credit. */
  readonly condensed: RawBuilder<unknown>;
}

/** The place of the last of some entries named `entry`. */
export function lastPlace({ place }: Journal): RawBuilder<readonly string[]> {
  return sql`(select ${place} from entry order by at desc, step desc, id desc limit 1)`;
}

/** In the order of the journal where a part is limited: to sort what is only summed up would take longer than the sum. */
export function limited({ limit }: EntryPart, order: RawBuilder<unknown>): RawBuilder<unknown> {
  return limit === undefined ? sql`` : sql`order by ${order} limit ${limit}`;
}

/** The postings of rows named `entry`, for a join: what is 0 is not posted. */
export function postedBy({ postings }: Journal): RawBuilder<unknown> {
  return sql`lateral (select * from (${postings}) as line (line, account, posted) where posted <> 0) as posting`;
}
