import { setTimeout } from "node:timers/promises";
import { sql } from "kysely";
import { grantedTables } from "./app-role.ts";
import type { Database } from "./connection.ts";
import { unavailableReason } from "./unavailable.ts";

/** How far a server is. After a failover, or where it was brought back to a moment, it goes on along a timeline of its own. */
export interface Position {
  readonly timeline: number;
  readonly place: string;
}

/** How far the primary is. */
export interface Positions {
  /** What was committed before this call is at or before the position. Those who ask at once share an answer. */
  next(): Promise<Position>;
}

/** The timeline of a server that can be written to. */
const ownTimeline = sql`('x' || left(pg_walfile_name(pg_current_wal_flush_lsn()), 8))::bit(32)::integer`;

/** That of a standby, as it was noted last: what a standby reads of another one before that is too old, and never wrong. */
const notedTimeline = sql`
  greatest((select timeline_id from pg_control_checkpoint()), (select min_recovery_end_timeline from pg_control_recovery()))`;

export function createPositions(primary: Database): Positions {
  let running: Promise<unknown> = Promise.resolve();
  let waiting: Promise<Position> | undefined;
  const read = async (): Promise<Position> => {
    waiting = undefined;
    // Where commits do not wait for the disk, one that is seen may be behind the other position.
    const { rows } = await sql<Position>`
      select ${ownTimeline} as timeline,
             (case current_setting('synchronous_commit') when 'off' then pg_current_wal_insert_lsn()
              else pg_current_wal_flush_lsn() end)::text as place`.execute(primary);
    const [row] = rows;
    if (row === undefined) throw new Error("PostgreSQL did not report its position.");
    return row;
  };
  return {
    next() {
      waiting ??= running.then(read);
      running = waiting.catch(() => undefined);
      return waiting;
    },
  };
}

const pauseMs = 5;

/**
 * Waits for a replica to have all up to a position; resolves whether it has, in time. One on another timeline may be past
 * it by what the primary has never had.
 */
export async function catchesUp(
  replica: Database,
  { timeline, place }: Position,
  waitMs: number,
): Promise<boolean> {
  const end = performance.now() + waitMs;
  for (;;) {
    const { rows } = await sql<{ isThere: boolean | null }>`
      select pg_is_in_recovery() and ${notedTimeline} = ${timeline}
             and pg_last_wal_replay_lsn() >= ${place}::pg_lsn as "isThere"`.execute(replica);
    if (rows[0]?.isThere === true) return true;
    if (performance.now() + pauseMs > end) return false;
    await setTimeout(pauseMs);
  }
}

/** How far a replica may be behind that is to be used again. */
const behindMs = 1_000;

/** Why lists cannot be read from a replica, or `undefined` where they can. Rejects while the primary is out of reach. */
export async function faultOf(
  primary: Database,
  positions: Positions,
  replica: Database,
): Promise<string | undefined> {
  const [position, expected] = [await positions.next(), await describe(primary)];
  try {
    const found = await describe(replica);
    if (!found.isStandby) return "expected a standby, received a server that can be written to";
    if (found.system !== expected.system || found.name !== expected.name)
      return "expected a standby with the database of DATABASE_URL, received another";
    if (found.timeline !== position.timeline)
      return `expected a standby on the primary's timeline ${position.timeline}, received one on ${found.timeline}`;
    // What is not there yet comes with what it lacks.
    if (!(await catchesUp(replica, position, behindMs)))
      return `it lacks ${await lackOf(replica, position)} bytes of what the primary had written ${behindMs} ms before`;
    const { unreadable } = await describe(replica);
    return unreadable === null
      ? undefined
      : `expected a role that may read the tables, received one that may not read ${unreadable}`;
  } catch (error) {
    return unavailableReason(error);
  }
}

interface Server {
  readonly isStandby: boolean;
  /** The same for a server and its replicas. */
  readonly system: string;
  readonly name: string;
  readonly timeline: number;
  readonly unreadable: string | null;
}

async function describe(database: Database): Promise<Server> {
  const { rows } = await sql<Server>`
    select pg_is_in_recovery() as "isStandby", system_identifier::text as system, current_database()::text as name,
           case when pg_is_in_recovery() then ${notedTimeline} else ${ownTimeline} end as timeline,
           (select string_agg(name, ', ') from unnest(${grantedTables}::text[]) as name
             where not coalesce(has_table_privilege(to_regclass(name), 'select'), false)) as unreadable
      from pg_control_system()`.execute(database);
  const [row] = rows;
  if (row === undefined) throw new Error("PostgreSQL did not report what it is.");
  return row;
}

async function lackOf(replica: Database, { place }: Position): Promise<string> {
  const { rows } = await sql<{ bytes: string | null }>`
    select pg_wal_lsn_diff(${place}::pg_lsn, pg_last_wal_replay_lsn())::text as bytes`.execute(replica);
  return rows[0]?.bytes ?? "all";
}
