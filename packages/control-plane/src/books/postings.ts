import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { writeCursor } from "../lists/keyset.ts";
import { type EntryPart, type Journal, lastPlace, postedBy } from "./journal.ts";

/** A line of a journal. */
export interface Posting {
  readonly at: Date;
  readonly entry: string;
  readonly account: string;
  readonly customer_id: string;
  /** Above 0 a debit, below a credit: minor units of money, or micro-credits. */
  readonly amount: bigint;
  readonly currency: string;
  readonly reference: string | null;
  readonly text: string;
}

interface Row extends Posting {
  /** Of the last entry. */
  readonly place: readonly string[];
  /** Whether its entry posts anything. */
  readonly posts: boolean;
}

/** Reads the postings of a part of the entries, debits first; `next` is `null` where there are no more entries. */
export async function readPostings(
  database: Database,
  journal: Journal,
  part: EntryPart,
): Promise<{ readonly postings: readonly Posting[]; readonly next: string | null }> {
  const { rows } = await sql<Row>`
    with entry as materialized (${journal.entries(part)})
    select at, words.entry, account, customer_id, posted as amount, currency, words.reference, words.text,
           ${lastPlace(journal)} as place, posted is not null as posts
      from entry
     cross join lateral (select ${journal.words}) as words (entry, reference, text)
      left join ${postedBy(journal)} on true
     order by at, step, id, posted < 0, line`.execute(database);
  const [first] = rows;
  return {
    postings: rows.flatMap(({ place: _, posts, ...posting }) => (posts ? [posting] : [])),
    next: first === undefined ? null : writeCursor(first.place),
  };
}
