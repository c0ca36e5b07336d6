import type { CallOptions } from "../../call.ts";
import { call, checkPath } from "../../checked-call.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminInvoice,
  adminInvoice,
  type InvoiceListAnswer,
  type InvoiceListQuery,
  invoiceListAnswer,
  invoiceListQuery,
} from "../contract/invoice.ts";
import { adminEndpoints } from "../endpoints.ts";
import { createListing, type Listing } from "../listing.ts";

/** The invoices of an organisation, the newest first. */
export interface AdminInvoices extends Listing<InvoiceListQuery, InvoiceListAnswer, AdminInvoice> {
  /** Marks an invoice paid: its credits become available. Never retried once sent. */
  markPaid(invoiceId: string, options?: CallOptions): Promise<AdminInvoice>;
}

export function createAdminInvoices(transport: Transport, organization_id: string): AdminInvoices {
  return {
    ...createListing(
      transport,
      { organization_id },
      {
        endpoint: adminEndpoints.adminInvoiceList,
        query: invoiceListQuery,
        answer: invoiceListAnswer,
        itemsOf: ({ invoices }) => invoices,
      },
    ),
    async markPaid(invoiceId, options) {
      const marking = adminEndpoints.adminInvoiceMarkPaid;
      const params = checkPath(marking, { organization_id, invoice_id: invoiceId });
      return call(transport, marking, adminInvoice, { params }, options);
    },
  };
}
