import { randomUUID } from "node:crypto";
import type { DatabaseTransaction } from "../database/connection.ts";
import { lockCustomer } from "../database/locks.ts";
import { limitReached, readLimit } from "../limits/limits.ts";
import { openInvoice } from "./invoice.ts";
import { type NewLineItem, type NewOrder, noteOrder } from "./record.ts";

export type OrderReceipt =
  | { readonly created: true; readonly orderId: string }
  | { readonly created: false; readonly reason: "customer_unknown" }
  | { readonly created: false; readonly reason: "agent_unknown"; readonly agentId: string }
  | {
      readonly created: false;
      readonly reason: "wallet_postpaid" | "out_of_range";
      readonly currency: string;
    };

/**
 * Creates an order. Where the customer has an active one with an agent in common it is a replacement, pending until
 * its invoice is paid; so is an order with a fee. Any other is active at once, and has no invoice.
 */
export async function createOrder(
  transaction: DatabaseTransaction,
  order: NewOrder,
  at: Date,
): Promise<OrderReceipt> {
  const { orgId, customerId, lineItems } = order;
  await requireFewWallets(transaction, order);
  if (!(await lockCustomer(transaction, orgId, customerId))) {
    return { created: false, reason: "customer_unknown" };
  }
  const agentIds = [...new Set(lineItems.map(({ agentId }) => agentId))];
  const agentId = await firstUnknown(transaction, orgId, agentIds);
  if (agentId !== undefined) return { created: false, reason: "agent_unknown", agentId };

  const replaced = await activeOrders(transaction, orgId, customerId, agentIds);
  const hasInvoice = replaced.length > 0 || lineItems.some(({ platformFee }) => platformFee !== undefined);
  const orderId = randomUUID();
  await transaction
    .insertInto("orders")
    .values({
      org_id: orgId,
      order_id: orderId,
      customer_id: customerId,
      name: order.name,
      start_date: order.startDate,
      kind: replaced.length > 0 ? "replacement" : "plan",
      status: hasInvoice ? "pending" : "active",
      superseded_by: null,
      created_at: at,
      activated_at: hasInvoice ? null : at,
      superseded_at: null,
    })
    .execute();
  await insertLineItems(transaction, orgId, orderId, lineItems);
  if (!hasInvoice) {
    await noteOrder("order.activated", transaction, { orgId, customerId, orderId }, at);
    return { created: true, orderId };
  }
  const refusal = await openInvoice(transaction, { ...order, orderId }, at);
  return refusal === undefined ? { created: true, orderId } : { created: false, ...refusal };
}

/** Each of them is locked, and gets entries of the ledger, in one transaction. */
async function requireFewWallets(
  transaction: DatabaseTransaction,
  { orgId, lineItems }: NewOrder,
): Promise<void> {
  const currencies = lineItems.flatMap(({ creditBenefits }) =>
    creditBenefits.map(({ currency }) => currency),
  );
  const count = new Set(currencies).size;
  if (count <= 1) return;
  const most = await readLimit(transaction, orgId, "walletsOfOrder");
  if (count > most) throw limitReached("walletsOfOrder", most, String(count));
}

/** The customer's active orders that have one of the agents. */
export async function activeOrders(
  transaction: DatabaseTransaction,
  orgId: bigint,
  customerId: string,
  agentIds: readonly string[],
): Promise<string[]> {
  if (agentIds.length === 0) return [];
  const rows = await transaction
    .selectFrom("orders")
    .innerJoin("order_line_items as item", (join) =>
      join.onRef("item.org_id", "=", "orders.org_id").onRef("item.order_id", "=", "orders.order_id"),
    )
    .select("orders.order_id")
    .distinct()
    .where("orders.org_id", "=", orgId)
    .where("orders.customer_id", "=", customerId)
    .where("orders.status", "=", "active")
    .where("item.agent_id", "in", agentIds)
    .execute();
  return rows.map(({ order_id }) => order_id);
}

async function firstUnknown(
  transaction: DatabaseTransaction,
  orgId: bigint,
  agentIds: readonly string[],
): Promise<string | undefined> {
  const known = await transaction
    .selectFrom("agents")
    .select("agent_id")
    .where("org_id", "=", orgId)
    .where("agent_id", "in", agentIds)
    .execute();
  return agentIds.find((agentId) => !known.some(({ agent_id }) => agent_id === agentId));
}

async function insertLineItems(
  transaction: DatabaseTransaction,
  orgId: bigint,
  orderId: string,
  lineItems: readonly NewLineItem[],
): Promise<void> {
  await transaction
    .insertInto("order_line_items")
    .values(
      lineItems.map(({ agentId, platformFee }, position) => ({
        org_id: orgId,
        order_id: orderId,
        position,
        agent_id: agentId,
        fee_amount: platformFee?.amount ?? null,
        fee_currency: platformFee?.currency ?? null,
      })),
    )
    .execute();
  const benefits = lineItems.flatMap(({ creditBenefits }, position) =>
    creditBenefits.map((benefit) => ({ org_id: orgId, order_id: orderId, position, ...benefit })),
  );
  if (benefits.length > 0) await transaction.insertInto("credit_benefits").values(benefits).execute();
}
