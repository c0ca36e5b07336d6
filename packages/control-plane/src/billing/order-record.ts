import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import type { Json, JsonObject } from "../http/json.ts";

type Reader = Pick<Database, "selectFrom">;

/** Which orders: of a customer, or one. */
export type OrderSelection = { readonly customerId: string } | { readonly orderId: string };

/** Orders as the API answers them (4.3, 4.4), the newest first. */
export async function readOrders(
  database: Reader,
  orgId: bigint,
  which: OrderSelection,
): Promise<JsonObject[]> {
  let query = database
    .selectFrom("orders")
    .select(["order_id", "customer_id", "name", "kind", "status", "superseded_by"])
    .select(["created_at", "activated_at", "superseded_at", sql<string>`start_date::text`.as("start_date")])
    .where("org_id", "=", orgId)
    .orderBy("created_at", "desc")
    .orderBy("order_id");
  query =
    "orderId" in which
      ? query.where("order_id", "=", which.orderId)
      : query.where("customer_id", "=", which.customerId);
  const orders = await query.execute();
  const items = await lineItems(
    database,
    orgId,
    orders.map(({ order_id }) => order_id),
  );
  return orders.map((order) => ({
    orderId: order.order_id,
    customerExternalId: order.customer_id,
    orderName: order.name,
    startDate: order.start_date,
    type: order.kind,
    status: order.status,
    supersededBy: order.superseded_by,
    lineItems: items.get(order.order_id) ?? [],
    createdAt: order.created_at.toISOString(),
    activatedAt: order.activated_at?.toISOString() ?? null,
    supersededAt: order.superseded_at?.toISOString() ?? null,
  }));
}

async function lineItems(
  database: Reader,
  orgId: bigint,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Json[]>> {
  const found = new Map<string, Json[]>();
  if (orderIds.length === 0) return found;
  const benefits = await database
    .selectFrom("credit_benefits")
    .select(["order_id", "position", "currency as credit_currency_key", "amount as credits"])
    .where("org_id", "=", orgId)
    .where("order_id", "in", orderIds)
    .orderBy("currency")
    .execute();
  const items = await database
    .selectFrom("order_line_items")
    .select(["order_id", "position", "agent_id", "fee_amount", "fee_currency"])
    .where("org_id", "=", orgId)
    .where("order_id", "in", orderIds)
    .orderBy("position")
    .execute();
  for (const { order_id, position, agent_id, fee_amount, fee_currency } of items) {
    const list = found.get(order_id) ?? [];
    found.set(order_id, list);
    list.push({
      agentId: agent_id,
      platformFee: fee_amount === null ? null : { amount: Number(fee_amount), currency: fee_currency },
      creditBenefits: benefits
        .filter((benefit) => benefit.order_id === order_id && benefit.position === position)
        .map(({ credit_currency_key, credits }) => ({ credit_currency_key, credits })),
    });
  }
  return found;
}
