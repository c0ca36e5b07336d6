import type { AdminEndpoints, UsageFilter } from "@creditgate/client/admin";
import type { Database } from "../database/connection.ts";
import type { CsvHandler } from "../http/call.ts";
import type { Cell } from "../http/csv.ts";
import { listUsage, type UsageRow } from "../usage/list.ts";

const columns = [
  ...["usageId", "receivedAt", "customer_id", "agentId", "indicator", "credit_currency_key", "credits"],
  ...["outcome", "settledAt", "idempotencyKey", "rawUsage"],
];

/** Rows that are read with one statement. */
const atOnce = 500;

/** All usage of a kind as a file for spreadsheets, the newest first. */
export function usageCsvHandlers(database: Database): {
  readonly usageCsv: CsvHandler<AdminEndpoints["usageCsv"]>;
} {
  return {
    async usageCsv({ orgId, query }) {
      return { status: 200, name: "usage", columns, parts: partsOf(database, orgId, query) };
    },
  };
}

async function* partsOf(
  database: Database,
  orgId: bigint,
  filter: UsageFilter,
): AsyncGenerator<readonly (readonly Cell[])[], void, undefined> {
  let cursor: string | undefined;
  do {
    const { rows, next } = await listUsage(database, orgId, filter, { limit: atOnce, cursor });
    yield rows.map(cells);
    cursor = next ?? undefined;
  } while (cursor !== undefined);
}

function cells(usage: UsageRow): readonly Cell[] {
  return [
    usage.usageId,
    usage.receivedAt.toISOString(),
    usage.customerId,
    usage.agentId,
    usage.indicator,
    usage.currency,
    usage.amount,
    usage.outcome,
    usage.settledAt?.toISOString() ?? null,
    usage.idempotencyKey,
    usage.rawUsage,
  ];
}
