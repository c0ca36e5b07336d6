import type { Endpoints } from "@creditgate/client";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { answer, type Call, type Handlers } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { isUuid, Problem, unknown } from "../http/problem.ts";
import { publicInvoice, readInvoices } from "../orders/invoice-record.ts";
import { markPaid } from "../orders/payment.ts";
import type { PeriodSettings } from "../periods/settings.ts";

/** Payment of invoices (API, section 4.4). */
export function invoiceHandlers(database: Database, defaults: Pick<PeriodSettings, "timeZone">) {
  return {
    async invoiceMarkPaid({ orgId, actor, at, params: { invoice_id } }) {
      const pay = (transaction: DatabaseTransaction) =>
        payInvoice(transaction, { orgId, actor, at }, invoice_id, defaults);
      return answer(200, publicInvoice(await database.transaction().execute(pay)));
    },
  } satisfies Partial<Handlers<Endpoints>>;
}

/** Who acts, for which organisation, and when. */
export type Actor = Pick<Call<never>, "orgId" | "actor" | "at">;

/** Marks an invoice paid, and resolves it; again, and nothing changes. Throws, and nothing may be committed, where it cannot. */
export async function payInvoice(
  transaction: DatabaseTransaction,
  { orgId, actor, at }: Actor,
  invoiceId: string,
  defaults: Pick<PeriodSettings, "timeZone">,
): Promise<JsonObject> {
  if (!isUuid(invoiceId)) throw unknown("invoice", invoiceId);
  const payment = await markPaid(transaction, orgId, invoiceId, at, defaults);
  switch (payment) {
    case "invoice_unknown":
      throw unknown("invoice", invoiceId);
    case "invoice_void":
      throw new Problem(409, "invoice_void", "invoice: expected one that is open, received one that is void");
    case "out_of_range":
      throw new Problem(
        422,
        "amount_out_of_range",
        "expected credits that the wallet can hold, received more",
      );
    case "paid": {
      const change = { before: { status: "open" }, after: { status: "paid" } };
      await audit(
        transaction,
        { orgId, actor, action: "invoice.mark_paid", subject: invoiceId, ...change },
        at,
      );
      break;
    }
    case "paid_before":
  }
  const [invoice = {}] = await readInvoices(transaction, orgId, { invoiceId });
  return invoice;
}
