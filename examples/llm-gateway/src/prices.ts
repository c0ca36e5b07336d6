import { type AgentLister, type PricedWork, type Prices, servicePrices } from "@creditgate/ai";

const freshMs = 60_000;

/** The prices of the models that the service names, as they were a minute ago at most, or when it could be asked last. */
export function currentPrices(
  client: AgentLister,
  work: PricedWork,
  now: () => number = Date.now,
): () => Promise<Prices> {
  let known: { readonly prices: Prices; readonly until: number } | undefined;
  return async () => {
    if (known !== undefined && now() < known.until) return known.prices;
    const until = now() + freshMs;
    const prices = await servicePrices(client, { ...work, namedOnly: true }).catch((error: unknown) => {
      if (known === undefined) throw error;
      return known.prices;
    });
    if (prices === undefined)
      throw new Error(`no prices of indicator ${work.indicator} of agent ${work.agentId}`);
    known = { prices, until };
    return prices;
  };
}
