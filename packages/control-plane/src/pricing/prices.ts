import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { limitReached } from "../limits/limit-reached.ts";
import { readLimit } from "../limits/limits.ts";
import { requireRoomForCurrencies } from "../limits/room.ts";
import { type DatedTerms, readTerms, termsAt, type WrittenTerms, writeTerms } from "./terms.ts";

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
  written: WrittenTerms,
  { validFrom, now, setBy }: PriceSetting,
): Promise<PriceChange> {
  if (validFrom < now) return { changed: false, reason: "in_the_past" };
  if (!(await lockIndicator(transaction, key))) return { changed: false, reason: "indicator_unknown" };
  const versions = await termsOf(transaction, key);
  const terms = writeTerms(readTerms(written));
  const before = termsAt(versions, validFrom);
  if (before !== undefined && JSON.stringify(writeTerms(before)) === JSON.stringify(terms)) {
    return { changed: false, reason: "unchanged", version: before.version };
  }
  if (versions.length > 0) {
    const most = await readLimit(transaction, key.orgId, "versionsOfPrice");
    if (versions.length >= most) throw limitReached("versionsOfPrice", most);
  }
  if (terms.currency) await requireRoomForCurrencies(transaction, key.orgId, [terms.currency], now);
  const version = versions.length + 1;
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

/** All terms of an indicator in the order in which they come into force; none if there is no such indicator. */
export async function termsOf(
  database: Pick<Database, "selectFrom">,
  { orgId, agentId, indicator }: IndicatorKey,
): Promise<readonly PriceVersion[]> {
  const rows = await database
    .selectFrom("prices")
    .select(["version", "valid_from", "set_by", "set_at", "billing", "currency", "price", "model_prices"])
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .where("indicator", "=", indicator)
    .orderBy("valid_from")
    .orderBy("version")
    .execute();
  return rows.map(({ version, valid_from, set_by, set_at, model_prices, ...row }) => ({
    ...readTerms({ ...row, modelPrices: model_prices }),
    version,
    validFrom: valid_from,
    setBy: set_by,
    setAt: set_at,
  }));
}
