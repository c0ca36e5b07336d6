import type { CallOptions, KeyedCallOptions } from "../../call.ts";
import { checkKeyed } from "../../call-options.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminOrder,
  type AdminOrderCreateRequest,
  type AdminOrderDetails,
  type AdminOrderListAnswer,
  type AdminOrderListQuery,
  adminOrderCreateRequest,
  adminOrderDetails,
  adminOrderListAnswer,
  adminOrderListQuery,
  type OrderCancelRequest,
  orderCancelRequest,
} from "../contract/order.ts";
import { createListing, type Listing } from "../listing.ts";
import { orderEndpoints } from "../order-endpoints.ts";

/** The orders of an organisation, the newest first. */
export interface AdminOrders extends Listing<AdminOrderListQuery, AdminOrderListAnswer, AdminOrder> {
  /** The order with this ID; 404 `order_unknown` where there is none. Retried. */
  get(orderId: string, options?: CallOptions): Promise<AdminOrderDetails>;
  /** Creates an order, with `paid` one that is active at once, once for each `idempotencyKey`. */
  create(order: AdminOrderCreateRequest, options: KeyedCallOptions): Promise<AdminOrderDetails>;
  /** Cancels an order that is not active yet, and voids its invoice; 409 `order_not_pending` for any other. Retried. */
  cancel(orderId: string, request: OrderCancelRequest, options?: CallOptions): Promise<AdminOrderDetails>;
}

export function createAdminOrders(transport: Transport, organization_id: string): AdminOrders {
  const params = { organization_id };
  return {
    ...createListing(transport, params, {
      endpoint: orderEndpoints.adminOrderList,
      query: adminOrderListQuery,
      answer: adminOrderListAnswer,
      itemsOf: ({ orders }) => orders,
    }),
    async get(order_id, options) {
      const endpoint = orderEndpoints.adminOrderRead;
      const path = checkPath(endpoint, { ...params, order_id });
      return call(transport, endpoint, adminOrderDetails, { params: path }, options);
    },
    async create(order, options) {
      const endpoint = orderEndpoints.adminOrderCreate;
      checkKeyed(endpoint, options);
      const body = checkInput(endpoint, adminOrderCreateRequest, order);
      return call(transport, endpoint, adminOrderDetails, { params, body }, options);
    },
    async cancel(order_id, request, options) {
      const endpoint = orderEndpoints.adminOrderCancel;
      const path = checkPath(endpoint, { ...params, order_id });
      const body = checkInput(endpoint, orderCancelRequest, request);
      return call(transport, endpoint, adminOrderDetails, { params: path, body }, options);
    },
  };
}
