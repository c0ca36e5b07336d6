import { type RawBuilder, sql } from "kysely";
import { cursorUnknown, type ListPart } from "../http/list.ts";
import { isUuid } from "../http/references.ts";
import type { Database } from "./connection.ts";

/** Where in a list a record stands that is ordered by its age. */
export interface Place {
  /** As text, since a `Date` has no microseconds. */
  readonly createdAt: string;
  readonly id: string;
}

/** The place of a cursor, which is the ID of a record; a 400 where the organisation has none. */
export async function placeOf(
  database: Pick<Database, "selectFrom">,
  table: "orders" | "invoices",
  orgId: bigint,
  { cursor }: ListPart,
): Promise<Place | undefined> {
  if (cursor === undefined) return undefined;
  if (!isUuid(cursor)) return cursorUnknown(cursor);
  const row = await database
    .selectFrom(table)
    .select(sql<string>`created_at::text`.as("createdAt"))
    .where("org_id", "=", orgId)
    .where(table === "orders" ? "order_id" : "invoice_id", "=", cursor)
    .executeTakeFirst();
  return row === undefined ? cursorUnknown(cursor) : { ...row, id: cursor };
}

/** Those that come after a place, the newest first. */
export function older(id: "order_id" | "invoice_id", { createdAt, id: last }: Place): RawBuilder<boolean> {
  return sql<boolean>`(created_at, ${sql.ref(id)}) < (${createdAt}::timestamptz, ${last}::uuid)`;
}

/** Cuts a list that was read with one record more than its part has: that one tells that there are more. */
export function cut<Row>(
  rows: readonly Row[],
  { limit }: ListPart,
  idOf: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const part = rows.slice(0, limit);
  const last = part.at(-1);
  return { rows: part, next: rows.length > limit && last !== undefined ? idOf(last) : null };
}
