import type { SpanQuery } from "@creditgate/client/admin";
import { type RawBuilder, sql } from "kysely";

/** Whether a time is in the span that is asked for: from its beginning on, before its end. */
export function during(column: string, { from, to }: SpanQuery): RawBuilder<boolean> {
  const time = sql.ref(column);
  const bounds = [
    ...(from === undefined ? [] : [sql`${time} >= ${from}::timestamptz`]),
    ...(to === undefined ? [] : [sql`${time} < ${to}::timestamptz`]),
  ];
  return bounds.length === 0 ? sql<boolean>`true` : sql<boolean>`${sql.join(bounds, sql` and `)}`;
}
