import { identifier } from "@creditgate/client";
import { Router } from "express";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { type Json, sendJson } from "../http/json.ts";
import { readInvoices } from "../invoices/record.ts";
import { payInvoice } from "../routes/invoices.ts";
import type { Clock } from "../time/clock.ts";
import { administrator } from "./authentication.ts";
import { older, organizationOf, organizationPath, page, parseQuery, rowsOf } from "./scope.ts";

const ledgerQuery = z.object({
  ...older,
  customer_id: identifier.optional(),
  credit_currency_key: identifier.optional(),
});

const invoiceQuery = z.object({
  ...page,
  customer_id: identifier.optional(),
  status: z.enum(["open", "paid"]).optional(),
});

const failureQuery = z.object(page);

/** What has been written: the entries of the ledger, the newest first, and the invoices. */
export function recordRoutes(database: Database, clock: Clock): Router {
  const router = Router();

  router.get(`${organizationPath}/ledger`, async (request, response) => {
    const { before, limit, customer_id, credit_currency_key } = parseQuery(ledgerQuery, request);
    const orgId = await organizationOf(database, request);
    let query = database
      .selectFrom("ledger_entries")
      .selectAll()
      .orderBy("org_id", "desc")
      .orderBy("entry_id", "desc")
      .limit(limit);
    query =
      customer_id === undefined
        ? query.where(rowsOf(orgId))
        : query.where("org_id", "=", orgId).where("customer_id", "=", customer_id);
    if (credit_currency_key !== undefined) query = query.where("currency", "=", credit_currency_key);
    if (before !== undefined) query = query.where("entry_id", "<", BigInt(before));
    const entries = (await query.execute()).map(
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
    sendJson(response, 200, { entries, limit });
  });

  router.get(`${organizationPath}/invoices`, async (request, response) => {
    const { page, limit, customer_id, status } = parseQuery(invoiceQuery, request);
    const orgId = await organizationOf(database, request);
    const offset = BigInt(page - 1) * BigInt(limit);
    const which = { customerId: customer_id, status, limit, offset };
    sendJson(response, 200, { invoices: await readInvoices(database, orgId, which), page, limit });
  });

  router.get(`${organizationPath}/period-failures`, async (request, response) => {
    const { page, limit } = parseQuery(failureQuery, request);
    const orgId = await organizationOf(database, request);
    const failures = await database
      .selectFrom("period_failures")
      .select(["customer_id", "currency", "period_end", "message", "failed_at"])
      .where("org_id", "=", orgId)
      .orderBy("customer_id")
      .orderBy("currency")
      .limit(limit)
      .offset(BigInt(page - 1) * BigInt(limit))
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
    sendJson(response, 200, { failures: records, page, limit });
  });

  router.get(`${organizationPath}/settlement-failures`, async (request, response) => {
    const { page, limit } = parseQuery(failureQuery, request);
    const orgId = await organizationOf(database, request);
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
      .offset(BigInt(page - 1) * BigInt(limit))
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
    sendJson(response, 200, { failures: records, page, limit });
  });

  router.post(`${organizationPath}/invoices/:invoice_id/mark-paid`, async (request, response) => {
    const orgId = await organizationOf(database, request);
    const at = new Date(clock.now());
    const { invoice_id } = request.params;
    sendJson(response, 200, await payInvoice(database, orgId, invoice_id, administrator(response), at));
  });

  return router;
}
