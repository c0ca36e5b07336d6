import type { Endpoints } from "@creditgate/client";
import { audit } from "../admin/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer, type Handlers } from "../http/call.ts";
import type { JsonObject } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { isUuid, unknown } from "../http/references.ts";
import { readInvoices } from "../invoices/record.ts";
import { markPaid } from "../orders/payment.ts";

/** Payment of invoices (API, section 4.4). */
export function invoiceHandlers(database: Database): Pick<Handlers<Endpoints>, "invoiceMarkPaid"> {
  return {
    async invoiceMarkPaid({ orgId, actor, at, params }) {
      return answer(200, await payInvoice(database, orgId, params.invoice_id, actor, at));
    },
  };
}

/** Marks an invoice paid, and resolves it; again, and nothing changes. */
export function payInvoice(
  database: Database,
  orgId: bigint,
  invoiceId: string,
  who: string,
  at: Date,
): Promise<JsonObject> {
  if (!isUuid(invoiceId)) throw unknown("invoice", invoiceId);
  return database.transaction().execute(async (transaction) => {
    const payment = await markPaid(transaction, orgId, invoiceId, at);
    if (payment === "invoice_unknown") throw unknown("invoice", invoiceId);
    if (payment === "out_of_range") {
      throw new Problem(
        422,
        "amount_out_of_range",
        "expected credits that the wallet can hold, received more",
      );
    }
    const [invoice = {}] = await readInvoices(transaction, orgId, { invoiceId });
    if (payment === "paid") {
      const change = { before: { status: "open" }, after: { status: "paid" } };
      await audit(
        transaction,
        { orgId, actor: who, action: "invoice.mark_paid", subject: invoiceId, ...change },
        at,
      );
    }
    return invoice;
  });
}
