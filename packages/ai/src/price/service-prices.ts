import { fieldsOf, listOf } from "../usage/fields.ts";
import type { Prices } from "./prices.ts";
import { listedPrices, type PriceList, reportedList } from "./rates.ts";

/** What is used of a client of the service: {@link servicePrices}. */
export interface AgentLister {
  readonly agents: { list(query: { page: number; limit: number }): Promise<unknown> };
}

const pageSize = 100;
const mostPages = 50;

/** Whose prices are asked for. */
export interface PricedWork {
  readonly agentId: string;
  readonly indicator: string;
  /** Whether models that have no rates of their own there have no price, so that what is not named is not sold. @default false */
  readonly namedOnly?: boolean;
}

/**
 * The prices that the service returns for an indicator (API 4.5), as Creditgate's control plane does. They are the
 * present ones, so request them again when they may have changed. Resolves `undefined` if the service returns none;
 * rejects as the client does.
 */
export async function servicePrices(
  client: AgentLister,
  { namedOnly = false, ...work }: PricedWork,
): Promise<Prices | undefined> {
  const list = await listOfService(client, work);
  return list && listedPrices({ ...list, namedOnly });
}

/** The price list in the service's list of agents. */
export async function listOfService(
  client: AgentLister,
  { agentId, indicator }: Pick<PricedWork, "agentId" | "indicator">,
): Promise<PriceList | undefined> {
  for (let page = 1; page <= mostPages; page++) {
    const agents = listOf(fieldsOf(await client.agents.list({ page, limit: pageSize }))?.agents);
    const agent = agents.map((one) => fieldsOf(one) ?? {}).find((one) => one.agentId === agentId);
    const found = listOf(agent?.indicators).find((one) => fieldsOf(one)?.name === indicator);
    const list = reportedList(found);
    if (list !== undefined) return list;
    if (agent !== undefined || agents.length < pageSize) return undefined;
  }
  return undefined;
}
