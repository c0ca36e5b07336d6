import type { ModelUsage } from "../usage/model-usage.ts";

/**
 * What a usage costs, in credits, by its provider and model; `undefined` where it has no price. It must never be less than what the
 * service debits, nor fall when a count rises.
 */
export type Prices = (usage: ModelUsage) => number | undefined;

/** The cost of the usage by these prices; `undefined` if they return none, throw, or return something that is no amount. */
export function costOf(prices: Prices, usage: ModelUsage): number | undefined {
  try {
    const credits = prices(usage);
    return credits !== undefined && Number.isFinite(credits) && credits >= 0 ? credits : undefined;
  } catch {
    return undefined;
  }
}
