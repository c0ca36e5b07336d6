import type { CallOptions } from "../call.ts";
import { call, checkPath, posting } from "../checked-call.ts";
import {
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
  type ListQuery,
  listQuery,
  type OpenRecord,
  openRecord,
} from "../contract/index.ts";
import { checkInput } from "../contract-check.ts";
import type { Endpoint } from "../endpoint.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

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
  async function list(
    endpoint: Endpoint,
    externalId: string,
    query: ListQuery = {},
    options?: CallOptions,
  ): Promise<unknown> {
    const params = checkPath(endpoint, { external_id: externalId });
    const { limit, cursor } = checkInput(endpoint, listQuery, query);
    return (await transport.send(endpoint, { params, query: { limit, cursor } }, options)).body;
  }

  return {
    createOrGet: posting(transport)(endpoints.customerCreateOrGet, customerCreateOrGetRequest, openRecord),
    async subscription(externalId, query = {}, options) {
      const endpoint = endpoints.customerSubscription;
      const params = checkPath(endpoint, { external_id: externalId });
      const { agentId } = checkInput(endpoint, customerSubscriptionQuery, query);
      return call(transport, endpoint, openRecord, { params, query: { agentId } }, options);
    },
    orders: (externalId, query, options) => list(endpoints.customerOrders, externalId, query, options),
    invoices: (externalId, query, options) => list(endpoints.customerInvoices, externalId, query, options),
  };
}
