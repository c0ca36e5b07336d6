import type { Database } from "../database/connection.ts";
import type { Json } from "../http/json.ts";
import {
  type IndicatorKey,
  inForceFirst,
  type PriceVersion,
  selectVersions,
  versionOf,
} from "../pricing/prices.ts";
import { priceJson, writeTerms } from "../pricing/terms.ts";
import { type TaggedRecord, tagged } from "./edits.ts";

/** A version of a price as the admin API answers it; what users have named, such as a model, is never a key of an object. */
export function priceRecord(terms: PriceVersion, inForce: number | undefined): TaggedRecord {
  const { billing, currency, price, modelPrices } = writeTerms(terms);
  return tagged("price.set", {
    version: terms.version,
    validFrom: terms.validFrom.toISOString(),
    setBy: terms.setBy,
    setAt: terms.setAt?.toISOString() ?? null,
    inForce: terms.version === inForce,
    billing,
    currency: currency ?? null,
    price: priceJson(price ?? {}),
    modelPrices: (modelPrices ?? []).map(
      ({ provider, model, plan, price: own }): Json => ({
        provider,
        model,
        ...(plan === undefined ? {} : { plan }),
        price: priceJson(own),
      }),
    ),
  });
}

/** One version of a price, as of an instant. */
export async function readPriceRecord(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
  version: number,
  at: Date,
): Promise<TaggedRecord> {
  const found = await selectVersions(database, key).where("version", "=", version).executeTakeFirst();
  if (found === undefined) throw new Error(`Version ${version} of the price of ${key.indicator} is gone.`);
  return priceRecord(versionOf(found), await versionInForce(database, key, at));
}

/** The number of the version that is in force at an instant; `undefined` if there is no such indicator. */
export async function versionInForce(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
  at: Date,
): Promise<number | undefined> {
  const found = await selectVersions(database, key)
    .clearSelect()
    .select("version")
    .orderBy(inForceFirst(at))
    .limit(1)
    .executeTakeFirst();
  return found?.version;
}
