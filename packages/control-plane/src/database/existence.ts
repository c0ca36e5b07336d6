import type { Database } from "./connection.ts";

type Reader = Pick<Database, "selectFrom">;

/** Whether the organisation has this customer. */
export async function customerExists(database: Reader, orgId: bigint, customerId: string): Promise<boolean> {
  const customer = await database
    .selectFrom("customers")
    .select("external_id")
    .where("org_id", "=", orgId)
    .where("external_id", "=", customerId)
    .executeTakeFirst();
  return customer !== undefined;
}

/** Whether the organisation has this agent. */
export async function agentExists(database: Reader, orgId: bigint, agentId: string): Promise<boolean> {
  const agent = await database
    .selectFrom("agents")
    .select("agent_id")
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId)
    .executeTakeFirst();
  return agent !== undefined;
}

/** Whether the organisation has this order. */
export async function orderExists(database: Reader, orgId: bigint, orderId: string): Promise<boolean> {
  const order = await database
    .selectFrom("orders")
    .select("order_id")
    .where("org_id", "=", orgId)
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return order !== undefined;
}

/** By whose calendar an organisation goes. */
export async function timeZoneOf(
  database: Reader,
  orgId: bigint,
  defaults: { readonly timeZone: string },
): Promise<string> {
  const { time_zone } = await database
    .selectFrom("organizations")
    .select("time_zone")
    .where("org_id", "=", orgId)
    .executeTakeFirstOrThrow();
  return time_zone ?? defaults.timeZone;
}
