import { type HeartbeatRequest, heartbeatRequest, type WaitingReport } from "@creditgate/client";
import { sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import { answer } from "../endpoint/call.ts";
import { bucketMs, forgottenAfterMs, lockGate, mostDecisions } from "../gates/heartbeat.ts";
import { isMemory } from "../gates/ledger-overlap.ts";
import { findSeparateLedgers, type SeparateLedgersFound } from "../gates/separate-ledgers.ts";
import type { Json } from "../http/json.ts";
import { isUuid, unknown } from "../http/problem.ts";
import type { AdminHandlers } from "./table.ts";

/** Reports that one answer names, and that a gate may be asked for at a time. */
const mostReports = 100;

/** Of the reports that wait, in the words of the gate. */
const waitingIds = sql<readonly string[]>`
  array(select report ->> 'id' from json_array_elements(said::json -> 'waiting') with ordinality as waiting (report, position)
         order by position)`;

/** The gates that say of themselves how they are, and what operators want of them. */
export function gateHandlers(database: Database) {
  return {
    async gateList({ orgId, at, query: { minutes = 60 } }) {
      const rows = await database
        .selectFrom("gates")
        .select(["said", "heard_at", "retries"])
        .where("org_id", "=", orgId)
        .where("heard_at", ">", new Date(at.getTime() - forgottenAfterMs))
        .orderBy("name")
        .orderBy("gate_id")
        .execute();
      const known = rows.map(({ said, ...row }) => ({
        ...row,
        said: heartbeatRequest.parse(JSON.parse(said)),
      }));
      const since = Math.floor(at.getTime() / bucketMs) * bucketMs + bucketMs - minutes * 60_000;
      const decisions = await database
        .selectFrom("gate_decisions")
        .select(["name", "code", (select) => select.fn.sum<bigint>("decisions").as("decisions")])
        .where("org_id", "=", orgId)
        .where("at", ">=", new Date(since))
        .groupBy(["name", "code"])
        .orderBy("decisions", "desc")
        .limit(mostDecisions)
        .execute();
      const byName = decisions.toSorted(
        (one, other) => compare(one.name, other.name) || compare(one.code, other.code),
      );
      const separate = (await findSeparateLedgers(database, at.getTime(), orgId)).get(orgId);
      const waiting = known.flatMap(({ said, retries }) =>
        said.waiting.map((report) => reportJson(report, said, retries)),
      );
      return answer(200, {
        gates: known.map(({ said, heard_at }) => gateJson(said, heard_at)),
        decisions: byName.map(({ name, code, decisions: count }) => ({
          name,
          code: code === "" ? null : code,
          decisions: Math.min(Number(count), Number.MAX_SAFE_INTEGER),
        })),
        reports: waiting.sort(byState).slice(0, mostReports),
        separateLedgers: separateLedgersJson(separate),
      });
    },

    async gateRetry({ orgId, actor, at, params: { gateId }, body: { reportIds } }) {
      if (!isUuid(gateId)) throw unknown("gate", gateId);
      const asked = await database.transaction().execute(async (transaction) => {
        const gate = await lockGate(transaction, { orgId, gateId: gateId }, waitingIds);
        if (gate === undefined) throw unknown("gate", gateId);
        const ids = gate.said.filter((id) => reportIds.includes(id));
        const added = ids.filter((id) => !gate.retries.includes(id));
        if (added.length === 0) return ids;
        const retries = [...gate.retries, ...added].slice(-mostReports);
        await transaction
          .updateTable("gates")
          .set({ retries: sql<string[]>`${retries}::text[]` })
          .where("org_id", "=", orgId)
          .where("gate_id", "=", gateId)
          .execute();
        const after = { reportIds: added };
        await audit(transaction, { orgId, actor, action: "gate.retry", subject: gateId, after }, at);
        return ids;
      });
      return answer(200, { asked });
    },
  } satisfies Partial<AdminHandlers>;
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}

function gateJson(said: HeartbeatRequest, heardAt: Date): Json {
  const { gateId, name, platform, version, startedAt, everyMs, open, held, queued, parked, dead, late } =
    said;
  return {
    ...{ gateId, name, platform, version, startedAt, heardAt: heardAt.toISOString(), everyMs },
    ...{ open, held, queued, parked, dead, late },
  };
}

function separateLedgersJson({ ledgers, wallets, isGuarded }: SeparateLedgersFound = none): Json {
  return {
    ledgers: ledgers.map(({ ledger, firstAt, lastAt }) => ({
      ledger: isMemory(ledger) ? "memory" : ledger,
      processId: isMemory(ledger) ? ledger : null,
      since: new Date(firstAt).toISOString(),
      lastAt: new Date(lastAt).toISOString(),
    })),
    wallets: [...wallets],
    guarded: isGuarded,
  };
}

const none: SeparateLedgersFound = { ledgers: [], wallets: [], isGuarded: false };

function reportJson(report: WaitingReport, { gateId, name }: HeartbeatRequest, retries: readonly string[]) {
  return { ...report, gateId, name, retrying: retries.includes(report.id) };
}

/** The dead first, each the oldest first. */
function byState(one: WaitingReport, other: WaitingReport): number {
  return one.state.localeCompare(other.state) || one.since.localeCompare(other.since);
}
