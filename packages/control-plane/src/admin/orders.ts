import type { AdminOrderFilter } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, during, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import { cancelOrder } from "../orders/cancellation.ts";
import { readInvoices } from "../orders/invoice-record.ts";
import { headOf, readOrder, selectOrders } from "../orders/record.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { payInvoice } from "../routes/invoices.ts";
import { placeOrder } from "../routes/orders.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["created_at", "timestamptz"],
  ["order_id", "uuid"],
]);

/** Orders of all customers, their creation in a customer's name, and their end before they begin. */
export function orderHandlers(database: Database, defaults: Pick<PeriodSettings, "timeZone">) {
  return {
    adminOrderList: listHandler("orders", listOrders),

    async adminOrderCreate({ orgId, actor, at, body, once }) {
      const { paid = false, ...order } = body;
      return once(async (transaction) => {
        const placed = await placeOrder(transaction, { orgId, actor, at }, order);
        const { orderId, invoiceId } = placed;
        if (paid && invoiceId !== undefined)
          await payInvoice(transaction, { orgId, actor, at }, invoiceId, defaults);
        return answer(201, await detailsOf(transaction, orgId, orderId));
      });
    },

    async adminOrderRead({ orgId, params: { orderId } }) {
      return answer(200, await detailsOf(database, orgId, orderId));
    },

    async adminOrderCancel({ orgId, actor, at, params: { orderId }, body: { reason } }) {
      if (!isUuid(orderId)) throw unknown("order", orderId);
      const order = await database.transaction().execute(async (transaction) => {
        const cancellation = await cancelOrder(transaction, orgId, orderId, at);
        if (cancellation.outcome === "order_unknown") throw unknown("order", orderId);
        if (cancellation.outcome === "not_pending") throw notPending(cancellation.status);
        if (cancellation.outcome === "cancelled") {
          const { invoiceId } = cancellation;
          const change = { before: { status: "pending" }, after: { status: "cancelled" } };
          const subject = { orderId, invoiceId, reason };
          await audit(transaction, { orgId, actor, action: "order.cancel", subject, ...change }, at);
        }
        return detailsOf(transaction, orgId, orderId);
      });
      return answer(200, order);
    },
  } satisfies Partial<AdminHandlers>;
}

/** The orders, the newest first, without their line items. */
export const listOrders: RecordList<AdminOrderFilter> = async (database, { orgId, query }, part) => {
  const { customerId, status, type } = query;
  let selection = selectOrders(database, orgId).where(during("created_at", query));
  if (customerId !== undefined) selection = selection.where("customer_id", "=", customerId);
  if (status !== undefined) selection = selection.where("status", "=", status);
  if (type !== undefined) selection = selection.where("kind", "=", type);
  const { rows, next } = await readPart(selection, newest, part);
  return { records: rows.map(headOf), next };
};

const mostInvoices = 100;

async function detailsOf(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  orderId: string,
): Promise<JsonObject> {
  const order = isUuid(orderId) ? await readOrder(database, orgId, orderId) : undefined;
  if (order === undefined) throw unknown("order", orderId);
  return { ...order, invoices: await readInvoices(database, orgId, { orderId, limit: mostInvoices }) };
}

function notPending(status: string): Problem {
  const then = status === "active" ? ": credit its invoice, or create an order that replaces it" : "";
  return new Problem(
    409,
    "order_not_pending",
    `order: expected one that waits for its payment, received one that is ${status}${then}`,
  );
}
