import type { CallOptions } from "../../call.ts";
import { call, checkPath, posting } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Endpoint } from "../../endpoint.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminCustomer,
  adminCustomer,
  type CustomerCreateRequest,
  type CustomerEditRequest,
  type CustomerListAnswer,
  type CustomerListQuery,
  customerCreateRequest,
  customerEditRequest,
  customerListAnswer,
  customerListQuery,
} from "../contract/customer.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The customers of an organisation, by external ID, with their wallets. */
export interface AdminCustomers extends Listing<CustomerListQuery, CustomerListAnswer, AdminCustomer> {
  /** A new customer, without wallets; 409 `customer_exists` where the external ID is taken. Never retried once sent. */
  create(customer: CustomerCreateRequest, options?: CallOptions): Promise<AdminCustomer>;
  /** The customer with this external ID; 404 `customer_unknown` where there is none. Retried. */
  get(externalId: string, options?: CallOptions): Promise<AdminCustomer>;
  /** Changes what is known of a customer. Retried. */
  edit(externalId: string, changes: CustomerEditRequest, options?: CallOptions): Promise<AdminCustomer>;
  /**
   * Removes what is personal: the name becomes `erased`; email, country and city are removed. The external ID stays, and
   * with it wallets, usage, ledger and invoices. Retried.
   */
  erase(externalId: string, options?: CallOptions): Promise<AdminCustomer>;
}

export function createAdminCustomers(transport: Transport, organization_id: string): AdminCustomers {
  const path = (of: Endpoint, external_id: string) => checkPath(of, { organization_id, external_id });
  return {
    ...createListing(
      transport,
      { organization_id },
      {
        endpoint: adminEndpoints.customerList,
        query: customerListQuery,
        answer: customerListAnswer,
        itemsOf: ({ customers }) => customers,
      },
    ),
    create: posting(transport, { organization_id })(
      adminEndpoints.customerCreate,
      customerCreateRequest,
      adminCustomer,
    ),
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
  };
}
