import { sql } from "kysely";
import type { Database } from "../database/connection.ts";
import { answer } from "../http/call.ts";
import type { Json } from "../http/json.ts";
import { pageOf } from "./scope.ts";
import type { AdminHandlers } from "./table.ts";

/** What was accepted and is not billed: usage without a wallet that can pay it, and calls without an indicator. */
export function unbilledHandlers(
  database: Database,
): Pick<AdminHandlers, "unbilledUsageList" | "voiceSessionList"> {
  return {
    async unbilledUsageList({ orgId, query }) {
      const { page, limit, offset } = pageOf(query);
      const { rows } = await sql<{
        customer_id: string;
        currency: string;
        outcome: string;
        events: bigint;
        credits: string;
        since: Date;
      }>`
      select customer_id, currency, outcome, count(*) as events, sum(amount)::text as credits,
             min(received_at) as since
        from usage_events
       where org_id = ${orgId} and outcome in ('wallet_missing', 'out_of_range')
       group by customer_id, currency, outcome
       order by customer_id, currency, outcome
       limit ${limit} offset ${offset}`.execute(database);
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
      return answer(200, { usage, page, limit });
    },

    async voiceSessionList({ orgId, query }) {
      const { page, limit, offset } = pageOf(query);
      const sessions = await database
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
        .where("closed_at", "is", null)
        .orderBy("opened_at")
        .orderBy("session_id")
        .limit(limit)
        .offset(offset)
        .execute();
      const records = sessions.map(
        (session): Json => ({
          sessionId: session.session_id,
          agentId: session.agent_id,
          customer_id: session.customer_id,
          openedAt: session.opened_at.toISOString(),
          abandonedAt: session.abandoned_at?.toISOString() ?? null,
          parts: Number(session.parts ?? 0n),
        }),
      );
      return answer(200, { sessions: records, page, limit });
    },
  };
}
