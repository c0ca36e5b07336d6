import { nearestName } from "@creditgate/client";
import type { Database } from "../database/connection.ts";
import { Problem } from "../http/problem.ts";

const mostNamed = 20;
/** Beyond it a name that is misspelt gets no advice. */
const mostRead = 1_000;

/**
 * Throws a 422 that names those that the organisation has. A misspelt currency would make a wallet that no indicator
 * debits: a customer who pays into it is served for nothing.
 */
export async function requireCurrency(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  currency: string,
): Promise<void> {
  const currencies = database.selectFrom("currencies").select("currency").where("org_id", "=", orgId);
  if ((await currencies.where("currency", "=", currency).executeTakeFirst()) !== undefined) return;
  const known = (await currencies.orderBy("currency").limit(mostRead).execute()).map((row) => row.currency);
  throw new Problem(422, "currency_unknown", detail(currency, known));
}

function detail(currency: string, known: readonly string[]): string {
  const near = nearestName(currency, known);
  const some = known.slice(0, mostNamed).map((name) => JSON.stringify(name));
  const has = `${some.join(", ") || "none"}${known.length > mostNamed ? ", …" : ""}`;
  const advice = near === undefined ? "" : `; did you mean ${JSON.stringify(near)}?`;
  return (
    `credit_currency_key: expected one that exists, received ${JSON.stringify(currency)}${advice} ` +
    `(the organisation has ${has}; currencies.set() of the admin client makes one)`
  );
}
