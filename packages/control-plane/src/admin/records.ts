import type { Database } from "../database/connection.ts";
import { answer } from "../http/call.ts";
import type { Json } from "../http/json.ts";
import { readInvoices } from "../invoices/record.ts";
import { payInvoice } from "../routes/invoices.ts";
import { pageOf, rowsOf, usualLimit } from "./scope.ts";
import type { AdminHandlers } from "./table.ts";

/** What has been written: the entries of the ledger, the newest first, and the invoices. */
export function recordHandlers(
  database: Database,
): Pick<
  AdminHandlers,
  "ledgerList" | "adminInvoiceList" | "periodFailureList" | "settlementFailureList" | "adminInvoiceMarkPaid"
> {
  return {
    async ledgerList({ orgId, query: { before, limit = usualLimit, customer_id, credit_currency_key } }) {
      let selection = database
        .selectFrom("ledger_entries")
        .selectAll()
        .orderBy("org_id", "desc")
        .orderBy("entry_id", "desc")
        .limit(limit);
      selection =
        customer_id === undefined
          ? selection.where(rowsOf(orgId))
          : selection.where("org_id", "=", orgId).where("customer_id", "=", customer_id);
      if (credit_currency_key !== undefined)
        selection = selection.where("currency", "=", credit_currency_key);
      if (before !== undefined) selection = selection.where("entry_id", "<", BigInt(before));
      const entries = (await selection.execute()).map(
        (entry): Json => ({
          entryId: Number(entry.entry_id),
          customer_id: entry.customer_id,
          credit_currency_key: entry.currency,
          cause: entry.cause,
          usageId: entry.usage_id,
          topUpId: entry.top_up_id,
          invoiceId: entry.invoice_id,
          reason: entry.reason,
          available: entry.available,
          pending: entry.pending,
          overage_used: entry.overage_used,
          postpaid_used: entry.postpaid_used,
          createdAt: entry.created_at.toISOString(),
        }),
      );
      return answer(200, { entries, limit });
    },

    async adminInvoiceList({ orgId, query }) {
      const { customer_id, status } = query;
      const { page, limit, offset } = pageOf(query);
      const which = { customerId: customer_id, status, limit, offset };
      return answer(200, { invoices: await readInvoices(database, orgId, which), page, limit });
    },

    async periodFailureList({ orgId, query }) {
      const { page, limit, offset } = pageOf(query);
      const failures = await database
        .selectFrom("period_failures")
        .select(["customer_id", "currency", "period_end", "message", "failed_at"])
        .where("org_id", "=", orgId)
        .orderBy("customer_id")
        .orderBy("currency")
        .limit(limit)
        .offset(offset)
        .execute();
      const records = failures.map(
        ({ customer_id, currency, period_end, message, failed_at }): Json => ({
          customer_id,
          credit_currency_key: currency,
          periodEnd: period_end?.toISOString() ?? null,
          message,
          failedAt: failed_at.toISOString(),
        }),
      );
      return answer(200, { failures: records, page, limit });
    },

    async settlementFailureList({ orgId, query }) {
      const { page, limit, offset } = pageOf(query);
      const failures = await database
        .selectFrom("settlement_failures as failure")
        .leftJoin("usage_events as event", (join) =>
          join.onRef("event.org_id", "=", "failure.org_id").onRef("event.usage_id", "=", "failure.usage_id"),
        )
        .select([
          "failure.usage_id",
          "customer_id",
          "currency",
          "amount",
          "received_at",
          "message",
          "failed_at",
        ])
        .where("failure.org_id", "=", orgId)
        .orderBy("failure.usage_id")
        .limit(limit)
        .offset(offset)
        .execute();
      const records = failures.map(
        ({ usage_id, customer_id, currency, amount, received_at, message, failed_at }): Json => ({
          usageId: usage_id,
          customer_id,
          credit_currency_key: currency,
          credits: amount,
          receivedAt: received_at?.toISOString() ?? null,
          message,
          failedAt: failed_at.toISOString(),
        }),
      );
      return answer(200, { failures: records, page, limit });
    },

    async adminInvoiceMarkPaid({ orgId, actor, at, params: { invoice_id } }) {
      return answer(200, await payInvoice(database, orgId, invoice_id, actor, at));
    },
  };
}
