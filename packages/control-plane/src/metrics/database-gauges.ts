import { type RawBuilder, sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { migrations } from "../database/migrate.ts";
import { tablesByMonth } from "../database/partitions.ts";
import { type PeriodSettings, periodStart } from "../periods/settings.ts";
import { voiceSweepAgeMs } from "../voice/sweep.ts";

/** One value, or one for each set of labels. */
export type Reading = readonly { readonly value: number; readonly labels?: Record<string, string> }[];

/** When a gauge is read, and what its meaning goes by. */
export interface GaugeContext {
  readonly now: Date;
  readonly periodSettings: PeriodSettings;
}

/** What is the same from every process, since it is asked of the database. */
export interface DatabaseGauge {
  readonly name: string;
  readonly help: string;
  readonly labelNames?: readonly string[];
  read(database: Database, context: GaugeContext): Promise<Reading>;
}

export const databaseGauges: readonly DatabaseGauge[] = [
  {
    name: "creditgate_migrations_pending",
    help: "Steps of this version's schema that the database lacks.",
    async read(database) {
      const rows = await database.selectFrom("creditgate_migrations").select("version").execute();
      const applied = new Set(rows.map(({ version }) => version));
      return one(migrations.filter(({ version }) => !applied.has(version)).length);
    },
  },
  {
    name: "creditgate_settlement_queue_depth",
    help: "Usage events that are accepted and not settled, in the whole database.",
    read: counted(() => sql<Count>`select count(*) as count from usage_due`),
  },
  {
    name: "creditgate_settlement_overdue_seconds",
    help: "How long the oldest usage event that is not settled, and has not failed, has been due, in the whole database.",
    read: aged(() => sql<Oldest>`select min(due_at) as oldest from usage_due where failed_at is null`),
  },
  {
    name: "creditgate_settlement_failures",
    help: "Usage events that could not be settled when they were tried last, in the whole database.",
    read: counted(() => sql<Count>`select count(*) as count from usage_due where failed_at is not null`),
  },
  {
    name: "creditgate_usage_unbilled",
    help: "Usage events that were accepted and that no wallet has paid, by the reason, in the whole database.",
    labelNames: ["reason"],
    async read(database) {
      const { rows } = await sql<{ reason: string } & Count>`
        select outcome as reason, count(*) as count from usage_outcomes
         where outcome in ('wallet_missing', 'out_of_range')
         group by outcome`.execute(database);
      return ["wallet_missing", "out_of_range"].map((reason) => ({
        value: Number(rows.find((row) => row.reason === reason)?.count ?? 0n),
        labels: { reason },
      }));
    },
  },
  {
    name: "creditgate_period_queue_depth",
    help: "Organisations with wallets that are not invoiced up to the end of their last period, and have not failed, in the whole database.",
    read: counted((context) => sql<Count>`select count(*) as count from (${duePeriods(context)}) as due`),
  },
  {
    name: "creditgate_period_overdue_seconds",
    help: "How long ago the first of the periods ended that are not invoiced, and have not failed, in the whole database.",
    read: aged((context) => sql<Oldest>`select min(end_at) as oldest from (${duePeriods(context)}) as due`),
  },
  {
    name: "creditgate_period_failures",
    help: "Wallets and organisations whose period could not be invoiced when it was tried last, in the whole database.",
    read: counted(() => sql<Count>`select count(*) as count from period_failures`),
  },
  {
    name: "creditgate_voice_queue_depth",
    help: "Voice calls that got no indicator for a day and are not ended yet, in the whole database.",
    read: counted((context) => sql<Count>`select count(*) as count from (${silentCalls(context)}) as silent`),
  },
  {
    name: "creditgate_voice_overdue_seconds",
    help: "How long the first of the voice calls that got no indicator for a day has been due to be ended, in the whole database.",
    read: aged(
      (context) => sql<Oldest>`select min(heard_at) as oldest from (${silentCalls(context)}) as silent`,
      since,
    ),
  },
  {
    name: "creditgate_voice_sessions_abandoned",
    help: "Voice calls with tracked usage that got no indicator and cannot be billed without one, in the whole database.",
    read: counted(
      () => sql<Count>`
        select count(*) as count from voice_sessions as session
         where closed_at is null and abandoned_at is not null
           and exists (select from voice_usage as part
                        where part.org_id = session.org_id and part.session_id = session.session_id)`,
    ),
  },
  {
    name: "creditgate_webhook_queue_depth",
    help: "Events that endpoints have not received yet, once for each endpoint, in the whole database.",
    read: counted(
      () => sql<Count>`select coalesce(sum(waiting), 0) as count from webhook_streams where waiting > 0`,
    ),
  },
  {
    name: "creditgate_webhook_oldest_seconds",
    help: "How long ago the oldest event happened that an endpoint has not received, in the whole database.",
    read: aged(
      () => sql<Oldest>`select min(created_at) as oldest from webhook_deliveries where status = 'pending'`,
    ),
  },
  {
    name: "creditgate_webhook_endpoints_disabled",
    help: "Endpoints that are disabled because they failed for days, or have answered 410, in the whole database.",
    read: counted(
      () =>
        sql<Count>`select count(*) as count from webhook_endpoints where disabled_why in ('failing', 'gone')`,
    ),
  },
  {
    name: "creditgate_partitions_end_seconds",
    help: "In how many seconds the first month begins that has no partition of a table, by the table.",
    labelNames: ["table"],
    async read(database, { now }) {
      const { rows } = await sql<{ table: string; reach: Date }>`
        select name as table, partitions_reach(name, ${now}) as reach
          from unnest(${tablesByMonth}::text[]) as name`.execute(database);
      return rows.map(({ table, reach }) => ({
        value: (reach.getTime() - now.getTime()) / 1_000,
        labels: { table },
      }));
    },
  },
  {
    name: "creditgate_partitions_detached",
    help: "Tables that were partitions, which the owner has not dropped yet.",
    read: counted(
      () =>
        sql<Count>`select count(*) as count from detached_partitions where to_regclass(quote_ident(name)) is not null`,
    ),
  },
];

interface Count {
  readonly count: bigint | string;
}

interface Oldest {
  readonly oldest: Date | null;
}

function one(value: number): Reading {
  return [{ value }];
}

function counted(statement: (context: GaugeContext) => RawBuilder<Count>): DatabaseGauge["read"] {
  return async (database, context) => {
    const { rows } = await statement(context).execute(database);
    return one(Number(rows[0]?.count ?? 0));
  };
}

/** Seconds since the oldest, 0 where there is none. */
function aged(
  statement: (context: GaugeContext) => RawBuilder<Oldest>,
  until = ({ now }: GaugeContext): Date => now,
): DatabaseGauge["read"] {
  return async (database, context) => {
    const { rows } = await statement(context).execute(database);
    const oldest = rows[0]?.oldest?.getTime() ?? Number.POSITIVE_INFINITY;
    return one(Math.max(0, until(context).getTime() - oldest) / 1_000);
  };
}

/** Settings that PostgreSQL refuses are a failure of their organisation, and must not hide the others. */
function duePeriods({ now, periodSettings }: GaugeContext) {
  return sql`
    select end_at
      from (select org_id,
                   case when exists (select from period_failures as failure
                                      where failure.org_id = organizations.org_id and failure.customer_id is null)
                        then null else ${periodStart(periodSettings, now)} end as end_at
              from organizations) as period
     where exists (select from wallets
                    where wallets.org_id = period.org_id and kind = 'postpaid' and accrues_from < period.end_at
                      and not exists (select from period_failures as failure
                                       where (failure.org_id, failure.customer_id, failure.currency)
                                           = (wallets.org_id, wallets.customer_id, wallets.currency)))`;
}

function since({ now }: GaugeContext): Date {
  return new Date(now.getTime() - voiceSweepAgeMs);
}

/** The calls that the sweep looks for. */
function silentCalls(context: GaugeContext) {
  return sql`
    select heard_at
      from (select greatest(opened_at, (select max(received_at) from voice_usage as part
                                         where part.org_id = session.org_id
                                           and part.session_id = session.session_id)) as heard_at
              from voice_sessions as session
             where closed_at is null and abandoned_at is null and opened_at <= ${since(context)}) as call
     where heard_at <= ${since(context)}`;
}
