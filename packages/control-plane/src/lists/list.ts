import type { SpanQuery } from "@creditgate/admin";
import type { ListQuery } from "@creditgate/client";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid } from "../http/references.ts";
import { invalid } from "../http/validation.ts";

const defaultLimit = 20;
const maxLimit = 100;

/** Which part of a list is asked for. */
export interface ListPart {
  /** Records at most. */
  readonly limit: number;
  /** The record that the part before ended with. */
  readonly cursor: string | undefined;
}

/** Of a list, with our bounds: 20 records, at most 100. */
export function listPart({ limit, cursor }: ListQuery): ListPart {
  return { limit: checkLimit(limit), cursor };
}

/** How many records a page has, by default 20; a 400 for more than 100. */
export function checkLimit(limit: number = defaultLimit): number {
  if (limit <= maxLimit) return limit;
  throw invalid([{ pointer: "limit", detail: `expected 1 to ${maxLimit}, received ${limit}` }]);
}

/** A 400 for a cursor that was in no answer. */
export function cursorUnknown(cursor: string): never {
  const detail = `expected the next of an answer, received ${JSON.stringify(cursor)}`;
  throw invalid([{ pointer: "cursor", detail }]);
}

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

/** Cuts a list that was read with one record more than its page has: that record shows that there are more. */
export function cut<Row>(
  rows: readonly Row[],
  { limit }: ListPart,
  idOf: (row: Row) => string,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const part = rows.slice(0, limit);
  const last = part.at(-1);
  return { rows: part, next: rows.length > limit && last !== undefined ? idOf(last) : null };
}

/** Records of a list, as they are answered. */
interface RecordPart {
  readonly records: readonly JsonObject[];
  readonly next: string | null;
}

/** Reads a part of a list, of those records that pass its filter. */
export type RecordList<Filter> = (
  database: Database,
  selection: { readonly orgId: bigint; readonly query: Filter },
  part: ListPart,
) => Promise<RecordPart>;

/** Whether a time is in the span that is asked for: from its beginning on, before its end. */
export function during(column: string, { from, to }: SpanQuery): RawBuilder<boolean> {
  const time = sql.ref(column);
  const bounds = [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${time} < ${to}::timestamptz`]),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}
