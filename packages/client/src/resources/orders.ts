import { z } from "zod";
import { type ListQuery, listQuery } from "../contract/fields.ts";
import { type OrderCreateRequest, orderCreateRequest } from "../contract/order.ts";
import type { CallOptions } from "../transport/call.ts";
import { checkPath, methodsOf } from "../transport/checked-call.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";

/** Orders (API, section 4.4). The answers are not shown by the API: they are passed on as they are. */
export interface Orders {
  /**
   * Creates an order, with the wallets that its credits need: 422 `too_many_wallets` where the customer would have more
   * than 500. Repeated only with the same `idempotencyKey`, by the caller.
   */
  create(order: OrderCreateRequest, options?: CallOptions): Promise<unknown>;
  /**
   * The invoices generated for an order, the newest first: 20 unless `limit` says otherwise. `next` in the answer is the
   * `cursor` of those after, `null` at the end. Retried.
   */
  invoices(orderId: string, query?: ListQuery, options?: CallOptions): Promise<unknown>;
}

export function createOrders(transport: Transport): Orders {
  const { post, ask } = methodsOf(transport);
  return {
    create: post(endpoints.orderCreate, orderCreateRequest, z.unknown()),
    invoices: ask(endpoints.orderInvoices, "order_id", listQuery, z.unknown()),
  };
}

/** Invoices (API, section 4.4). */
export interface Invoices {
  /** Marks an invoice paid: replacement orders tied to it become active. The answer is not shown by the API. Never retried once sent. */
  markPaid(invoiceId: string, options?: CallOptions): Promise<unknown>;
}

export function createInvoices(transport: Transport): Invoices {
  return {
    async markPaid(invoiceId, options) {
      const params = checkPath(endpoints.invoiceMarkPaid, { invoice_id: invoiceId });
      return (await transport.send(endpoints.invoiceMarkPaid, { params }, options)).body;
    },
  };
}
