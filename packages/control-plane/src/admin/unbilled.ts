import { Router } from "express";
import { sql } from "kysely";
import { z } from "zod";
import type { Database } from "../database/connection.ts";
import { type Json, sendJson } from "../http/json.ts";
import { organizationOf, organizationPath, page, parseQuery } from "./scope.ts";

const query = z.object(page);

/** What was accepted and is not billed: usage without a wallet that can pay it, and calls without an indicator. */
export function unbilledRoutes(database: Database): Router {
  const router = Router();

  router.get(`${organizationPath}/unbilled-usage`, async (request, response) => {
    const { page, limit } = parseQuery(query, request);
    const orgId = await organizationOf(database, request);
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
       limit ${limit} offset ${BigInt(page - 1) * BigInt(limit)}`.execute(database);
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
    sendJson(response, 200, { usage, page, limit });
  });

  router.get(`${organizationPath}/voice-sessions`, async (request, response) => {
    const { page, limit } = parseQuery(query, request);
    const orgId = await organizationOf(database, request);
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
      .offset(BigInt(page - 1) * BigInt(limit))
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
    sendJson(response, 200, { sessions: records, page, limit });
  });

  return router;
}
