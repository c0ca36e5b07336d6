import type { CallOptions } from "../../call.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Endpoint } from "../../endpoint.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminCustomer,
  adminCustomer,
  type CustomerEditRequest,
  type CustomerListAnswer,
  type CustomerListQuery,
  customerEditRequest,
  customerListAnswer,
  customerListQuery,
} from "../contract/customer.ts";
import { adminEndpoints } from "../endpoints.ts";
import { pageByPage } from "../pages.ts";

/** The customers of an organisation, with their wallets. `createClient().customers.createOrGet` makes one. */
export interface AdminCustomers {
  /** A page of customers, by external ID. Retried. */
  list(query?: CustomerListQuery, options?: CallOptions): Promise<CustomerListAnswer>;
  /** The customer with this external ID; 404 `customer_unknown` where there is none. Retried. */
  get(externalId: string, options?: CallOptions): Promise<AdminCustomer>;
  /** Changes what is known of a customer. Retried. */
  edit(externalId: string, changes: CustomerEditRequest, options?: CallOptions): Promise<AdminCustomer>;
  /**
   * Removes what is personal: the name becomes `erased`; email, country and city are removed. The external ID stays, and
   * with it wallets, usage, ledger and invoices. Retried.
   */
  erase(externalId: string, options?: CallOptions): Promise<AdminCustomer>;
  /** Customer after customer, page after page, each fetched when it is needed. */
  all(
    query?: Omit<CustomerListQuery, "page">,
    options?: CallOptions,
  ): AsyncGenerator<AdminCustomer, void, undefined>;
}

export function createAdminCustomers(transport: Transport, organization_id: string): AdminCustomers {
  const endpoint = adminEndpoints.customerList;
  async function list(query: CustomerListQuery = {}, options?: CallOptions): Promise<CustomerListAnswer> {
    const { page, limit, search } = checkInput(endpoint, customerListQuery, query);
    const input = { params: { organization_id }, query: { page, limit, search } };
    return call(transport, endpoint, customerListAnswer, input, options);
  }
  const path = (of: Endpoint, external_id: string) => checkPath(of, { organization_id, external_id });
  return {
    list,
    async get(externalId, options) {
      const reading = adminEndpoints.customerRead;
      return call(transport, reading, adminCustomer, { params: path(reading, externalId) }, options);
    },
    async edit(externalId, changes, options) {
      const editing = adminEndpoints.customerEdit;
      const body = checkInput(editing, customerEditRequest, changes);
      return call(transport, editing, adminCustomer, { params: path(editing, externalId), body }, options);
    },
    async erase(externalId, options) {
      const erasing = adminEndpoints.customerErase;
      return call(transport, erasing, adminCustomer, { params: path(erasing, externalId) }, options);
    },
    all: (query, options) =>
      pageByPage(async (page) => {
        const { customers, limit } = await list({ ...query, page }, options);
        return { items: customers, limit };
      }),
  };
}
