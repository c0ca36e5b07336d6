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
  /** Whether what has changed before is not known: the database is another one, or the position too old. */
  readonly isAnew: boolean;
}

/** Reports that are read with one statement. */
const atOnce = 50;

/** For how long a position is good. */
const positionDays = 1;

interface Look {
  readonly to: string;
  readonly latest: string;
}

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
    select ends::text as "to", pg_current_snapshot()::text as latest, found.*
      from look left join lateral (
           select ${usageColumns}, changed_in::text as "changedIn"
             from usage_reports
            where org_id = ${orgId} and changed_in >= ${String(least)}::text::xid8 and changed_in < pg_snapshot_xmax(ends)
              and not pg_visible_in_snapshot(changed_in, ${from}::pg_snapshot)
              and pg_visible_in_snapshot(changed_in, ends)
              and ${sql.join(conditionsOf(filter, within, now), sql` and `)}
            order by changed_in, usage_id limit ${atOnce + 1}) as found on true
     order by found."changedIn"::xid8, found."usageId"`.execute(database);
  const [look] = rows;
  if (look === undefined) throw new Error("The database returned no snapshot.");
  // A database that was restored from a dump counts its transactions anew.
  if (endOf(from) > endOf(look.latest)) return beginning(database, readAt, true);
  const found = rows.filter((row): row is Found => "changedIn" in row && row.changedIn !== null);
  const changes = found.slice(0, atOnce).map((row) => ({
    usage: row,
    position: { from, readAt, within: { to: look.to, changedIn: row.changedIn, usageId: row.usageId } },
  }));
  const last = changes.at(-1);
  if (found.length > atOnce && last !== undefined)
    return { changes, position: last.position, hasMore: true, isAnew: false };
  // Up to the end of what was begun there may be more since.
  return { changes, position: { from: look.to, readAt }, hasMore: within !== undefined, isAnew: false };
}

async function beginning(database: Database, readAt: number, isAnew: boolean): Promise<UsageChanges> {
  const { rows } = await sql<{ from: string }>`select pg_current_snapshot()::text as "from"`.execute(
    database,
  );
  const [{ from } = { from: "" }] = rows;
  return { changes: [], position: { from, readAt }, hasMore: false, isAnew };
}

function conditionsOf(
  { customer_id, agent_id, indicator, outcome }: UsageFeedQuery,
  within: ChangePosition["within"],
  now: Date,
): readonly RawBuilder<unknown>[] {
  // In a database that was restored, old rows have numbers that come again.
  const since = new Date(now.getTime() - 2 * positionDays * dayMs);
  const conditions = [sql`greatest(received_at, settled_at) >= ${since}`];
  if (within !== undefined)
    conditions.push(sql`(changed_in, usage_id) > (${within.changedIn}::text::xid8, ${within.usageId}::uuid)`);
  if (customer_id !== undefined) conditions.push(sql`customer_id = ${customer_id}`);
  if (agent_id !== undefined) conditions.push(sql`agent_id = ${agent_id}`);
  if (indicator !== undefined) conditions.push(sql`indicator = ${indicator}`);
  if (outcome === "unsettled") conditions.push(sql`settled_at is null`);
  else if (outcome !== undefined) conditions.push(sql`outcome = ${outcome}`);
  return conditions;
}
