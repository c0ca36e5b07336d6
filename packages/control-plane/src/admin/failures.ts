import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Json } from "../http/json.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import type { AdminHandlers } from "./table.ts";

/** That of the whole organisation, which has no wallet, comes first. */
const byWallet = createKeyset("asc", [
  [sql`coalesce(customer_id, '')`, "text"],
  [sql`coalesce(currency, '')`, "text"],
]);

const byUsage = createKeyset("asc", [["usage_id", "uuid"]]);

/** What could not be done in the background: periods that were not invoiced, usage that was not settled. */
export function failureHandlers(database: Database) {
  return {
    async periodFailureList({ orgId, query }) {
      const failures = database
        .selectFrom("period_failures")
        .select(["customer_id", "currency", "period_end", "message", "failed_at"])
        .where("org_id", "=", orgId);
      const { rows, next } = await readPart(failures, byWallet, listPart(query));
      const records = rows.map(
        ({ customer_id: customerId, currency, period_end, message, failed_at }): Json => ({
          customerId,
          creditCurrencyKey: currency,
          periodEnd: period_end?.toISOString() ?? null,
          message,
          failedAt: failed_at.toISOString(),
        }),
      );
      return answer(200, { failures: records, next });
    },

    async settlementFailureList({ orgId, query }) {
      const failures = database
        .selectFrom("usage_due")
        .select(["usage_id", "customer_id", "currency", "amount", "received_at", "message", "failed_at"])
        .where("org_id", "=", orgId)
        .where("failed_at", "is not", null);
      const { rows, next } = await readPart(failures, byUsage, listPart(query));
      const records = rows.map(
        ({
          usage_id: usageId,
          customer_id: customerId,
          currency,
          amount,
          received_at,
          message,
          failed_at,
        }): Json => ({
          usageId,
          customerId,
          creditCurrencyKey: currency,
          credits: amount,
          receivedAt: received_at.toISOString(),
          message,
          failedAt: failed_at?.toISOString() ?? null,
        }),
      );
      return answer(200, { failures: records, next });
    },
  } satisfies Partial<AdminHandlers>;
}
