import { randomUUID } from "node:crypto";
import { type Selectable, sql } from "kysely";
import { audit } from "../audit/audit-log.ts";
import type { Database } from "../database/connection.ts";
import type { Tables } from "../database/tables.ts";
import { answer } from "../http/call.ts";
import type { JsonObject } from "../http/json.ts";
import { Problem } from "../http/problem.ts";
import { unknown } from "../http/references.ts";
import { requireRoom } from "../limits/limits.ts";
import { createKeyset, readPart } from "../lists/keyset.ts";
import { listPart } from "../lists/list.ts";
import { auditEdit, type TaggedRecord, tagged } from "./edits.ts";
import type { AdminHandlers } from "./table.ts";

type Agent = Pick<Selectable<Tables["agents"]>, (typeof columns)[number]>;

const columns = ["agent_id", "external_id", "name", "description", "type", "created_at"] as const;

/** How many indicators an agent has. */
const indicators = sql<number>`(select count(*)::int from indicators
  where indicators.org_id = agents.org_id and indicators.agent_id = agents.agent_id)`.as("indicators");

const byId = createKeyset("asc", [["agent_id", "text"]]);

/** Agents: what of an organisation's does the work. */
export function agentHandlers(
  database: Database,
): Pick<AdminHandlers, "adminAgentList" | "agentCreate" | "agentRead" | "agentEdit"> {
  return {
    async adminAgentList({ orgId, query }) {
      const { agent_external_id } = query;
      let selection = database
        .selectFrom("agents")
        .select([...columns, indicators])
        .where("org_id", "=", orgId);
      if (agent_external_id !== undefined) selection = selection.where("external_id", "=", agent_external_id);
      const { rows, next } = await readPart(selection, byId, listPart(query));
      return answer(200, { agents: rows.map(counted), next });
    },

    async agentCreate({ orgId, actor, at, body }) {
      const { agentId = randomUUID(), agent_external_id, agent_name } = body;
      const agent = await database.transaction().execute(async (transaction) => {
        await requireRoom(transaction, orgId, "agents", { at });
        const created = await transaction
          .insertInto("agents")
          .values({
            org_id: orgId,
            agent_id: agentId,
            external_id: agent_external_id,
            name: agent_name,
            description: body.agent_description ?? null,
            type: body.agent_type ?? null,
            created_at: at,
            edited_by: actor,
          })
          .onConflict((conflict) => conflict.doNothing())
          .returning(columns)
          .executeTakeFirst();
        if (created === undefined) throw taken(agentId, agent_external_id);
        const change = { subject: agentId, after: record(created) };
        await audit(transaction, { orgId, actor, action: "agent.create", ...change }, at);
        return created;
      });
      return answer(201, counted({ ...agent, indicators: 0 }));
    },

    async agentRead({ orgId, params: { agent_id } }) {
      const agent = await selectAgent(database, orgId, agent_id).executeTakeFirst();
      if (agent === undefined) throw unknown("agent", agent_id);
      return answer(200, counted(agent));
    },

    async agentEdit(call) {
      const {
        orgId,
        actor,
        params: { agent_id },
        body: { etag: _, ...body },
      } = call;
      const agent = await database.transaction().execute(async (transaction) => {
        const before = await selectAgent(transaction, orgId, agent_id).forNoKeyUpdate().executeTakeFirst();
        if (before === undefined) throw unknown("agent", agent_id);
        const { agent_name: name = before.name, agent_description: description = before.description } = body;
        const { agent_type: type = before.type } = body;
        const after = { ...before, name, description, type };
        if (Object.values(body).every((value) => value === undefined)) return after;
        await transaction
          .updateTable("agents")
          .set({ name, description, type, edited_by: actor })
          .where("org_id", "=", orgId)
          .where("agent_id", "=", agent_id)
          .execute();
        const change = { orgId, subject: agent_id, before: record(before), after: record(after) };
        await auditEdit(transaction, call, { action: "agent.edit", current: counted(before), ...change });
        return after;
      });
      return answer(200, counted(agent));
    },
  };
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
    agent_external_id: agent.external_id,
    agent_name: agent.name,
    agent_description: agent.description,
    agent_type: agent.type,
    createdAt: agent.created_at.toISOString(),
  };
}
