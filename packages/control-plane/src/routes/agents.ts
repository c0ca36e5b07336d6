import { randomUUID } from "node:crypto";
import type { IndicatorTerms } from "@creditgate/admin";
import type { Endpoints } from "@creditgate/client";
import type { Database } from "../database/connection.ts";
import { answer, type Handlers } from "../endpoint/call.ts";
import type { Json } from "../http/json.ts";
import { requireRoom } from "../limits/limits.ts";
import { checkLimit } from "../lists/keyset.ts";
import { inForceFirst } from "../pricing/prices.ts";
import { priceJson, readTerms, writeTerms } from "../pricing/terms.ts";

const columns = [
  "agent_id as agentId",
  "external_id as agent_external_id",
  "name as agent_name",
  "description as agent_description",
  "type as agent_type",
] as const;

/** Agents (API, section 4.5), each with its indicators and their prices, so that a caller can check what it refers to. */
export function agentHandlers(database: Database) {
  return {
    async agentList({ orgId, at, query: { page = 1, limit: asked } }) {
      const limit = checkLimit(asked);
      const agents = await database
        .selectFrom("agents")
        .select(columns)
        .where("org_id", "=", orgId)
        .orderBy("agent_id")
        .limit(limit)
        .offset(BigInt(page - 1) * BigInt(limit))
        .execute();
      const { total } = await database
        .selectFrom("agents")
        .select((select) => select.fn.countAll<bigint>().as("total"))
        .where("org_id", "=", orgId)
        .executeTakeFirstOrThrow();
      const agentIds = agents.map(({ agentId }) => agentId);
      const indicators = await indicatorsOf(database, orgId, agentIds, at);
      const described = agents.map((agent) => ({
        ...agent,
        indicators: (indicators.get(agent.agentId) ?? []).map(written),
      }));
      return answer(200, { agents: described, page, limit, total: Number(total) });
    },

    async agentEnsure({ orgId, at, body }) {
      const known = await findAgent(database, orgId, body.agent_external_id);
      if (known !== undefined) return answer(200, known);
      return database.transaction().execute(async (transaction) => {
        // It waits for one that is made at the same time.
        await requireRoom(transaction, orgId, "agents", { at });
        const created = await transaction
          .insertInto("agents")
          .values({
            org_id: orgId,
            agent_id: randomUUID(),
            external_id: body.agent_external_id,
            name: body.agent_name,
            description: body.agent_description ?? null,
            type: body.agent_type ?? null,
          })
          .onConflict((conflict) => conflict.columns(["org_id", "external_id"]).doNothing())
          .returning(columns)
          .executeTakeFirst();
        if (created !== undefined) return answer(201, created);
        const earlier = await findAgent(transaction, orgId, body.agent_external_id);
        if (earlier === undefined) throw new Error(`Agent ${body.agent_external_id} is gone.`);
        return answer(200, earlier);
      });
    },
  } satisfies Partial<Handlers<Endpoints>>;
}

function findAgent(database: Pick<Database, "selectFrom">, orgId: bigint, externalId: string) {
  return database
    .selectFrom("agents")
    .select(columns)
    .where("org_id", "=", orgId)
    .where("external_id", "=", externalId)
    .executeTakeFirst();
}

function written({ name, billing, currency = null, price = {}, modelPrices = [] }: Indicator): Json {
  return {
    name,
    billing,
    currency,
    price: priceJson(price),
    modelPrices: modelPrices.map(({ plan, price: own, ...model }) => ({
      ...model,
      ...(plan === undefined ? {} : { plan }),
      price: priceJson(own),
    })),
  };
}

/** An indicator and how it bills now; rates are decimal text, in credits. */
interface Indicator extends Required<IndicatorTerms> {
  readonly name: string;
}

/** The indicators of these agents with the terms in force, by agent, in the order of their names. */
async function indicatorsOf(
  database: Pick<Database, "selectFrom">,
  orgId: bigint,
  agentIds: readonly string[],
  at: Date,
): Promise<ReadonlyMap<string, readonly Indicator[]>> {
  if (agentIds.length === 0) return new Map();
  const rows = await database
    .selectFrom("prices")
    .distinctOn(["agent_id", "indicator"])
    .select(["agent_id", "indicator", "billing", "currency", "price", "model_prices"])
    .where("org_id", "=", orgId)
    .where("agent_id", "in", agentIds)
    .orderBy("agent_id")
    .orderBy("indicator")
    .orderBy(inForceFirst(at))
    .execute();
  const agents = new Map<string, Indicator[]>();
  for (const { agent_id, indicator, model_prices, ...row } of rows) {
    const own = agents.get(agent_id) ?? [];
    if (own.length === 0) agents.set(agent_id, own);
    own.push({ name: indicator, ...writeTerms(readTerms({ ...row, modelPrices: model_prices })) });
  }
  return agents;
}
