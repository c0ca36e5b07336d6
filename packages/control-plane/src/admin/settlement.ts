import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { dayMs } from "../usage/tallies.ts";
import type { AdminHandlers } from "./table.ts";

/** Reports that are counted at most: a page that asks each few seconds must not read a backlog. */
const mostCounted = 10_000;

/** How long usage may have been due until it is late. */
const lateMs = 5_000;

/** How far settlement is behind, and was. */
export function settlementHandlers(database: Database) {
  return {
    async settlementState({ orgId, at }) {
      const rows = await readWaiting(database, orgId, mostCounted + 1);
      const waiting = rows.reduce((sum, { events }) => sum + Number(events), 0);
      const due = rows.map((row) => row.due.getTime()).sort((one, other) => one - other)[0];
      return answer(200, {
        waiting: Math.min(waiting, mostCounted),
        more: waiting > mostCounted,
        sums: rows.flatMap(({ currency, credits }) =>
          currency === null ? [] : [{ creditCurrencyKey: currency, credits: BigInt(credits) }],
        ),
        dueSince: due === undefined ? null : new Date(due).toISOString(),
        isLate: due !== undefined && at.getTime() - due > lateMs,
      });
    },

    async settlementAges({ orgId, at }) {
      const from = new Date(at.getTime() - dayMs);
      const rows = await readSettlementAges(database, orgId, { from, to: at });
      return answer(200, {
        from: from.toISOString(),
        to: at.toISOString(),
        ages: rows.map(({ at: began, sampled, medianMs, p95Ms }) => ({
          at: began.toISOString(),
          sampled: Number(sampled),
          medianMs,
          p95Ms,
        })),
      });
    },
  } satisfies Partial<AdminHandlers>;
}

/** How long settlement took, of what was received in a half hour. */
interface SettlementAgeRow {
  readonly at: Date;
  readonly sampled: bigint;
  readonly medianMs: number;
  readonly p95Ms: number;
}

/** Ten reports of each five minutes: by the index of their time, however many there are. */
async function readSettlementAges(
  database: Database,
  orgId: bigint,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly SettlementAgeRow[]> {
  const { rows } = await sql<SettlementAgeRow>`
    select date_bin('30 minutes', step, ${from}) as at, count(*) as sampled,
           percentile_disc(0.5) within group (order by age) as "medianMs",
           percentile_disc(0.95) within group (order by age) as "p95Ms"
      from generate_series(${from}::timestamptz, ${to}::timestamptz - interval '5 minutes', interval '5 minutes') as step,
           lateral (select round(extract(epoch from coalesce(settled_at, ${to}) - received_at) * 1000)::float8 as age
                      from (select org_id, usage_id, received_at from usage_reports
                             where org_id = ${orgId} and received_at >= step and received_at < step + interval '5 minutes'
                             order by received_at limit 10) as report
                      left join usage_settlements using (org_id, usage_id)) as sampled
     group by 1 order by 1`.execute(database);
  return rows;
}

/** What waits to be settled, in one currency; without one it is not in CREDITS. */
interface WaitingRow {
  readonly currency: string | null;
  readonly events: bigint;
  /** Micro-credits as text. */
  readonly credits: string;
  readonly due: Date;
}

/** Counted are the oldest `most` reports. Those that have failed wait for an administrator. */
async function readWaiting(database: Database, orgId: bigint, most: number): Promise<readonly WaitingRow[]> {
  const { rows } = await sql<WaitingRow>`
    select currency, count(*) as events, sum(amount)::text as credits, min(due_at) as due
      from (select currency, amount, due_at from usage_due
             where org_id = ${orgId} and failed_at is null
             order by received_at, usage_id limit ${most}) as waiting
     group by 1`.execute(database);
  return rows;
}
