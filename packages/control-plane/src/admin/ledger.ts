import type { LedgerFilter } from "@creditgate/admin";
import { type Selectable, sql } from "kysely";
import type { LedgerEntriesTable } from "../database/tables.ts";
import type { JsonObject } from "../http/json.ts";
import { createKeyset, during, listHandler, type RecordList, readPart } from "../lists/keyset.ts";
import type { AdminHandlers } from "./table.ts";

const newest = createKeyset("desc", [
  ["created_at", "timestamptz"],
  ["customer_id", "text"],
  ["currency", "text"],
  ["entry_no", "bigint"],
]);

/** The entries of the ledger, the newest first. */
export const listLedger: RecordList<LedgerFilter> = async (database, { orgId, query }, part) => {
  const { customerId, creditCurrencyKey, cause } = query;
  let selection = database
    .selectFrom("ledger_entries")
    .selectAll()
    .where("org_id", "=", orgId)
    .where(during("created_at", query));
  if (customerId !== undefined) selection = selection.where("customer_id", "=", customerId);
  if (creditCurrencyKey !== undefined) selection = selection.where("currency", "=", creditCurrencyKey);
  // The condition of the index of what is rare, in the words of the index.
  if (cause !== undefined && cause !== "usage") selection = selection.where(sql<boolean>`cause <> 'usage'`);
  if (cause !== undefined) selection = selection.where("cause", "=", cause);
  const { rows, next } = await readPart(selection, newest, part);
  return { records: rows.map(record), next };
};

/** The entries of the ledger, the newest first. */
export const ledgerHandlers: Pick<AdminHandlers, "ledgerList"> = {
  ledgerList: listHandler("entries", listLedger),
};

function record(entry: Selectable<LedgerEntriesTable>): JsonObject {
  return {
    entryNo: Number(entry.entry_no),
    customerId: entry.customer_id,
    creditCurrencyKey: entry.currency,
    cause: entry.cause,
    usageId: entry.usage_id,
    topUpId: entry.top_up_id,
    invoiceId: entry.invoice_id,
    creditNoteId: entry.credit_note_id,
    grantId: entry.grant_id,
    reason: entry.reason,
    available: entry.available,
    pending: entry.pending,
    overageUsed: entry.overage_used,
    postpaidUsed: entry.postpaid_used,
    after: {
      available: entry.available_after,
      pending: entry.pending_after,
      overageUsed: entry.overage_used_after,
      postpaidUsed: entry.postpaid_used_after,
    },
    createdAt: entry.created_at.toISOString(),
  };
}
