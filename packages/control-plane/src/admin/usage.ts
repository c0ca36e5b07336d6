import type { UsageFilter } from "@creditgate/admin";
import type { Database } from "../database/connection.ts";
import { answer } from "../http/call.ts";
import type { Json, JsonObject } from "../http/json.ts";
import { isUuid, unknown } from "../http/references.ts";
import { listPart, type RecordList } from "../lists/list.ts";
import { listUsage, readUsage, type UsageRow } from "../usage/list.ts";
import type { AdminHandlers } from "./table.ts";

/** Reports of usage, the newest first, each with what has become of it. */
export function usageHandlers(database: Database): Pick<AdminHandlers, "usageList" | "usageRead"> {
  return {
    async usageList({ orgId, query, read }) {
      const { records, next } = await read((lists) =>
        listUsageRecords(lists, { orgId, query }, listPart(query)),
      );
      return answer(200, { usage: records, next });
    },

    async usageRead({ orgId, params: { usage_id } }) {
      const usage = isUuid(usage_id) ? await readUsage(database, orgId, usage_id) : undefined;
      if (usage === undefined) throw unknown("usage", usage_id);
      return answer(200, usageRecord(usage));
    },
  };
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
    customer_id: usage.customerId,
    rawUsage: JSON.parse(usage.rawUsage) as Json,
    credit_currency_key: usage.currency,
    credits: usage.amount,
    receivedAt: usage.receivedAt.toISOString(),
    settledAt: usage.settledAt?.toISOString() ?? null,
    outcome: usage.outcome,
    idempotencyKey: usage.idempotencyKey,
  };
}
