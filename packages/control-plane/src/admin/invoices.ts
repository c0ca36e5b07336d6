import type { InvoiceFilter } from "@creditgate/admin";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { createKeyset, during, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import { invoiceRecord, readInvoices } from "../orders/invoice-record.ts";
import { type Voiding, voidInvoice } from "../orders/invoice-void.ts";
import type { PeriodSettings } from "../periods/settings.ts";
import { payInvoice } from "../routes/invoices.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["created_at", "timestamptz"],
  ["invoice_id", "uuid"],
]);

/** The invoices of orders and of periods: their payment, and those that will not be paid. */
export function invoiceHandlers(database: Database, defaults: Pick<PeriodSettings, "timeZone">) {
  return {
    adminInvoiceList: listHandler("invoices", listInvoices),

    async adminInvoiceRead({ orgId, params: { invoiceId } }) {
      const [invoice] = isUuid(invoiceId) ? await readInvoices(database, orgId, { invoiceId }) : [];
      if (invoice === undefined) throw unknown("invoice", invoiceId);
      return answer(200, invoice);
    },

    async adminInvoiceMarkPaid({ orgId, actor, at, params: { invoiceId } }) {
      const pay = database.transaction();
      return answer(
        200,
        await pay.execute((transaction) =>
          payInvoice(transaction, { orgId, actor, at }, invoiceId, defaults),
        ),
      );
    },

    async adminInvoiceVoid({ orgId, actor, at, params: { invoiceId }, body }) {
      if (!isUuid(invoiceId)) throw unknown("invoice", invoiceId);
      const { reason, usage } = body;
      const invoice = await database.transaction().execute(async (transaction) => {
        const voiding = await voidInvoice(transaction, { orgId, invoiceId, usage }, at);
        if (!("invoice" in voiding)) throw refusal(voiding, invoiceId);
        const { outcome, invoice: voided } = voiding;
        if (outcome === "voided") {
          const after = { status: "void", usage: voided.voided_usage };
          const change = { subject: { invoiceId, reason }, before: { status: "open" }, after };
          await audit(transaction, { orgId, actor, action: "invoice.void", ...change }, at);
        }
        return voided;
      });
      return answer(200, invoiceRecord(invoice));
    },
  } satisfies Partial<AdminHandlers>;
}

/** The invoices, the newest first. */
export const listInvoices: RecordList<InvoiceFilter> = async (database, { orgId, query }, part) => {
  const { customerId, status, type } = query;
  let selection = database
    .selectFrom("invoices")
    .selectAll()
    .where("org_id", "=", orgId)
    .where(during("created_at", query));
  if (customerId !== undefined) selection = selection.where("customer_id", "=", customerId);
  if (status !== undefined) selection = selection.where("status", "=", status);
  if (type !== undefined) selection = selection.where("kind", "=", type);
  const { rows, next } = await readPart(selection, newest, part);
  return { records: rows.map(invoiceRecord), next };
};

function refusal(voiding: Exclude<Voiding, { readonly invoice: unknown }>, invoiceId: string): Problem {
  switch (voiding.outcome) {
    case "invoice_unknown":
      return unknown("invoice", invoiceId);
    case "invoice_paid":
      return new Problem(
        409,
        "invoice_paid",
        "invoice: expected one that is open, received one that is paid: a credit note takes back what was paid",
      );
    case "voided_otherwise":
      return new Problem(
        409,
        "invoice_void",
        `usage: expected what has become of it when the invoice was voided, ${voiding.usage}, received another`,
      );
    case "not_of_period":
      return new Problem(
        422,
        "not_of_period",
        "usage: expected none, since the invoice is of an order and bills no usage, received one",
      );
    case "out_of_range":
      return new Problem(
        422,
        "amount_out_of_range",
        "expected credits that the wallet can hold beside its bill, received more",
      );
  }
}
