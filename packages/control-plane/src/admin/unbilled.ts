import { sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Json } from "../http/json.ts";
import { createKeyset, cutPart, listPart, type Placed } from "../lists/keyset.ts";
import { resettle } from "../settlement/resettlement.ts";
import type { AdminHandlers } from "./table.ts";

const byWallet = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
  ["outcome", "text"],
]);

interface Unbilled extends Placed {
  readonly customer_id: string;
  readonly currency: string;
  readonly outcome: string;
  readonly events: bigint;
  readonly credits: string;
  readonly since: Date;
}

/** Usage without a wallet that can pay it, and its settlement when it has one. */
export function unbilledHandlers(database: Database, onAccepted: (dueAt: Date) => void) {
  return {
    async unbilledUsageList({ orgId, query }) {
      const part = listPart(query);
      const { customerId = null, creditCurrencyKey = null, reason = null } = query;
      const { rows: found } = await sql<Unbilled>`
      select customer_id, currency, outcome, count(*) as events, sum(amount)::text as credits,
             min(received_at) as since, ${byWallet.place} as place
        from usage_outcomes
       where org_id = ${orgId} and outcome in ('wallet_missing', 'out_of_range') and ${byWallet.after(part)}
         and (${customerId}::text is null or customer_id = ${customerId})
         and (${creditCurrencyKey}::text is null or currency = ${creditCurrencyKey})
         and (${reason}::text is null or outcome = ${reason})
       group by customer_id, currency, outcome
       order by ${byWallet.order}
       limit ${part.limit + 1}`.execute(database);
      const { rows, next } = cutPart(found, part);
      const usage = rows.map(
        ({ customer_id: customerId, currency, outcome, events, credits, since }): Json => ({
          customerId,
          creditCurrencyKey: currency,
          reason: outcome,
          events: Number(events),
          credits: BigInt(credits),
          since: since.toISOString(),
        }),
      );
      return answer(200, { usage, next });
    },

    async usageResettle({ orgId, actor, at, body }) {
      const { reason, ...filter } = body;
      const resettled = await database.transaction().execute(async (transaction) => {
        const found = await resettle(transaction, orgId, filter);
        if (found.resettled > 0) {
          const subject = JSON.parse(JSON.stringify({ ...filter, reason })) as Json;
          const after = { resettled: found.resettled };
          await audit(transaction, { orgId, actor, action: "usage.resettle", subject, after }, at);
        }
        return found;
      });
      if (resettled.resettled > 0) onAccepted(at);
      return answer(200, { ...resettled });
    },
  } satisfies Partial<AdminHandlers>;
}
