import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { answer } from "../endpoint/call.ts";
import type { JsonObject } from "../http/json.ts";
import { Problem, unknown } from "../http/problem.ts";
import { requireRoom } from "../limits/limits.ts";
import { createKeyset, listPart, readPart } from "../lists/keyset.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

type Agent = Pick<Selectable<Tables["agents"]>, (typeof columns)[number]>;

const columns = ["agent_id", "external_id", "name", "description", "type", "created_at"] as const;

/** How many indicators an agent has. */
const indicators = sql<number>`(select count(*)::int from indicators
  where indicators.org_id = agents.org_id and indicators.agent_id = agents.agent_id)`.as("indicators");

const byId = createKeyset("asc", [["agent_id", "text"]]);

/** Agents: what of an organisation's does the work. */
export function agentHandlers(database: Database) {
  return {
    async adminAgentList({ orgId, query }) {
      const { agentExternalId } = query;
      let selection = database
        .selectFrom("agents")
        .select([...columns, indicators])
        .where("org_id", "=", orgId);
      if (agentExternalId !== undefined) selection = selection.where("external_id", "=", agentExternalId);
      const { rows, next } = await readPart(selection, byId, listPart(query));
      return answer(200, { agents: rows.map(counted), next });
    },

    async agentCreate({ orgId, actor, at, body }) {
      const { agentId = randomUUID(), agentExternalId, agentName } = body;
      const agent = await database.transaction().execute(async (transaction) => {
        await requireRoom(transaction, orgId, "agents", { at });
        const created = await transaction
          .insertInto("agents")
          .values({
            org_id: orgId,
            agent_id: agentId,
            external_id: agentExternalId,
            name: agentName,
            description: body.agentDescription ?? null,
            type: body.agentType ?? null,
            created_at: at,
            edited_by: actor,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning(columns)
          .executeTakeFirst();
        if (created === undefined) throw taken(agentId, agentExternalId);
        const change = { subject: agentId, after: record(created) };
        await audit(transaction, { orgId, actor, action: "agent.create", ...change }, at);
        return created;
      });
      return answer(201, counted({ ...agent, indicators: 0 }));
    },

    async agentRead({ orgId, params: { agentId } }) {
      const agent = await selectAgent(database, orgId, agentId).executeTakeFirst();
      if (agent === undefined) throw unknown("agent", agentId);
      return answer(200, counted(agent));
    },

    async agentEdit(call) {
      const {
        orgId,
        actor,
        params: { agentId },
        body: { etag: _, ...body },
      } = call;
      const agent = await database.transaction().execute(async (transaction) => {
        const before = await selectAgent(transaction, orgId, agentId).forNoKeyUpdate().executeTakeFirst();
        if (before === undefined) throw unknown("agent", agentId);
        const { agentName: name = before.name, agentDescription: description = before.description } = body;
        const { agentType: type = before.type } = body;
        const after = { ...before, name, description, type };
        if (Object.values(body).every((value) => value === undefined)) return after;
        await transaction
          .updateTable("agents")
          .set({ name, description, type, edited_by: actor })
          .where("org_id", "=", orgId)
          .where("agent_id", "=", agentId)
          .execute();
        const change = { orgId, subject: agentId, before: record(before), after: record(after) };
        await auditEdit(transaction, call, { action: "agent.edit", current: counted(before), ...change });
        return after;
      });
      return answer(200, counted(agent));
    },
  } satisfies Partial<AdminHandlers>;
}

function selectAgent(database: Pick<Database, "selectFrom">, orgId: bigint, agentId: string) {
  return database
    .selectFrom("agents")
    .select([...columns, indicators])
    .where("org_id", "=", orgId)
    .where("agent_id", "=", agentId);
}

function taken(agentId: string, externalId: string): Problem {
  const received = `${JSON.stringify(agentId)} and ${JSON.stringify(externalId)}`;
  const detail = `agentId, agent_external_id: expected two that no agent has, received ${received}`;
  return new Problem(409, "agent_exists", detail);
}

function counted(agent: Agent & { readonly indicators: number }): TaggedRecord {
  return tagged("agent.edit", { ...record(agent), indicators: agent.indicators });
}

function record(agent: Agent): JsonObject {
  return {
    agentId: agent.agent_id,
    agentExternalId: agent.external_id,
    agentName: agent.name,
    agentDescription: agent.description,
    agentType: agent.type,
    createdAt: agent.created_at.toISOString(),
  };
}
