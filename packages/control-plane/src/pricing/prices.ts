import type { IndicatorTerms } from "@creditgate/admin";
import { type RawBuilder, type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { Problem } from "../http/problem.ts";
import { limitReached, readLimit, requireRoomForCurrencies } from "../limits/limits.ts";
import { type DatedTerms, readTerms, writeTerms } from "./terms.ts";

export interface IndicatorKey {
  readonly orgId: bigint;
  readonly agentId: string;
  readonly indicator: string;
}

/** From when on terms are to hold, and who says so. */
export interface PriceSetting {
  readonly validFrom: Date;
  readonly now: Date;
  /** As an actor of the audit log. */
  readonly setBy: string;
}

export type PriceChange =
  | { readonly changed: true; readonly version: number }
  /** The terms hold already, by this version. */
  | { readonly changed: false; readonly reason: "unchanged"; readonly version: number }
  | { readonly changed: false; readonly reason: "indicator_unknown" | "in_the_past" };

/**
 * Gives an indicator new terms from `validFrom` on, which may lie ahead: a version is added, none is changed. What has
 * been received before keeps its price, so there is no way back in time. Terms that hold already stay as they are.
 */
export async function changePrice(
  transaction: DatabaseTransaction,
  key: IndicatorKey,
  written: IndicatorTerms,
  { validFrom, now, setBy }: PriceSetting,
): Promise<PriceChange> {
  if (validFrom < now) return { changed: false, reason: "in_the_past" };
  if (!(await lockIndicator(transaction, key))) return { changed: false, reason: "indicator_unknown" };
  const terms = writeTerms(readTerms(written));
  const before = await termsInForce(transaction, key, validFrom);
  if (before !== undefined && JSON.stringify(writeTerms(before)) === JSON.stringify(terms)) {
    return { changed: false, reason: "unchanged", version: before.version };
  }
  const newest = await newestVersion(transaction, key);
  if (newest > 0) {
    const most = await readLimit(transaction, key.orgId, "versionsOfPrice");
    if (newest >= most) throw limitReached("versionsOfPrice", most);
  }
  if (validFrom > now) await requireRoomToCome(transaction, key, now);
  if (terms.currency) await requireRoomForCurrencies(transaction, key.orgId, [terms.currency], now);
  const version = newest + 1;
  await transaction
    .insertInto("prices")
    .values({
      org_id: key.orgId,
      agent_id: key.agentId,
      indicator: key.indicator,
      version,
      valid_from: validFrom,
      billing: terms.billing,
      currency: terms.currency,
      price: JSON.stringify(terms.price),
      model_prices: JSON.stringify(terms.modelPrices),
      set_by: setBy,
      set_at: now,
    })
    .execute();
  return { changed: true, version };
}

/** Versions of a price that are to come: each replica reads them all, again and again, while the indicator is used. */
const mostToCome = 20;

async function requireRoomToCome(
  transaction: DatabaseTransaction,
  key: IndicatorKey,
  now: Date,
): Promise<void> {
  const coming = await selectVersions(transaction, key)
    .clearSelect()
    .select("version")
    .where("valid_from", ">", now)
    .limit(mostToCome)
    .execute();
  if (coming.length < mostToCome) return;
  const detail = `expected at most ${mostToCome} versions of the price that are to come, received one more`;
  throw new Problem(422, "too_many_prices", detail);
}

/** How many versions there are: they are numbered from 1 on. */
async function newestVersion(transaction: DatabaseTransaction, key: IndicatorKey): Promise<number> {
  const newest = await selectVersions(transaction, key)
    .clearSelect()
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return newest?.version ?? 0;
}

/** Lets changes of an indicator come one after the other; `false` where there is none. */
export async function lockIndicator(
  transaction: DatabaseTransaction,
  { orgId, agentId, indicator }: IndicatorKey,
): Promise<boolean> {
  const found = await transaction
    .selectFrom("indicators")
    .select("name")
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .where("name", "=", indicator)
    .forUpdate()
    .executeTakeFirst();
  return found !== undefined;
}

/** Terms of an indicator, and which of its versions they are. */
export interface PriceVersion extends DatedTerms {
  readonly version: number;
  readonly setBy: string | null;
  readonly setAt: Date | null;
}

const columns = [
  "version",
  "valid_from",
  "set_by",
  "set_at",
  "billing",
  "currency",
  "price",
  "model_prices",
] as const;

type Row = Pick<Selectable<Tables["prices"]>, (typeof columns)[number]>;

/** The versions of the price of an indicator, in no order. */
export function selectVersions(
  database: Pick<Database, "selectFrom">,
  { orgId, agentId, indicator }: IndicatorKey,
): SelectQueryBuilder<Tables, "prices", Row> {
  return database
    .selectFrom("prices")
    .select(columns)
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .where("indicator", "=", indicator);
}

/** All terms of an indicator in the order in which they come into force; none if there is no such indicator. */
export async function termsOf(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
): Promise<readonly PriceVersion[]> {
  const rows = await selectVersions(database, key).orderBy("valid_from").orderBy("version").execute();
  return rows.map(versionOf);
}

/** The terms that were in force from one instant to another, in their order; none if there is no such indicator. */
export async function termsBetween(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
  { from, to }: { readonly from: Date; readonly to: Date },
): Promise<readonly PriceVersion[]> {
  const first = await termsInForce(database, key, from);
  if (first === undefined) return [];
  const rows = await selectVersions(database, key)
    .distinctOn("valid_from")
    .where("valid_from", ">", first.validFrom)
    .where("valid_from", "<=", to)
    .orderBy("valid_from")
    .orderBy("version", "desc")
    .execute();
  return [first, ...rows.map(versionOf)];
}

/** The terms in force at an instant, as `termsAt` finds them; `undefined` if there is no such indicator. */
export async function termsInForce(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
  at: Date,
): Promise<PriceVersion | undefined> {
  const row = await selectVersions(database, key).orderBy(inForceFirst(at)).limit(1).executeTakeFirst();
  return row && versionOf(row);
}

/** For `order by`: of the versions of a price first the one that `termsAt` finds. Each may name a thousand models. */
export function inForceFirst(at: Date): RawBuilder<unknown> {
  const holds = sql`valid_from <= ${at}::timestamptz`;
  return sql`${holds} desc, case when ${holds} then valid_from end desc, case when ${holds} then version end desc, valid_from, version`;
}

/** The size of a version of a price, in bytes. */
export const versionBytes: RawBuilder<number> = sql<number>`octet_length(price::text) + octet_length(model_prices::text)`;

/** A version of a price, out of its row. */
export function versionOf({ version, valid_from, set_by, set_at, model_prices, ...row }: Row): PriceVersion {
  return {
    ...readTerms({ ...row, modelPrices: model_prices }),
    version,
    validFrom: valid_from,
    setBy: set_by,
    setAt: set_at,
  };
}
