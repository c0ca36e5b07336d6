import { z } from "zod";
import {
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
} from "../contract/customer.ts";
import { type ListQuery, listQuery, type OpenRecord, openRecord } from "../contract/fields.ts";
import type { CallOptions } from "../transport/call.ts";
import { methodsOf } from "../transport/checked-call.ts";
import { endpoints } from "../transport/endpoints.ts";
import type { Transport } from "../transport/transport.ts";

/** Customers, by their external ID (API, section 4.3). The fields of the answers are not shown by the API. */
export interface Customers {
  /** The customer with this external ID, created if there is none. Retried. */
  createOrGet(customer: CustomerCreateOrGetRequest, options?: CallOptions): Promise<OpenRecord>;
  /** The customer's state, with a recommended action such as `upgrade` or `complete_payment`. Retried. */
  subscription(
    externalId: string,
    query?: CustomerSubscriptionQuery,
    options?: CallOptions,
  ): Promise<OpenRecord>;
  /**
   * Contracts, plans and historical orders, the newest first: 20 unless `limit` says otherwise. `next` in the answer is
   * the `cursor` of those after, `null` at the end. Retried.
   */
  orders(externalId: string, query?: ListQuery, options?: CallOptions): Promise<unknown>;
  /** All invoices, those of periods included, the newest first; in parts as `orders`. Not in the API of the spec. Retried. */
  invoices(externalId: string, query?: ListQuery, options?: CallOptions): Promise<unknown>;
}

export function createCustomers(transport: Transport): Customers {
  const { post, ask } = methodsOf(transport);
  return {
    createOrGet: post(endpoints.customerCreateOrGet, customerCreateOrGetRequest, openRecord),
    subscription: ask(endpoints.customerSubscription, "external_id", customerSubscriptionQuery, openRecord),
    orders: ask(endpoints.customerOrders, "external_id", listQuery, z.unknown()),
    invoices: ask(endpoints.customerInvoices, "external_id", listQuery, z.unknown()),
  };
}
