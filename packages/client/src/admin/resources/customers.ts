import type { CallOptions } from "../../call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import { call } from "../call.ts";
import {
  type AdminCustomer,
  type CustomerListAnswer,
  type CustomerListQuery,
  customerListAnswer,
  customerListQuery,
} from "../contract/customer.ts";
import { adminEndpoints } from "../endpoints.ts";
import { pageByPage } from "../pages.ts";

/** The customers of an organisation, with their wallets. `createClient().customers.createOrGet` makes one. */
export interface AdminCustomers {
  /** A page of customers, by external ID. Retried. */
  list(query?: CustomerListQuery, options?: CallOptions): Promise<CustomerListAnswer>;
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
  return {
    list,
    all: (query, options) =>
      pageByPage(async (page) => {
        const { customers, limit } = await list({ ...query, page }, options);
        return { items: customers, limit };
      }),
  };
}
