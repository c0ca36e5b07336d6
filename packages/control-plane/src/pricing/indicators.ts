import type { Database } from "../database/connection.ts";
import { type DatedTerms, readTerms, termsAt, type WrittenTerms, writeTerms } from "./terms.ts";

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
    .select(["agent_id", "indicator", "valid_from", "billing", "currency", "price", "model_prices"])
    .where("org_id", "=", orgId)
    .where("agent_id", "in", agentIds)
    .orderBy("agent_id")
    .orderBy("indicator")
    .orderBy("valid_from")
    .orderBy("version")
    .execute();
  const versions = new Map<string, Map<string, DatedTerms[]>>();
  for (const { agent_id, indicator, valid_from, model_prices, ...row } of rows) {
    const agent = versions.get(agent_id) ?? new Map<string, DatedTerms[]>();
    versions.set(agent_id, agent);
    const terms = { ...readTerms({ ...row, modelPrices: model_prices }), validFrom: valid_from };
    agent.set(indicator, [...(agent.get(indicator) ?? []), terms]);
  }
  return new Map(
    Array.from(versions, ([agentId, agent]) => [
      agentId,
      Array.from(agent).flatMap(([name, dated]) => {
        const terms = termsAt(dated, at);
        return terms === undefined ? [] : [{ name, ...writeTerms(terms) }];
      }),
    ]),
  );
}
