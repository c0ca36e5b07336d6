import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { createKeyset, type ListPart } from "../lists/keyset.ts";

/** More than these are not looked up one by one: among that many the next ones are near. */
const mostFound = 5_000;

const byFoundId = createKeyset("asc", [["id", "text"]]);

/**
 * A condition for customers who have, for each word of a text, a word that begins so. PostgreSQL cannot estimate how
 * many begin with letters that it has not met. It would take a rare prefix for common, and read customer after
 * customer to the end. So the index of words is read first.
 */
export async function searchedFor(
  database: Database,
  orgId: bigint,
  text: string,
  part: ListPart,
): Promise<RawBuilder<boolean>> {
  const { words, ids } = await lookUp(database, orgId, text);
  if (ids.length <= mostFound) {
    return sql<boolean>`external_id in (
      select id from unnest(${ids}::text[]) as id where ${byFoundId.after(part)} order by id limit ${part.limit + 1})`;
  }
  // Compared with a number, since PostgreSQL takes a pattern for one that finds little.
  const begins = words.map(
    (word) =>
      sql`regexp_instr(lower(external_id || ' ' || name || ' ' || coalesce(email, '')), ${`(^|${separator})${word}`}) > 0`,
  );
  return sql<boolean>`${sql.join(begins, sql` and `)}`;
}

/** As in the function `words_of` of the database. No word has one of these in it, so it needs no escaping. */
const separator = "[\\x01-/:-@[-`{-\\x7f]";

interface Found {
  readonly words: readonly string[];
  /** One more than is looked up, where there are that many. */
  readonly ids: readonly string[];
}

function lookUp(database: Database, orgId: bigint, text: string): Promise<Found> {
  return database.transaction().execute(async (transaction) => {
    const { rows } = await sql<{ words: readonly string[] }>`
      select words_of(${text}) as words, set_config('enable_seqscan', 'off', true),
             set_config('enable_indexscan', 'off', true)`.execute(transaction);
    const words = rows[0]?.words ?? [];
    if (words.length === 0) return { words, ids: [] };
    // The organisation is in each word of the index.
    const query = words.map((word) => `'${orgId} ${word}':*`).join(" & ");
    const found = await sql<{ id: string }>`
      select external_id as id from customers
       where customer_words(org_id, external_id, name, email) @@ ${query}::tsquery
       limit ${mostFound + 1}`.execute(transaction);
    return { words, ids: found.rows.map(({ id }) => id) };
  });
}
