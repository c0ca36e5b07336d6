import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { createKeyset, cutPart, type Placed, readPart } from "../database/keyset.ts";
import { answer } from "../http/call.ts";
import type { Json } from "../http/json.ts";
import { listPart } from "../http/list.ts";
import type { AdminHandlers } from "./table.ts";

const byWallet = createKeyset("asc", [
  ["customer_id", "text"],
  ["currency", "text"],
  ["outcome", "text"],
]);

const byAge = createKeyset("asc", [
  ["opened_at", "timestamptz"],
  ["session_id", "text"],
]);

interface Unbilled extends Placed {
  readonly customer_id: string;
  readonly currency: string;
  readonly outcome: string;
  readonly events: bigint;
  readonly credits: string;
  readonly since: Date;
}

/** What was accepted and is not billed: usage without a wallet that can pay it, and calls without an indicator. */
export function unbilledHandlers(
  database: Database,
): Pick<AdminHandlers, "unbilledUsageList" | "voiceSessionList"> {
  return {
    async unbilledUsageList({ orgId, query }) {
      const part = listPart(query);
      const { rows: found } = await sql<Unbilled>`
      select customer_id, currency, outcome, count(*) as events, sum(amount)::text as credits,
             min(received_at) as since, ${byWallet.place} as place
        from usage_events
       where org_id = ${orgId} and outcome in ('wallet_missing', 'out_of_range') and ${byWallet.after(part)}
       group by customer_id, currency, outcome
       order by ${byWallet.order}
       limit ${part.limit + 1}`.execute(database);
      const { rows, next } = cutPart(found, part);
      const usage = rows.map(
        ({ customer_id, currency, outcome, events, credits, since }): Json => ({
          customer_id,
          credit_currency_key: currency,
          reason: outcome,
          events: Number(events),
          credits: BigInt(credits),
          since: since.toISOString(),
        }),
      );
      return answer(200, { usage, next });
    },

    async voiceSessionList({ orgId, query }) {
      const sessions = database
        .selectFrom("voice_sessions as session")
        .select(["session_id", "agent_id", "customer_id", "opened_at", "abandoned_at"])
        .select(({ selectFrom }) =>
          selectFrom("voice_usage as part")
            .select(({ fn }) => fn.countAll<bigint>().as("parts"))
            .whereRef("part.org_id", "=", "session.org_id")
            .whereRef("part.session_id", "=", "session.session_id")
            .as("parts"),
        )
        .where("org_id", "=", orgId)
        .where("closed_at", "is", null);
      const { rows, next } = await readPart(sessions, byAge, listPart(query));
      const records = rows.map(
        (session): Json => ({
          sessionId: session.session_id,
          agentId: session.agent_id,
          customer_id: session.customer_id,
          openedAt: session.opened_at.toISOString(),
          abandonedAt: session.abandoned_at?.toISOString() ?? null,
          parts: Number(session.parts ?? 0n),
        }),
      );
      return answer(200, { sessions: records, next });
    },
  };
}
