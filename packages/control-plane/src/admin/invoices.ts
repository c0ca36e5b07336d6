import type { Database } from "../database/connection.ts";
import { createKeyset, readPart } from "../database/keyset.ts";
import { during } from "../database/span.ts";
import { answer } from "../http/call.ts";
import { listPart } from "../http/list.ts";
import { invoiceRecord } from "../invoices/record.ts";
import { payInvoice } from "../routes/invoices.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["created_at", "timestamptz"],
  ["invoice_id", "uuid"],
]);

/** The invoices of orders and of periods, and their payment. */
export function invoiceHandlers(
  database: Database,
): Pick<AdminHandlers, "adminInvoiceList" | "adminInvoiceMarkPaid"> {
  return {
    async adminInvoiceList({ orgId, query }) {
      const { customer_id, status, type } = query;
      let selection = database
        .selectFrom("invoices")
        .selectAll()
        .where("org_id", "=", orgId)
        .where(during("created_at", query));
      if (customer_id !== undefined) selection = selection.where("customer_id", "=", customer_id);
      if (status !== undefined) selection = selection.where("status", "=", status);
      if (type !== undefined) selection = selection.where("kind", "=", type);
      const { rows, next } = await readPart(selection, newest, listPart(query));
      return answer(200, { invoices: rows.map(invoiceRecord), next });
    },

    async adminInvoiceMarkPaid({ orgId, actor, at, params: { invoice_id } }) {
      return answer(200, await payInvoice(database, orgId, invoice_id, actor, at));
    },
  };
}
