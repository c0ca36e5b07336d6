import type { CallOptions } from "../call.ts";
import {
  type CustomerCreateOrGetRequest,
  type CustomerSubscriptionQuery,
  customerCreateOrGetRequest,
  customerSubscriptionQuery,
  identifier,
  type OpenRecord,
  openRecord,
} from "../contract/index.ts";
import { checkAnswer, checkInput } from "../contract-check.ts";
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
  /** All contracts, plans and historical orders. Retried. */
  orders(externalId: string, options?: CallOptions): Promise<unknown>;
}

export function createCustomers(transport: Transport): Customers {
  return {
    async createOrGet(customer, options) {
      const body = checkInput(endpoints.customerCreateOrGet, customerCreateOrGetRequest, customer);
      const answer = await transport.send(endpoints.customerCreateOrGet, { body }, options);
      return checkAnswer(endpoints.customerCreateOrGet, openRecord, answer);
    },
    async subscription(externalId, query = {}, options) {
      const endpoint = endpoints.customerSubscription;
      const params = { external_id: checkInput(endpoint, identifier, externalId, "external_id") };
      const { agentId } = checkInput(endpoint, customerSubscriptionQuery, query);
      const answer = await transport.send(endpoint, { params, query: { agentId } }, options);
      return checkAnswer(endpoint, openRecord, answer);
    },
    async orders(externalId, options) {
      const endpoint = endpoints.customerOrders;
      const params = { external_id: checkInput(endpoint, identifier, externalId, "external_id") };
      return (await transport.send(endpoint, { params }, options)).body;
    },
  };
}
