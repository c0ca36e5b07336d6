import { z } from "zod";
import type { CallOptions } from "../call.ts";
import { checkPath, posting } from "../checked-call.ts";
import { type ListQuery, listQuery, type OrderCreateRequest, orderCreateRequest } from "../contract/index.ts";
import { checkInput } from "../contract-check.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

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
  return {
    create: posting(transport)(endpoints.orderCreate, orderCreateRequest, z.unknown()),
    async invoices(orderId, query = {}, options) {
      const endpoint = endpoints.orderInvoices;
      const params = checkPath(endpoint, { order_id: orderId });
      const { limit, cursor } = checkInput(endpoint, listQuery, query);
      return (await transport.send(endpoint, { params, query: { limit, cursor } }, options)).body;
    },
  };
}
