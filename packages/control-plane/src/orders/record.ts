import { type Selectable, type SelectQueryBuilder, sql } from "kysely";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { groupRows } from "../database/group-rows.ts";
import type { AllowancePeriod, InvoicesTable, OrderKind, OrderStatus } from "../database/order-tables.ts";
import type { Tables } from "../database/tables.ts";
import { type Event, writeEvents } from "../events/outbox.ts";
import type { Json, JsonObject } from "../http/json.ts";
import { cut, type ListPart, older, placeOf } from "../lists/keyset.ts";
import type { Credit } from "../wallets/top-up.ts";
import { invoiceRecord } from "./invoice-record.ts";

export interface Money {
  /** Minor units. */
  readonly amount: bigint;
  readonly currency: string;
}

/** What is paid for, and what comes with it. */
export interface Purchase {
  readonly platformFee: Money | undefined;
  readonly creditBenefits: readonly Benefit[];
}

/** Credits that never expire, a grant, or an allowance. */
export interface Benefit extends Credit {
  readonly expires_in_days?: number | null;
  readonly every?: AllowancePeriod | null;
  readonly rollover?: bigint | null;
}

export interface NewLineItem extends Purchase {
  readonly agentId: string;
}

export interface NewOrder {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly name: string;
  readonly startDate: string;
  readonly lineItems: readonly NewLineItem[];
}

type Reader = Pick<Database, "selectFrom">;

/** An order of a customer. */
export interface OrderKey {
  readonly orgId: bigint;
  readonly customerId: string;
  readonly orderId: string;
}

/** A part of the orders of a customer as the API answers them (4.3), the newest first. */
export async function listOrders(
  database: Database,
  orgId: bigint,
  customerId: string,
  part: ListPart,
): Promise<{ readonly orders: readonly JsonObject[]; readonly next: string | null }> {
  const place = await placeOf(database, "orders", orgId, part);
  let query = selectOrders(database, orgId)
    .where("customer_id", "=", customerId)
    .orderBy("created_at", "desc")
    .orderBy("order_id", "desc")
    .limit(part.limit + 1);
  if (place !== undefined) query = query.where(older("order_id", place));
  const found = await query.execute();
  const limit = Math.min(part.limit, await howManyFit(database, orgId, found));
  const { rows, next } = cut(found, { ...part, limit }, ({ order_id }) => order_id);
  return { orders: await records(database, orgId, rows), next };
}

/** What the line items of a page's orders may be in JSON: half of what our client takes. An order may be more, alone. */
const maxPageBytes = 512 * 1024;

/** How many orders from the first on make a page that is not too large; at least one. Looks no further than that. */
async function howManyFit(database: Database, orgId: bigint, orders: readonly OrderRow[]): Promise<number> {
  const orderIds = orders.map(({ order_id }) => order_id);
  const { rows } = await sql<{ fit: number }>`
    with recursive page (orders, bytes) as (
      select 0, 0::bigint
       union all
      select orders + 1, page.bytes + benefits.bytes + items.bytes
        from page,
             lateral (select coalesce(sum(case when coalesce(expires_in_days::text, every) is null then 50 else 100 end + octet_length(currency)), 0)::bigint as bytes from credit_benefits
                       where org_id = ${orgId} and order_id = (${orderIds}::uuid[])[orders + 1]) as benefits,
             lateral (select coalesce(sum(100 + octet_length(agent_id)), 0)::bigint as bytes from order_line_items
                       where org_id = ${orgId} and order_id = (${orderIds}::uuid[])[orders + 1]) as items
       where page.bytes <= ${maxPageBytes} and orders < ${orderIds.length}
    )
    select max(orders) filter (where bytes <= ${maxPageBytes}) as fit from page`.execute(database);
  return Math.max(1, rows[0]?.fit ?? 1);
}

/** An order as the API answers it (4.4). */
export async function readOrder(
  database: Reader,
  orgId: bigint,
  orderId: string,
): Promise<JsonObject | undefined> {
  const rows = await selectOrders(database, orgId).where("order_id", "=", orderId).execute();
  const [order] = await records(database, orgId, rows);
  return order;
}

/** An order that is there, without its line items, of which there may be thousands. */
async function readOrderHead(database: Reader, orgId: bigint, orderId: string): Promise<JsonObject> {
  return headOf(
    await selectOrders(database, orgId).where("order_id", "=", orderId).executeTakeFirstOrThrow(),
  );
}

/** An order as it is read, without its line items. */
interface OrderRow {
  readonly order_id: string;
  readonly customer_id: string;
  readonly name: string;
  readonly kind: OrderKind;
  readonly status: OrderStatus;
  readonly superseded_by: string | null;
  readonly created_at: Date;
  readonly activated_at: Date | null;
  readonly superseded_at: Date | null;
  readonly cancelled_at: Date | null;
  readonly start_date: string;
}

/** The orders of an organisation. */
export function selectOrders(
  database: Reader,
  orgId: bigint,
): SelectQueryBuilder<Tables, "orders", OrderRow> {
  return database
    .selectFrom("orders")
    .select(["order_id", "customer_id", "name", "kind", "status", "superseded_by"])
    .select(["created_at", "activated_at", "superseded_at", "cancelled_at"])
    .select(sql<string>`start_date::text`.as("start_date"))
    .where("org_id", "=", orgId);
}

async function records(database: Reader, orgId: bigint, orders: readonly OrderRow[]): Promise<JsonObject[]> {
  const items = await readLineItems(
    database,
    orgId,
    orders.map(({ order_id }) => order_id),
  );
  return orders.map((order) => ({ ...headOf(order), lineItems: items.get(order.order_id) ?? [] }));
}

/** An order without its line items. */
export function headOf(order: OrderRow): JsonObject {
  return {
    orderId: order.order_id,
    customerExternalId: order.customer_id,
    orderName: order.name,
    startDate: order.start_date,
    type: order.kind,
    status: order.status,
    supersededBy: order.superseded_by,
    createdAt: order.created_at.toISOString(),
    activatedAt: order.activated_at?.toISOString() ?? null,
    supersededAt: order.superseded_at?.toISOString() ?? null,
    cancelledAt: order.cancelled_at?.toISOString() ?? null,
  };
}

async function readLineItems(
  database: Reader,
  orgId: bigint,
  orderIds: readonly string[],
): Promise<ReadonlyMap<string, readonly Json[]>> {
  if (orderIds.length === 0) return new Map();
  const benefits = await database
    .selectFrom("credit_benefits")
    .select(["order_id", "position"])
    .select(
      sql<BenefitsRow["benefits"]>`
        json_agg(json_build_array(currency, amount::text, expires_in_days, every, rollover::text) order by currency)`.as(
        "benefits",
      ),
    )
    .where("org_id", "=", orgId)
    .where("order_id", "in", orderIds)
    .groupBy(["order_id", "position"])
    .execute();
  const items = await database
    .selectFrom("order_line_items")
    .select(["order_id", "position", "agent_id", "fee_amount", "fee_currency"])
    .where("org_id", "=", orgId)
    .where("order_id", "in", orderIds)
    .orderBy("position")
    .execute();
  return lineItemsByOrder(items, benefits);
}

/** The benefits of a line item: one row, since an order has thousands. */
export interface BenefitsRow {
  readonly order_id: string;
  readonly position: number;
  /** Amounts are micro-credits as text. */
  readonly benefits: readonly (readonly [
    currency: string,
    amount: string,
    expiresInDays: number | null,
    every: AllowancePeriod | null,
    rollover: string | null,
  ])[];
}

export interface LineItemRow {
  readonly order_id: string;
  readonly position: number;
  readonly agent_id: string | null;
  readonly fee_amount: bigint | null;
  readonly fee_currency: string | null;
}

/** The line items of orders by order, each with its benefits. Takes each row once. */
export function lineItemsByOrder(
  items: readonly LineItemRow[],
  benefits: readonly BenefitsRow[],
): ReadonlyMap<string, readonly Json[]> {
  const benefitsOf = new Map(
    benefits.map(({ order_id, position, benefits: own }) => [`${order_id} ${position}`, own]),
  );
  const record = ({ order_id, position, agent_id, fee_amount, fee_currency }: LineItemRow): Json => ({
    agentId: agent_id,
    platformFee: fee_amount === null ? null : { amount: Number(fee_amount), currency: fee_currency },
    creditBenefits: (benefitsOf.get(`${order_id} ${position}`) ?? []).map(
      ([credit_currency_key, amount, expiresInDays, every, rollover]) => ({
        ...{ credit_currency_key, credits: BigInt(amount) },
        ...(expiresInDays === null ? {} : { expiresInDays }),
        ...(rollover === null ? {} : { every, rollover: BigInt(rollover) }),
      }),
    ),
  });
  const byOrder = groupRows(items, ({ order_id }) => order_id);
  return new Map([...byOrder].map(([orderId, own]) => [orderId, own.map(record)]));
}

/** What happened to an invoice. One of a period is its wallet's, one of an order the customer's. */
export function invoiceEvent(
  type: "invoice.created" | "invoice.paid" | "invoice.voided",
  invoice: Selectable<InvoicesTable>,
): Event {
  const { org_id: orgId, customer_id: customerId, credit_currency } = invoice;
  return { orgId, type, customerId, currency: credit_currency ?? undefined, data: invoiceRecord(invoice) };
}

/** Reports what happened to an order. */
export async function noteOrder(
  type: "order.activated" | "order.cancelled",
  transaction: DatabaseTransaction,
  { orgId, customerId, orderId }: OrderKey,
  at: Date,
): Promise<void> {
  const data = await readOrderHead(transaction, orgId, orderId);
  await writeEvents(transaction, [{ orgId, type, customerId, data }], at);
}
