import {
  adminOrderCreateRequest,
  adminOrderListQuery,
  creditNoteCreateRequest,
  creditNoteListQuery,
  invoiceListQuery,
  invoiceVoidRequest,
  type OrderEndpoints,
  orderCancelRequest,
} from "@creditgate/client/admin";
import type { Readers } from "../http/call.ts";
import type { AdminServed } from "./roles.ts";

type OrderTable = { readonly [Of in keyof OrderEndpoints]: AdminServed & Readers<OrderEndpoints[Of]> };

/** What administrators may do with orders and invoices. */
export const orderTable: OrderTable = {
  adminOrderList: { scope: "read", query: { schema: adminOrderListQuery } },
  adminOrderCreate: { scope: "money", body: { schema: adminOrderCreateRequest }, onceAs: "admin/order" },
  adminOrderRead: { scope: "read" },
  adminOrderCancel: { scope: "money", body: { schema: orderCancelRequest } },
  adminInvoiceList: { scope: "read", query: { schema: invoiceListQuery } },
  adminInvoiceRead: { scope: "read" },
  adminInvoiceMarkPaid: { scope: "money" },
  adminInvoiceVoid: { scope: "money", body: { schema: invoiceVoidRequest } },
  creditNoteCreate: {
    scope: "money",
    body: { schema: creditNoteCreateRequest },
    onceAs: "admin/credit-note",
  },
  creditNoteList: { scope: "read", query: { schema: creditNoteListQuery } },
};
