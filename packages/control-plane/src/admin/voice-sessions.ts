import { createHash } from "node:crypto";
import { audit } from "../audit/audit-log.ts";
import type { Database, DatabaseTransaction } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import type { Json } from "../http/json.ts";
import { Problem, unknown } from "../http/problem.ts";
import { createKeyset, during, listPart, readPart } from "../lists/keyset.ts";
import { billCall, lockSession, type OpenCall } from "../voice/call.ts";
import { creditIndicators, sweepSome } from "../voice/sweep.ts";
import type { AdminHandlers } from "./table.ts";

const byAge = createKeyset("asc", [
  ["opened_at", "timestamptz"],
  ["session_id", "text"],
]);

/** Calls that have no indicator, and their end by an administrator. */
export function voiceSessionHandlers(database: Database, onAccepted: (dueAt: Date) => void) {
  return {
    async voiceSessionList({ orgId, query }) {
      const { customerId, agentId, state } = query;
      let sessions = database
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
        .where(during("opened_at", query));
      if (customerId !== undefined) sessions = sessions.where("customer_id", "=", customerId);
      if (agentId !== undefined) sessions = sessions.where("agent_id", "=", agentId);
      if (state !== undefined)
        sessions = sessions.where("abandoned_at", state === "open" ? "is" : "is not", null);
      const { rows, next } = await readPart(sessions, byAge, listPart(query));
      const records = rows.map(
        (session): Json => ({
          sessionId: session.session_id,
          agentId: session.agent_id,
          customerId: session.customer_id,
          openedAt: session.opened_at.toISOString(),
          abandonedAt: session.abandoned_at?.toISOString() ?? null,
          parts: Number(session.parts ?? 0n),
        }),
      );
      return answer(200, { sessions: records, next });
    },

    async voiceSessionClose({ orgId, actor, at, params: { sessionId }, body }) {
      const { totalDuration, reason } = body;
      const closed = await database.transaction().execute(async (transaction) => {
        const call = await lockCall(transaction, orgId, sessionId);
        const indicator = body.indicator ?? (await onlyIndicator(transaction, call, at));
        const hash = createHash("sha256").update(sessionId).digest("hex");
        const duration = totalDuration === undefined ? {} : { totalDuration };
        const rawUsage = { sessionId, ...duration, closedBy: actor };
        const billed = await billCall(transaction, call, {
          indicator,
          hash,
          at,
          dueAt: at,
          rawUsage,
          ...duration,
        });
        if (!billed.accepted) throw refusal(billed.reason, indicator);
        const after = { usageId: billed.id, indicator };
        await audit(
          transaction,
          { orgId, actor, action: "voice_session.close", subject: { sessionId, reason }, after },
          at,
        );
        return { sessionId, ...after };
      });
      onAccepted(at);
      return answer(200, closed);
    },

    async voiceSessionExpire({ orgId, actor, at, body: { silentSeconds, reason } }) {
      const silent = silentSeconds === undefined ? {} : { silentMs: silentSeconds * 1_000 };
      const swept = await sweepSome(database, at, { orgId, again: true, ...silent });
      const unbilled = swept.unbilled.map(({ key, reason: why }) => ({
        sessionId: key.sessionId,
        reason: why,
      }));
      const after = { billed: swept.billed, unbilled: unbilled.length };
      if (swept.billed > 0 || unbilled.length > 0) {
        await database.transaction().execute((transaction) =>
          audit(
            transaction,
            {
              orgId,
              actor,
              action: "voice_session.expire",
              subject: { silentSeconds: silentSeconds ?? null, reason },
              after,
            },
            at,
          ),
        );
      }
      if (swept.billed > 0) onAccepted(at);
      return answer(200, { billed: swept.billed, unbilled, more: swept.more });
    },
  } satisfies Partial<AdminHandlers>;
}

async function lockCall(
  transaction: DatabaseTransaction,
  orgId: bigint,
  sessionId: string,
): Promise<OpenCall> {
  const session = await lockSession(transaction, { orgId, sessionId });
  if (session === undefined) throw unknown("session", sessionId);
  if (session.isClosed) {
    throw new Problem(
      409,
      "session_closed",
      `session: expected one that is open, received ${JSON.stringify(sessionId)}`,
    );
  }
  return session;
}

async function onlyIndicator(transaction: DatabaseTransaction, call: OpenCall, at: Date): Promise<string> {
  const indicators = await creditIndicators(transaction, call, at);
  const [only] = indicators;
  if (only !== undefined && indicators.length === 1) return only;
  const known = indicators
    .slice(0, 20)
    .map((name) => JSON.stringify(name))
    .join(", ");
  throw new Problem(
    422,
    "indicator_needed",
    `indicator: expected one of agent ${JSON.stringify(call.agentId)}, which has ${known === "" ? "none" : known} in CREDITS, received none`,
  );
}

function refusal(reason: "indicator_unknown" | "out_of_range", indicator: string): Problem {
  if (reason === "indicator_unknown") return unknown("indicator", indicator);
  const detail = "session: expected a call that costs at most one billion credits, received more";
  return new Problem(422, "amount_out_of_range", detail);
}
