import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { lockOrganization } from "../database/organization-lock.ts";
import { limitReached } from "./limit-reached.ts";
import { type CountLimit, limitOf } from "./limits.ts";

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
