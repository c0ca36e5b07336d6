import type { LimitName } from "@creditgate/admin";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { lockOrganization } from "../database/locks.ts";
import type { OwnLimits } from "../database/tables.ts";
import { Problem } from "../http/problem.ts";

/** What an organisation may ask a replica for in a second; 0 is no limit. */
export interface Rates {
  readonly requestsPerSecond: number;
  readonly reportsPerSecond: number;
}

/** What an organisation may have. */
type CountLimit = Exclude<LimitName, keyof Rates>;

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

function limitOf(own: OwnLimits | undefined, name: CountLimit): number {
  return own?.[name] ?? usualLimits[name];
}

/** The code of each refusal, and what there are too many of. */
const words: Readonly<Record<CountLimit, readonly [code: string, things: string]>> = {
  apiKeys: ["too_many_api_keys", "valid API keys in the organisation"],
  webhooks: ["too_many_webhooks", "endpoints in the organisation"],
  agents: ["too_many_agents", "agents in the organisation"],
  indicatorsOfAgent: ["too_many_indicators", "indicators of the agent"],
  versionsOfPrice: ["too_many_prices", "versions of the price"],
  currencies: ["too_many_currencies", "credit currencies in the organisation"],
  walletsOfCustomer: ["too_many_wallets", "wallets of the customer"],
  walletsOfOrder: ["order_too_large", "credit currencies in an order"],
  members: ["too_many_members", "members in the organisation"],
};

/** A 422 that names the limit and its number: an operator can set another for the organisation. */
export function limitReached(name: CountLimit, most: number, received = "one more"): Problem {
  const [code, things] = words[name];
  return new Problem(422, code, `expected at most ${most} ${things} (limit ${name}), received ${received}`);
}

/** Limits of what is counted for a whole organisation. */
export type OrganizationLimit = Extract<
  CountLimit,
  "apiKeys" | "webhooks" | "agents" | "currencies" | "members"
>;

const tables: Readonly<
  Record<OrganizationLimit, "api_keys" | "webhook_endpoints" | "agents" | "currencies" | "members">
> = {
  apiKeys: "api_keys",
  webhooks: "webhook_endpoints",
  agents: "agents",
  currencies: "currencies",
  members: "members",
};

/** What an organisation has of a kind. Keys that have ended do not count. */
export async function countOf(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  name: OrganizationLimit,
  at: Date,
): Promise<number> {
  const counting = database
    .selectFrom(tables[name])
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("org_id", "=", orgId);
  if (name !== "apiKeys") return Number((await counting.executeTakeFirstOrThrow()).count);
  const valid = await database
    .selectFrom("api_keys")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("org_id", "=", orgId)
    .where("revoked_at", "is", null)
    .where((where) => where.or([where("expires_at", "is", null), where("expires_at", ">", at)]))
    .executeTakeFirstOrThrow();
  return Number(valid.count);
}

/** Throws a 422 where an organisation has no room for that number more. Locks it first: two that come at once would each find room. */
export async function requireRoom(
  transaction: DatabaseTransaction,
  orgId: bigint,
  name: OrganizationLimit,
  { at, more = 1 }: { readonly at: Date; readonly more?: number },
): Promise<void> {
  const { limits } = await lockOrganization(transaction, orgId);
  const most = limitOf(limits, name);
  if ((await countOf(transaction, orgId, name, at)) + more > most) throw limitReached(name, most);
}

/** The same for the indicators of an agent. */
export async function requireRoomForIndicator(
  transaction: DatabaseTransaction,
  orgId: bigint,
  agentId: string,
): Promise<void> {
  const { limits } = await lockOrganization(transaction, orgId);
  const most = limitOf(limits, "indicatorsOfAgent");
  const { count } = await transaction
    .selectFrom("indicators")
    .select(({ fn }) => fn.countAll<bigint>().as("count"))
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .executeTakeFirstOrThrow();
  if (Number(count) >= most) throw limitReached("indicatorsOfAgent", most);
}

/** The same for currencies, which come into being where they are first named. */
export async function requireRoomForCurrencies(
  transaction: DatabaseTransaction,
  orgId: bigint,
  currencies: readonly string[],
  at: Date,
): Promise<void> {
  const known = await transaction
    .selectFrom("currencies")
    .select("currency")
    .where("org_id", "=", orgId)
    .where("currency", "in", currencies)
    .execute();
  const more = new Set(currencies).size - known.length;
  if (more > 0) await requireRoom(transaction, orgId, "currencies", { at, more });
}
