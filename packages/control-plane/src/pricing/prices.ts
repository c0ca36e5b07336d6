import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { type DatedTerms, readTerms, termsAt, type WrittenTerms, writeTerms } from "./terms.ts";

export interface IndicatorKey {
  readonly orgId: bigint;
  readonly agentId: string;
  readonly indicator: string;
}

export type PriceChange =
  | { readonly changed: true; readonly version: number }
  | { readonly changed: false; readonly reason: "indicator_unknown" | "in_the_past" | "unchanged" };

/**
 * Gives an indicator new terms from `validFrom` on, which may lie ahead: a version is added, none is changed. What has
 * been received before keeps its price, so there is no way back in time. Terms that hold already stay as they are.
 */
export async function changePrice(
  transaction: DatabaseTransaction,
  key: IndicatorKey,
  written: WrittenTerms,
  { validFrom, now }: { readonly validFrom: Date; readonly now: Date },
): Promise<PriceChange> {
  if (validFrom < now) return { changed: false, reason: "in_the_past" };
  // Changes of one indicator come one after the other.
  const indicator = await transaction
    .selectFrom("indicators")
    .select("name")
    .where("org_id", "=", key.orgId)
    .where("agent_id", "=", key.agentId)
    .where("name", "=", key.indicator)
    .forUpdate()
    .executeTakeFirst();
  if (indicator === undefined) return { changed: false, reason: "indicator_unknown" };
  const versions = await termsOf(transaction, key);
  const terms = writeTerms(readTerms(written));
  const before = termsAt(versions, validFrom);
  if (before !== undefined && JSON.stringify(writeTerms(before)) === JSON.stringify(terms)) {
    return { changed: false, reason: "unchanged" };
  }
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
    })
    .execute();
  return { changed: true, version };
}

/** All terms of an indicator in the order in which they come into force; none if there is no such indicator. */
export async function termsOf(
  database: Pick<Database, "selectFrom">,
  { orgId, agentId, indicator }: IndicatorKey,
): Promise<readonly DatedTerms[]> {
  const rows = await database
    .selectFrom("prices")
    .select(["valid_from", "billing", "currency", "price", "model_prices"])
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .where("indicator", "=", indicator)
    .orderBy("valid_from")
    .orderBy("version")
    .execute();
  return rows.map(({ valid_from, model_prices, ...row }) => ({
    ...readTerms({ ...row, modelPrices: model_prices }),
    validFrom: valid_from,
  }));
}
