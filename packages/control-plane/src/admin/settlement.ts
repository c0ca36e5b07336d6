import type { Database } from "../database/connection.ts";
import { answer } from "../http/call.ts";
import { readSettlementAges } from "../usage/settlement-ages.ts";
import { dayMs } from "../usage/tallies.ts";
import { readWaiting } from "../usage/waiting.ts";
import type { AdminHandlers } from "./table.ts";

/** Reports that are counted at most: a page that asks each few seconds must not read a backlog. */
const mostCounted = 10_000;

/** How long usage may have been due until it is late. */
const lateMs = 5_000;

/** How far settlement is behind, and was. */
export function settlementHandlers(
  database: Database,
): Pick<AdminHandlers, "settlementState" | "settlementAges"> {
  return {
    async settlementState({ orgId, at }) {
      const rows = await readWaiting(database, orgId, mostCounted + 1);
      const waiting = rows.reduce((sum, { events }) => sum + Number(events), 0);
      const due = rows.map((row) => row.due.getTime()).sort((one, other) => one - other)[0];
      return answer(200, {
        waiting: Math.min(waiting, mostCounted),
        more: waiting > mostCounted,
        sums: rows.flatMap(({ currency, credits }) =>
          currency === null ? [] : [{ credit_currency_key: currency, credits: BigInt(credits) }],
        ),
        dueSince: due === undefined ? null : new Date(due).toISOString(),
        isLate: due !== undefined && at.getTime() - due > lateMs,
      });
    },

    async settlementAges({ orgId, at }) {
      const from = new Date(at.getTime() - dayMs);
      const rows = await readSettlementAges(database, orgId, { from, to: at });
      return answer(200, {
        from: from.toISOString(),
        to: at.toISOString(),
        ages: rows.map(({ at: began, sampled, medianMs, p95Ms }) => ({
          at: began.toISOString(),
          sampled: Number(sampled),
          medianMs,
          p95Ms,
        })),
      });
    },
  };
}
