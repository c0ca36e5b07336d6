import type { CallOptions } from "../call.ts";
import { identifier, type OrderCreateRequest, orderCreateRequest } from "../contract/index.ts";
import { checkInput } from "../contract-check.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

/** Orders (API, section 4.4). The answers are not shown by the API: they are passed on as they are. */
export interface Orders {
  /** Creates an order. Repeated only with the same `idempotencyKey`, by the caller. */
  create(order: OrderCreateRequest, options?: CallOptions): Promise<unknown>;
  /** The invoices generated for an order. Retried. */
  invoices(orderId: string, options?: CallOptions): Promise<unknown>;
}

export function createOrders(transport: Transport): Orders {
  return {
    async create(order, options) {
      const body = checkInput(endpoints.orderCreate, orderCreateRequest, order);
      return (await transport.send(endpoints.orderCreate, { body }, options)).body;
    },
    async invoices(orderId, options) {
      const params = { order_id: checkInput(endpoints.orderInvoices, identifier, orderId, "order_id") };
      return (await transport.send(endpoints.orderInvoices, { params }, options)).body;
    },
  };
}
