import type { LimitName } from "@creditgate/client/admin";
import type { Database } from "../database/connection.ts";
import type { OwnLimits } from "../database/tables.ts";

/** What an organisation may ask a replica for in a second; 0 is no limit. */
export interface Rates {
  readonly requestsPerSecond: number;
  readonly reportsPerSecond: number;
}

/** What an organisation may have. */
export type CountLimit = Exclude<LimitName, keyof Rates>;

/** Both are below a third of what a replica takes in. */
export const usualRates: Rates = { requestsPerSecond: 2_000, reportsPerSecond: 5_000 };

/** Of organisations that have no limit of their own. */
export const usualLimits: Readonly<Record<CountLimit, number>> = {
  apiKeys: 1_000,
  // Each event is written once for each.
  webhooks: 20,
  agents: 1_000,
  indicatorsOfAgent: 100,
  versionsOfPrice: 1_000,
  currencies: 1_000,
  // Each read of a balance answers all of them.
  walletsOfCustomer: 500,
  walletsOfOrder: 100,
  members: 1_000,
};

/** What one organisation may have. */
export async function readLimit(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  name: CountLimit,
): Promise<number> {
  const organization = await database
    .selectFrom("organizations")
    .select("limits")
    .where("org_id", "=", orgId)
    .executeTakeFirst();
  return limitOf(organization?.limits, name);
}

export function limitOf(own: OwnLimits | undefined, name: CountLimit): number {
  return own?.[name] ?? usualLimits[name];
}
