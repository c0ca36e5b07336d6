import type { UsageFilter } from "@creditgate/admin";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Json, JsonObject } from "../http/json.ts";
import { isUuid, unknown } from "../http/problem.ts";
import { listHandler, type RecordList } from "../lists/keyset.ts";
import { listUsage, readUsage, type UsageRow } from "../usage/list.ts";
import type { AdminHandlers } from "./table.ts";

/** Reports of usage, the newest first, each with what has become of it. */
export function usageHandlers(database: Database) {
  return {
    usageList: listHandler("usage", listUsageRecords),

    async usageRead({ orgId, params: { usageId } }) {
      const usage = isUuid(usageId) ? await readUsage(database, orgId, usageId) : undefined;
      if (usage === undefined) throw unknown("usage", usageId);
      return answer(200, usageRecord(usage));
    },
  } satisfies Partial<AdminHandlers>;
}

/** Reports, the newest first. */
export const listUsageRecords: RecordList<UsageFilter> = async (database, { orgId, query }, part) => {
  const { rows, next } = await listUsage(database, orgId, query, part);
  return { records: rows.map(usageRecord), next };
};

/** A report in JSON. */
export function usageRecord(usage: UsageRow): JsonObject {
  return {
    usageId: usage.usageId,
    agentId: usage.agentId,
    indicator: usage.indicator,
    customerId: usage.customerId,
    rawUsage: JSON.parse(usage.rawUsage) as Json,
    creditCurrencyKey: usage.currency,
    credits: usage.amount,
    receivedAt: usage.receivedAt.toISOString(),
    settledAt: usage.settledAt?.toISOString() ?? null,
    outcome: usage.outcome,
    idempotencyKey: usage.idempotencyKey,
    budgets: (usage.budgets ?? []).map(([key, period]) => ({
      key,
      period: period === null ? null : new Date(period).toISOString(),
    })),
  };
}
