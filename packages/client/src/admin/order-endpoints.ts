import { acts, changes, type Endpoint, ensures, reads } from "../endpoint.ts";
import type { CreditNoteCreateRequest, CreditNoteListQuery } from "./contract/credit-note.ts";
import type { InvoiceListQuery, InvoiceVoidRequest } from "./contract/invoice.ts";
import type { AdminOrderCreateRequest, AdminOrderListQuery, OrderCancelRequest } from "./contract/order.ts";

/** The operations on orders, their invoices, and those of periods. */
export interface OrderEndpoints {
  readonly adminOrderList: Endpoint<undefined, AdminOrderListQuery>;
  readonly adminOrderCreate: Endpoint<AdminOrderCreateRequest, undefined>;
  readonly adminOrderRead: Endpoint<undefined, undefined, "order_id">;
  readonly adminOrderCancel: Endpoint<OrderCancelRequest, undefined, "order_id">;
  readonly adminInvoiceList: Endpoint<undefined, InvoiceListQuery>;
  readonly adminInvoiceRead: Endpoint<undefined, undefined, "invoice_id">;
  readonly adminInvoiceMarkPaid: Endpoint<undefined, undefined, "invoice_id">;
  readonly adminInvoiceVoid: Endpoint<InvoiceVoidRequest, undefined, "invoice_id">;
  readonly creditNoteCreate: Endpoint<CreditNoteCreateRequest, undefined, "invoice_id">;
  readonly creditNoteList: Endpoint<undefined, CreditNoteListQuery>;
}

const organization = "/admin/api/organizations/{organization_id}";
const order = `${organization}/orders/{order_id}`;
const invoice = `${organization}/invoices/{invoice_id}`;

export const orderEndpoints: OrderEndpoints = {
  adminOrderList: reads("adminOrderList", `${organization}/orders`),
  adminOrderCreate: acts("adminOrderCreate", `${organization}/orders`),
  adminOrderRead: reads("adminOrderRead", order),
  // What is cancelled or void already stays as it is.
  adminOrderCancel: ensures("adminOrderCancel", `${order}/cancel`),
  adminInvoiceList: reads("adminInvoiceList", `${organization}/invoices`),
  adminInvoiceRead: reads("adminInvoiceRead", invoice),
  adminInvoiceMarkPaid: changes("adminInvoiceMarkPaid", `${invoice}/mark-paid`),
  adminInvoiceVoid: ensures("adminInvoiceVoid", `${invoice}/void`),
  creditNoteCreate: acts("creditNoteCreate", `${invoice}/credit-notes`),
  creditNoteList: reads("creditNoteList", `${organization}/credit-notes`),
};
