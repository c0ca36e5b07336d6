import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { WalletKey } from "./entry.ts";

/** Wallets that are read with one statement. */
const atOnce = 100;

interface Place extends WalletKey {
  /** As text: a `Date` is never infinite, and less exact. */
  readonly at: string;
}

/** Visits the wallets for which a condition holds, one after the other, in the order of a column of instants. */
export async function visitDue(
  database: Database,
  column: "top_up_at" | "grants_at",
  isDue: RawBuilder<unknown>,
  visit: (wallet: WalletKey) => Promise<void>,
): Promise<void> {
  const order = sql`${sql.ref(column)}, org_id, customer_id, currency`;
  let last: Place | undefined;
  do {
    const rest =
      last === undefined
        ? sql`true`
        : sql`(${order}) > (${last.at}::timestamptz, ${last.orgId}::bigint, ${last.customerId}::text, ${last.currency}::text)`;
    const { rows } = await sql<Place>`
      select org_id as "orgId", customer_id as "customerId", currency, ${sql.ref(column)}::text as at
        from wallets where ${isDue} and ${rest} order by ${order} limit ${atOnce}`.execute(database);
    for (const { at: _, ...wallet } of rows) await visit(wallet);
    last = rows.length === atOnce ? rows.at(-1) : undefined;
  } while (last !== undefined);
}
