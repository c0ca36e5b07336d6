import type { Database } from "../database/connection.ts";
import type { Json, JsonObject } from "../http/json.ts";
import { priceJson } from "../pricing/price-json.ts";
import { type IndicatorKey, type PriceVersion, termsOf } from "../pricing/prices.ts";
import { termsAt, writeTerms } from "../pricing/terms.ts";

/** A version of a price as the admin API answers it; what users have named, such as a model, is never a key of an object. */
export function priceRecord(terms: PriceVersion, inForce: PriceVersion | undefined): JsonObject {
  const { billing, currency, price, modelPrices } = writeTerms(terms);
  return {
    version: terms.version,
    validFrom: terms.validFrom.toISOString(),
    setBy: terms.setBy,
    setAt: terms.setAt?.toISOString() ?? null,
    inForce: terms === inForce,
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
  };
}

/** One version of a price, as of an instant. */
export async function readPriceRecord(
  database: Pick<Database, "selectFrom">,
  key: IndicatorKey,
  version: number,
  at: Date,
): Promise<JsonObject> {
  const versions = await termsOf(database, key);
  const found = versions.find((candidate) => candidate.version === version);
  if (found === undefined) throw new Error(`Version ${version} of the price of ${key.indicator} is gone.`);
  return priceRecord(found, termsAt(versions, at));
}
