import { instant, type SpanQuery } from "@creditgate/admin";
import { type Endpoint, identifier, type ListQuery } from "@creditgate/client";
import { type RawBuilder, type SelectQueryBuilder, sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { answer, type Call } from "../endpoint/call.ts";
import type { Answer } from "../endpoint/idempotency.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid } from "../http/problem.ts";
import { invalid } from "../http/validation.ts";

/** What a key of a list may be. */
export type KeyType = "text" | "bigint" | "uuid" | "timestamptz";

const keys: Readonly<Record<KeyType, z.ZodType<string>>> = {
  text: z.union([identifier, z.literal("")]),
  bigint: z.string().regex(/^\d{1,18}$/),
  uuid: z.guid(),
  timestamptz: instant,
};

/** The keys of the record that a part of a list ended with, as text that clients hand back unread. */
export function writeCursor(place: readonly string[]): string {
  return Buffer.from(JSON.stringify(place)).toString("base64url");
}

/** The keys of a cursor; a 400 where it is none, or one of another list. */
export function readCursor(cursor: string, types: readonly KeyType[]): readonly string[] {
  const place = z.array(z.string()).length(types.length).safeParse(parse(cursor));
  const isOurs = place.data?.every((key, index) => keys[types[index] ?? "text"].safeParse(key).success);
  return place.data !== undefined && isOurs ? place.data : cursorUnknown(cursor);
}

function parse(cursor: string): unknown {
  try {
    return JSON.parse(Buffer.from(cursor, "base64url").toString("utf8"));
  } catch {
    return undefined;
  }
}

/** A column, or an expression of columns, that is never null. */
type KeyColumn = readonly [column: string | RawBuilder<unknown>, type: KeyType];

/** The order of a list, in which each record has a place of its own. An index of its columns finds any place at once. */
interface Keyset {
  /** Whether a record comes after the one that a part ended with; a 400 for a cursor of another list. */
  after(part: ListPart): RawBuilder<boolean>;
  /** For `order by`. */
  readonly order: RawBuilder<unknown>;
  /** Where a record stands; to be selected as `place`. */
  readonly place: RawBuilder<readonly string[]>;
}

export function createKeyset(direction: "asc" | "desc", columns: readonly KeyColumn[]): Keyset {
  const types = columns.map(([, type]) => type);
  const keys = columns.map(([column]) => (typeof column === "string" ? sql.ref(column) : column));
  const comparison = sql.raw(direction === "asc" ? ">" : "<");
  return {
    after({ cursor }) {
      if (cursor === undefined) return sql<boolean>`true`;
      const last = readCursor(cursor, types).map(
        (key, index) => sql`${key}::${sql.raw(types[index] ?? "text")}`,
      );
      return sql<boolean>`(${sql.join(keys)}) ${comparison} (${sql.join(last)})`;
    },
    order: sql.join(keys.map((key) => sql`${key} ${sql.raw(direction)}`)),
    place: sql<readonly string[]>`array[${sql.join(keys.map((key, index) => textOf(key, types[index])))}]`,
  };
}

/** A `Date` has no microseconds, and the text of a time goes by the settings of the server. */
function textOf(key: RawBuilder<unknown>, type: KeyType | undefined): RawBuilder<string> {
  return type === "timestamptz"
    ? sql`to_char(${key} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`
    : sql`${key}::text`;
}

/** A row with its place in the list. */
export interface Placed {
  readonly place: readonly string[];
}

/** Cuts a list that was read with one row more than its page has: that row shows that there are more. */
export function cutPart<Row extends Placed>(
  rows: readonly Row[],
  { limit }: ListPart,
): { readonly rows: readonly Row[]; readonly next: string | null } {
  const part = rows.slice(0, limit);
  const last = part.at(-1);
  return { rows: part, next: rows.length > limit && last !== undefined ? writeCursor(last.place) : null };
}

/** Reads a part of what a query selects, in the order of a list. */
export async function readPart<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Keyset,
  part: ListPart,
): Promise<{ readonly rows: readonly (Row & Placed)[]; readonly next: string | null }> {
  const rows = await query
    .select(order.place.as("place"))
    .where(order.after(part))
    .orderBy(order.order)
    .limit(part.limit + 1)
    .$castTo<Row & Placed>()
    .execute();
  return cutPart(rows, part);
}

/** What the records of a part may be in JSON: half of what our client takes. */
const maxPartBytes = 512 * 1024;

/** Records that may be large are read in parts of this number: not all of a part is in memory before its end is known. */
const atOnce = 20;

/** As `readPart`, of records that may be large: a part ends where its records are too many bytes, but for its first. */
export async function readPartOfLarge<DB, TB extends keyof DB, Row>(
  query: SelectQueryBuilder<DB, TB, Row>,
  order: Keyset,
  { limit, cursor }: ListPart,
  bytesOf: (row: Row) => number,
): Promise<{ readonly rows: readonly (Row & Placed)[]; readonly next: string | null }> {
  const rows: (Row & Placed)[] = [];
  let bytes = 0;
  for (let after = cursor; ; ) {
    const found = await readPart(query, order, {
      limit: Math.min(atOnce, limit - rows.length),
      cursor: after,
    });
    for (const row of found.rows) {
      bytes += bytesOf(row);
      const last = rows.at(-1);
      if (last !== undefined && bytes > maxPartBytes) return { rows, next: writeCursor(last.place) };
      rows.push(row);
    }
    if (found.next === null || rows.length === limit) return { rows, next: found.next };
    after = found.next;
  }
}

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
function cursorUnknown(cursor: string): never {
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

/** Answers the part of a list that is asked for, under this name. */
export function listHandler<Filter>(
  name: string,
  list: RecordList<Filter>,
): (
  call: Pick<Call<Endpoint>, "database" | "orgId"> & { readonly query: Filter & ListQuery },
) => Promise<Answer> {
  // The call as it is: to read its organisation throws where there is none, as for the audit log.
  return async (call) => {
    const { records, next } = await list(call.database, call, listPart(call.query));
    return answer(200, { [name]: records, next });
  };
}

/** Whether a time is in the span that is asked for: from its beginning on, before its end. */
export function during(column: string, { from, to }: SpanQuery): RawBuilder<boolean> {
  const time = sql.ref(column);
  const bounds = [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${time} < ${to}::timestamptz`]),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}
