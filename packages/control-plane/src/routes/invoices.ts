import { Router } from "express";
import { audit } from "../admin/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { actor, organization } from "../http/authentication.ts";
import { allow } from "../http/errors.ts";
import { type JsonObject, sendJson } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { isUuid, unknown } from "../http/references.ts";
import { readInvoices } from "../invoices/record.ts";
import { markPaid } from "../orders/payment.ts";
import type { Clock } from "../time/clock.ts";

/** Payment of invoices (API, section 4.4). */
export function invoiceRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  router.post("/api/v1/invoices/:invoice_id/mark-paid", async (request, response) => {
    const { invoice_id } = request.params;
    const at = new Date(clock.now());
    const invoice = await payInvoice(database, organization(response), invoice_id, actor(response), at);
    sendJson(response, 200, invoice);
  });

  router.all("/api/v1/invoices/:invoice_id/mark-paid", allow("POST"));

  return router;
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
