import type { CallOptions, KeyedCallOptions } from "../../call.ts";
import { checkKeyed } from "../../call-options.ts";
import { call, checkPath } from "../../checked-call.ts";
import { checkInput } from "../../contract-check.ts";
import type { Transport } from "../../transport.ts";
import {
  type AdminCreditNote,
  adminCreditNote,
  type CreditNoteCreateRequest,
  type CreditNoteListAnswer,
  type CreditNoteListQuery,
  creditNoteCreateRequest,
  creditNoteListAnswer,
  creditNoteListQuery,
} from "../contract/credit-note.ts";
import {
  type AdminInvoice,
  adminInvoice,
  type InvoiceListAnswer,
  type InvoiceListQuery,
  type InvoiceVoidRequest,
  invoiceListAnswer,
  invoiceListQuery,
  invoiceVoidRequest,
} from "../contract/invoice.ts";
import { createListing, type Listing } from "../listing.ts";
import { orderEndpoints } from "../order-endpoints.ts";

/** The invoices of an organisation, the newest first. */
export interface AdminInvoices extends Listing<InvoiceListQuery, InvoiceListAnswer, AdminInvoice> {
  /** The invoice with this ID; 404 `invoice_unknown` where there is none. Retried. */
  get(invoiceId: string, options?: CallOptions): Promise<AdminInvoice>;
  /** Marks an invoice paid: its credits become available. Never retried once sent. */
  markPaid(invoiceId: string, options?: CallOptions): Promise<AdminInvoice>;
  /**
   * Voids an invoice that is open; 409 `invoice_paid` for one that is paid, which takes a credit note. An order that waits
   * for it is cancelled; what a period has billed is on the next invoice, unless it is to be forgiven. Retried.
   */
  void(invoiceId: string, request: InvoiceVoidRequest, options?: CallOptions): Promise<AdminInvoice>;
  /**
   * Credits an invoice that is paid, in whole or in part, once for each `idempotencyKey`. 422 `amount_above_invoice` and
   * `credits_above_invoice` for more than it has left, `credits_used` where the wallet has less left of its credits.
   */
  credit(
    invoiceId: string,
    note: CreditNoteCreateRequest,
    options: KeyedCallOptions,
  ): Promise<AdminCreditNote>;
  /** The credit notes of the organisation, the newest first. */
  readonly creditNotes: Listing<CreditNoteListQuery, CreditNoteListAnswer, AdminCreditNote>;
}

export function createAdminInvoices(transport: Transport, organization_id: string): AdminInvoices {
  const params = { organization_id };
  return {
    ...createListing(transport, params, {
      endpoint: orderEndpoints.adminInvoiceList,
      query: invoiceListQuery,
      answer: invoiceListAnswer,
      itemsOf: ({ invoices }) => invoices,
    }),
    creditNotes: createListing(transport, params, {
      endpoint: orderEndpoints.creditNoteList,
      query: creditNoteListQuery,
      answer: creditNoteListAnswer,
      itemsOf: ({ creditNotes }) => creditNotes,
    }),
    async get(invoice_id, options) {
      const endpoint = orderEndpoints.adminInvoiceRead;
      const path = checkPath(endpoint, { ...params, invoice_id });
      return call(transport, endpoint, adminInvoice, { params: path }, options);
    },
    async markPaid(invoice_id, options) {
      const endpoint = orderEndpoints.adminInvoiceMarkPaid;
      const path = checkPath(endpoint, { ...params, invoice_id });
      return call(transport, endpoint, adminInvoice, { params: path }, options);
    },
    async void(invoice_id, request, options) {
      const endpoint = orderEndpoints.adminInvoiceVoid;
      const path = checkPath(endpoint, { ...params, invoice_id });
      const body = checkInput(endpoint, invoiceVoidRequest, request);
      return call(transport, endpoint, adminInvoice, { params: path, body }, options);
    },
    async credit(invoice_id, note, options) {
      const endpoint = orderEndpoints.creditNoteCreate;
      checkKeyed(endpoint, options);
      const path = checkPath(endpoint, { ...params, invoice_id });
      const body = checkInput(endpoint, creditNoteCreateRequest, note);
      return call(transport, endpoint, adminCreditNote, { params: path, body }, options);
    },
  };
}
