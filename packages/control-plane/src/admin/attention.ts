import type { RefusalReason } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { dayMs } from "../usage/tallies.ts";
import { tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";
import { selectWallets } from "./wallet-record.ts";

/** Counted at most: what is more than that is a long list in any case. */
const mostCounted = 1_000;
const mostRefused = 10_000;

/** How long an event that was given up counts as recent. */
const recentMs = 7 * dayMs;

const latest = createKeyset("desc", [
  ["urgent_since", "timestamptz"],
  ["customer_id", "text"],
  ["currency", "text"],
]);

/** What an operator should look at. Each number is counted by an index, and only so far. */
export function attentionHandlers(database: Database) {
  return {
    async attentionRead({ orgId, at }) {
      const own = sql`org_id = ${orgId}`;
      const since = new Date(at.getTime() - recentMs);
      const counts = await countAll(database, mostCounted, {
        exhausted: sql`wallets where ${own} and urgency = 'exhausted'`,
        low: sql`wallets where ${own} and urgency = 'low'`,
        walletMissing: refused(own, "wallet_missing"),
        outOfRange: refused(own, "out_of_range"),
        settlementFailures: sql`usage_due where ${own} and failed_at is not null`,
        periodFailures: sql`period_failures where ${own}`,
        webhooksDisabled: sql`webhook_endpoints where ${own} and disabled_why in ('failing', 'gone')`,
        deliveriesGivenUp: sql`webhook_deliveries
          where ${own} and status <> 'delivered' and status = 'given_up' and created_at >= ${since}`,
      });
      return answer(200, counts);
    },

    async urgentWalletList({ orgId, query }) {
      const urgent = selectWallets(database, orgId)
        .select("urgent_since")
        .select(
          sql<string>`(select name from customers
            where (customers.org_id, external_id) = (wallets.org_id, wallets.customer_id))`.as("name"),
        )
        .where("urgency", "=", query.urgency);
      const { rows, next } = await readPart(urgent, latest, listPart(query));
      const wallets = rows.map(({ place: _, name, urgent_since, ...wallet }) => ({
        ...tagged("wallet.limits", wallet),
        customerName: name,
        urgentSince: (urgent_since ?? new Date(0)).toISOString(),
      }));
      return answer(200, { wallets, next });
    },

    async usageRefusals({ orgId, at, query }) {
      const to = query.to ?? at.toISOString();
      // No earlier than there can be any: PostgreSQL has no year 0.
      const from = query.from ?? new Date(Math.max(0, new Date(to).getTime() - 30 * dayMs)).toISOString();
      const span = sql`received_at >= ${from}::timestamptz and received_at < ${to}::timestamptz`;
      const own = sql`org_id = ${orgId} and ${span}`;
      const counts = await countAll(database, mostRefused, {
        wallet_missing: refused(own, "wallet_missing"),
        out_of_range: refused(own, "out_of_range"),
      });
      const refusals = Object.entries(counts).map(([reason, counted]) => ({ reason, ...counted }));
      return answer(200, { from, to, refusals });
    },
  } satisfies Partial<AdminHandlers>;
}

function refused(own: RawBuilder<unknown>, reason: RefusalReason): RawBuilder<unknown> {
  return sql`usage_outcomes where ${own} and outcome = ${reason}`;
}

/** Counts rows of tables, each up to a number, in one statement. */
async function countAll<Name extends string>(
  database: Database,
  most: number,
  tables: Readonly<Record<Name, RawBuilder<unknown>>>,
): Promise<Record<Name, JsonObject>> {
  const names = Object.keys(tables) as Name[];
  const columns = names.map(
    (name) =>
      sql`(select count(*) from (select from ${tables[name]} limit ${most + 1}) as found) as ${sql.id(name)}`,
  );
  const { rows } = await sql<Record<Name, bigint>>`select ${sql.join(columns)}`.execute(database);
  const counted = names.map((name): [Name, JsonObject] => {
    const count = Number(rows[0]?.[name] ?? 0n);
    return [name, { count: Math.min(count, most), more: count > most }];
  });
  return Object.fromEntries(counted) as Record<Name, JsonObject>;
}
