import { type RawBuilder, sql } from "kysely";
import { type Database, isUnavailable } from "../database/connection.ts";
import type { WalletKey } from "../wallets/entry.ts";
import { clearOrganizations } from "./failures.ts";
import { type PeriodSettings, periodStart } from "./settings.ts";

export interface DueSelection {
  readonly database: Database;
  readonly defaults: PeriodSettings;
  readonly now: Date;
  /** How long after its end a period is closed at the earliest: requests that came before it are stored by then. @default 0 */
  readonly graceMs?: number;
  /** Only this organisation. */
  readonly orgId?: bigint;
  /** Ends the running period now, instead of where it ends by the calendar. */
  readonly early?: boolean;
}

/** An organisation with postpaid wallets that are not invoiced up to an end that has passed. */
export interface DueOrganization {
  readonly orgId: bigint;
  readonly periodEnd: Date;
  /** Usage from before the end is not settled yet: the invoice would lack it. */
  readonly waits: boolean;
}

/** The organisations whose periods have ended. One that fails, as with a time zone that is gone, is reported and left out. */
export async function dueOrganizations(
  selection: DueSelection,
  onFailure: (orgId: bigint, error: unknown) => Promise<void>,
): Promise<readonly DueOrganization[]> {
  const { database, now, early = false } = selection;
  const ended = await endedPeriods(selection, onFailure);
  const orgIds = ended.map(({ orgId }) => orgId);
  if (orgIds.length === 0) return [];
  const { rows } = await sql<{ orgId: bigint; oldest: Date }>`
    select org_id as "orgId", min(received_at) as oldest from usage_due
     -- What has failed is on the invoice of a later period, once it can be settled.
     where failed_at is null and org_id = any(${orgIds}::bigint[])
     group by org_id`.execute(database);
  const unsettled = new Map(rows.map(({ orgId, oldest }) => [orgId, oldest]));
  return ended.map(({ orgId, periodEnd }) => {
    const oldest = unsettled.get(orgId);
    // What is not settled yet is left to the next invoice, where the end can be chosen.
    if (early) return { orgId, periodEnd: oldest !== undefined && oldest < now ? oldest : now, waits: false };
    return { orgId, periodEnd, waits: oldest !== undefined && oldest < periodEnd };
  });
}

interface Ended {
  readonly orgId: bigint;
  readonly periodEnd: Date;
}

async function endedPeriods(
  selection: DueSelection,
  onFailure: (orgId: bigint, error: unknown) => Promise<void>,
): Promise<readonly Ended[]> {
  const { database, orgId } = selection;
  try {
    const ended = await readEnded(selection);
    await clearOrganizations(database, orgId);
    return ended;
  } catch (error) {
    if (isUnavailable(error)) throw error;
    if (orgId !== undefined) {
      await onFailure(orgId, error);
      return [];
    }
  }
  // One of the organisations is wrong: the others must not wait for it.
  const ended: Ended[] = [];
  for (const { org_id } of await database.selectFrom("organizations").select("org_id").execute()) {
    ended.push(...(await endedPeriods({ ...selection, orgId: org_id }, onFailure)));
  }
  return ended;
}

async function readEnded({
  database,
  defaults,
  now,
  orgId,
  early = false,
  graceMs = 0,
}: DueSelection): Promise<readonly Ended[]> {
  const end: RawBuilder<Date> = early
    ? sql<Date>`${now}::timestamptz`
    : periodStart(defaults, new Date(now.getTime() - graceMs));
  const { rows } = await sql<Ended>`
    select org_id as "orgId", period.end_at as "periodEnd"
      from organizations, lateral (select ${end} as end_at) as period
     where (${orgId ?? null}::bigint is null or org_id = ${orgId ?? null})
       and exists (select from wallets
                    where wallets.org_id = organizations.org_id and kind = 'postpaid'
                      and accrues_from < period.end_at)
     order by org_id`.execute(database);
  return rows;
}

/** A place in the order in which wallets are closed. */
export interface DueWallet extends WalletKey {
  /** As text, since a `Date` has no microseconds. */
  readonly accruesFrom: string;
}

/** The next wallets of an organisation that are due, after a place: what was closed before is not read again. */
export async function dueWallets(
  database: Database,
  { orgId, periodEnd }: DueOrganization,
  after: DueWallet | undefined,
  limit: number,
): Promise<readonly DueWallet[]> {
  const rest =
    after === undefined
      ? sql`true`
      : sql`(accrues_from, customer_id, currency)
          > (${after.accruesFrom}::timestamptz, ${after.customerId}::text, ${after.currency}::text)`;
  const { rows } = await sql<DueWallet>`
    select org_id as "orgId", customer_id as "customerId", currency, accrues_from::text as "accruesFrom"
      from wallets
     where org_id = ${orgId} and kind = 'postpaid' and accrues_from < ${periodEnd} and ${rest}
       and not exists (select from period_failures as failure
                        where (failure.org_id, failure.customer_id, failure.currency)
                            = (wallets.org_id, wallets.customer_id, wallets.currency))
     order by accrues_from, customer_id, currency
     limit ${limit}`.execute(database);
  return rows;
}
