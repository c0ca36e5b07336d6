import type { CallOptions } from "../call.ts";
import { checkPath } from "../checked-call.ts";
import { endpoints } from "../endpoints.ts";
import type { Transport } from "../transport.ts";

/** Invoices (API, section 4.4). */
export interface Invoices {
  /** Marks an invoice paid: replacement orders tied to it become active. The answer is not shown by the API. Never retried once sent. */
  markPaid(invoiceId: string, options?: CallOptions): Promise<unknown>;
}

export function createInvoices(transport: Transport): Invoices {
  return {
    async markPaid(invoiceId, options) {
      const params = checkPath(endpoints.invoiceMarkPaid, { invoice_id: invoiceId });
      return (await transport.send(endpoints.invoiceMarkPaid, { params }, options)).body;
    },
  };
}
