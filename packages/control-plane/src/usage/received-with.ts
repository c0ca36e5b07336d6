import { type RawBuilder, sql } from "kysely";

/** The span in which these were received: the months without any of them are not read. A `Date` has no microseconds. */
export function receivedWith(events: readonly { readonly receivedAt: Date }[]): RawBuilder<boolean> {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const { receivedAt } of events) {
    first = Math.min(first, receivedAt.getTime());
    last = Math.max(last, receivedAt.getTime());
  }
  if (events.length === 0) return sql<boolean>`false`;
  return sql<boolean>`received_at >= ${new Date(first)}::timestamptz and received_at < ${new Date(last + 1)}::timestamptz`;
}
