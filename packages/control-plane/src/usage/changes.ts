import type { UsageFeedQuery } from "@creditgate/admin";
import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { type ChangePosition, endOf, leastOf } from "./change-position.ts";
import { type UsageRow, usageColumns } from "./list.ts";
import { dayMs } from "./tallies.ts";

/** A report, as its last change has left it. */
export interface UsageChange {
  readonly usage: UsageRow;
  /** That of all up to this change. */
  readonly position: ChangePosition;
}

/** What has changed since a position. */
export interface UsageChanges {
  readonly changes: readonly UsageChange[];
  readonly position: ChangePosition;
  /** Whether there is more at once. */
  readonly hasMore: boolean;
  /** Whether what has changed before is not known: the database is another one, or was started again, or the position is too old. */
  readonly isAnew: boolean;
}

/** Reports that are read with one statement. */
const atOnce = 50;

/** For how long a position is good. */
const positionDays = 1;

interface Look {
  readonly to: string;
  readonly latest: string;
  readonly server: string;
}

const startedAt = sql`(extract(epoch from pg_postmaster_start_time()) * 1000000)::bigint::text`;

type Found = Look & UsageRow & { readonly changedIn: string };

/**
 * What has changed and is committed since a position, each report as it is now, in the order in which their
 * transactions began to write. Compares snapshots of the database: what one sees and the one before did not see is
 * sent once, however late it was committed.
 */
export async function readUsageChanges(
  database: Database,
  orgId: bigint,
  filter: UsageFeedQuery,
  position: ChangePosition | undefined,
  now: Date,
): Promise<UsageChanges> {
  const readAt = now.getTime();
  if (position === undefined) return beginning(database, readAt, false);
  if (position.readAt < readAt - positionDays * dayMs) return beginning(database, readAt, true);
  const { from, within } = position;
  const least = within === undefined ? leastOf(from) : within.changedIn;
  const end = within === undefined ? sql`pg_current_snapshot()` : sql`${within.to}::pg_snapshot`;
  const { rows } = await sql<Found | Look>`
    with look as materialized (select ${end} as ends)
    select ends::text as "to", pg_current_snapshot()::text as latest, ${startedAt} as server, found.*
      from look left join lateral (
           select ${usageColumns}, written_in::text as "changedIn"
             from (${changesOf(filter.outcome)}) as settlement,
                  lateral (select * from usage_reports as usage
                            where (usage.org_id, usage.received_at, usage.usage_id)
                                = (settlement.org_id, usage_time(settlement.usage_id), settlement.usage_id) limit 1) as usage
            where settlement.org_id = ${orgId} and settlement.usage_id is not null and written_in >= ${String(least)}::text::xid8 and written_in < pg_snapshot_xmax(ends)
              and not pg_visible_in_snapshot(written_in, ${from}::pg_snapshot)
              and pg_visible_in_snapshot(written_in, ends)
              and ${sql.join(conditionsOf(filter, within, now), sql` and `)}
            order by written_in, settlement.usage_id limit ${atOnce + 1}) as found on true
     order by found."changedIn"::xid8, found."usageId"`.execute(database);
  const [look] = rows;
  if (look === undefined) throw new Error("The database returned no snapshot.");
  const { server } = look;
  // A database that was restored from a dump counts its transactions anew, and one that was promoted from what it had.
  const isOther = position.server !== undefined && position.server !== server;
  if (isOther || endOf(from) > endOf(look.latest)) return beginning(database, readAt, true);
  const found = rows.filter((row): row is Found => "changedIn" in row && row.changedIn !== null);
  const changes = found.slice(0, atOnce).map((row) => ({
    usage: row,
    position: {
      from,
      readAt,
      server,
      within: { to: look.to, changedIn: row.changedIn, usageId: row.usageId },
    },
  }));
  const last = changes.at(-1);
  if (found.length > atOnce && last !== undefined)
    return { changes, position: last.position, hasMore: true, isAnew: false };
  // Up to the end of what was begun there may be more since.
  return {
    changes,
    position: { from: look.to, readAt, server },
    hasMore: within !== undefined,
    isAnew: false,
  };
}

async function beginning(database: Database, readAt: number, isAnew: boolean): Promise<UsageChanges> {
  const { rows } = await sql<{ from: string; server: string }>`
    select pg_current_snapshot()::text as "from", ${startedAt} as server`.execute(database);
  const [{ from, server } = { from: "", server: "" }] = rows;
  return { changes: [], position: { from, readAt, server }, hasMore: false, isAnew };
}

/** Reports that wait, and those that are settled: each stands in one of both. */
function changesOf(outcome: UsageFeedQuery["outcome"]): RawBuilder<unknown> {
  const waiting = sql`
    select org_id, usage_id, null::timestamptz as settled_at, null::text as outcome, written_in, due_at as at from usage_due`;
  const settled = sql`select org_id, usage_id, settled_at, outcome, written_in, settled_at as at from usage_settlements`;
  if (outcome === "unsettled") return waiting;
  return outcome === undefined ? sql`${waiting} union all ${settled}` : settled;
}

function conditionsOf(
  { customerId, agentId, indicator, outcome }: UsageFeedQuery,
  within: ChangePosition["within"],
  now: Date,
): readonly RawBuilder<unknown>[] {
  // In a database that was restored, old rows have numbers that come again.
  const since = new Date(now.getTime() - 2 * positionDays * dayMs);
  const conditions = [sql`at >= ${since}`];
  if (within !== undefined)
    conditions.push(
      sql`(written_in, settlement.usage_id) > (${within.changedIn}::text::xid8, ${within.usageId}::uuid)`,
    );
  if (customerId !== undefined) conditions.push(sql`usage.customer_id = ${customerId}`);
  if (agentId !== undefined) conditions.push(sql`usage.agent_id = ${agentId}`);
  if (indicator !== undefined) conditions.push(sql`usage.indicator = ${indicator}`);
  if (outcome !== undefined && outcome !== "unsettled") conditions.push(sql`outcome = ${outcome}`);
  return conditions;
}
