import { type AgentLister, type PricedWork, type Prices, servicePrices } from "@creditgate/ai";

const freshMs = 60_000;
/** Requests wait so long for new prices where there are old ones. */
const patienceMs = 1_000;

/**
 * The prices of the models that the service names, as they were a minute ago at most, or when it could be asked last. `now` must not go
 * back, as the time of day may.
 */
export function currentPrices(
  client: AgentLister,
  work: PricedWork,
  now: () => number = () => performance.now(),
): () => Promise<Prices> {
  let known: { readonly prices: Prices; readonly until: number } | undefined;
  let asking: Promise<Prices> | undefined;

  const ask = async (): Promise<Prices> => {
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

  return async () => {
    if (known !== undefined && now() < known.until) return known.prices;
    // Once for all requests: a service that hangs would be asked by each of them.
    asking ??= ask().finally(() => {
      asking = undefined;
    });
    return known === undefined ? asking : soon(asking, known.prices);
  };
}

/** What is asked for, or the old one where that takes long. */
async function soon(asking: Promise<Prices>, old: Prices): Promise<Prices> {
  let stop = () => {};
  const late = new Promise<Prices>((resolve) => {
    const timer = setTimeout(() => resolve(old), patienceMs);
    stop = () => clearTimeout(timer);
  });
  // Avoids an unhandled rejection where the request no longer waits for it.
  asking.catch(() => {});
  try {
    return await Promise.race([asking, late]);
  } finally {
    stop();
  }
}
