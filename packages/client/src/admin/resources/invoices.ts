import type { CallOptions } from "../../call.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
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
import { pageByPage } from "../pages.ts";

/** The invoices of an organisation. */
export interface AdminInvoices {
  /** A page of invoices, the newest first. Retried. */
  list(query?: InvoiceListQuery, options?: CallOptions): Promise<InvoiceListAnswer>;
  /** Invoice after invoice, page after page, each fetched when it is needed. */
  all(
    query?: Omit<InvoiceListQuery, "page">,
    options?: CallOptions,
  ): AsyncGenerator<AdminInvoice, void, undefined>;
  /** Marks an invoice paid: its credits become available. Never retried once sent. */
  markPaid(invoiceId: string, options?: CallOptions): Promise<AdminInvoice>;
}

export function createAdminInvoices(transport: Transport, organization_id: string): AdminInvoices {
  const endpoint = adminEndpoints.adminInvoiceList;
  async function list(query: InvoiceListQuery = {}, options?: CallOptions): Promise<InvoiceListAnswer> {
    const input = {
      params: { organization_id },
      query: { ...checkInput(endpoint, invoiceListQuery, query) },
    };
    return call(transport, endpoint, invoiceListAnswer, input, options);
  }
  return {
    list,
    all: (query, options) =>
      pageByPage(async (page) => {
        const { invoices, limit } = await list({ ...query, page }, options);
        return { items: invoices, limit };
      }),
    async markPaid(invoiceId, options) {
      const marking = adminEndpoints.adminInvoiceMarkPaid;
      const params = checkPath(marking, { organization_id, invoice_id: invoiceId });
      return call(transport, marking, adminInvoice, { params }, options);
    },
  };
}
