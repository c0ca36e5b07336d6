import type { BooksJournal, JournalFilter } from "@creditgate/client/admin";
import type { RawBuilder } from "kysely";
import type { ListPart } from "../http/list.ts";

/** A part of the entries of one organisation, in the order of the journal. */
export interface EntryPart extends ListPart {
  readonly orgId: bigint;
  readonly span: JournalFilter;
}

/**
 * A journal of double entry, in SQL: its file, its trial balance and `verify` are read by the same words. It is made out of
 * what is in the books already, and stored nowhere.
 */
export interface Journal {
  readonly name: BooksJournal;
  /**
   * Entries: a part, or without one all of all organisations. Their columns are `org_id`, `at`, `step` and `id`, which are
   * their order, `place` for a cursor, `entry` (the ID that is shown), `customer_id`, `currency`, `reference` and `text`,
   * and those that the postings are made of.
   */
  entries(part?: EntryPart): RawBuilder<unknown>;
  /** The postings of an entry: line, account, and an amount that is a debit above 0 and a credit below. */
  readonly postings: RawBuilder<unknown>;
}
