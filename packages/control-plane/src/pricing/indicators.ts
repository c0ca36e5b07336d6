import type { Database } from "../database/connection.ts";
import { inForceFirst } from "./prices.ts";
import { readTerms, type WrittenTerms, writeTerms } from "./terms.ts";

/** An indicator and how it bills now; rates are decimal text, in credits. */
export interface Indicator extends Required<WrittenTerms> {
  readonly name: string;
}

/** The indicators of these agents with the terms in force, by agent, in the order of their names. */
export async function indicatorsOf(
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
