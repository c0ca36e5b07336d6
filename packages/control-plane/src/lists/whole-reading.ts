import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { TableByMonth } from "../database/partitions.ts";
import { Problem } from "../http/problem.ts";

/** Reads a part, and refuses it where a month is gone that was there when the first part was read. */
export type WholeReading = <Part>(database: Database, read: () => Promise<Part>) => Promise<Part>;

/** How many months of a table are detached, or dropped, that a span would have. */
export function monthsGone(
  table: TableByMonth,
  { from }: { readonly from?: string | undefined },
): RawBuilder<unknown> {
  const gone =
    table === "usage_reports"
      ? sql`select count(*) from dropped_usage where true`
      : sql`select count(*) from detached_partitions where parent = ${table}`;
  return sql`${gone} and until > coalesce(${from ?? null}::timestamptz, '-infinity')`;
}

/**
 * What is read in parts, one after the other, would lack a month that goes meanwhile: a file would be shorter without saying
 * so. Without `gone` there are no months that go.
 */
export function createWholeReading(gone: RawBuilder<unknown> | undefined): WholeReading {
  if (gone === undefined) return (_, read) => read();
  let first: string | undefined;
  const count = async (database: Database): Promise<string> => {
    const { rows } = await sql<{ months: string }>`select (${gone})::text as months`.execute(database);
    return rows[0]?.months ?? "0";
  };
  return async (database, read) => {
    first ??= await count(database);
    const part = await read();
    // A later statement: what was gone for the reading is gone for this one.
    if ((await count(database)) === first) return part;
    const detail = "A month of what is read was let go meanwhile. Try again.";
    throw new Problem(503, "database_unavailable", detail, { headers: { "retry-after": "1" } });
  };
}
